"""Sales staff in the simulation: what they do to records of the CRM while leads arrive and calls fail."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from proofs.simulation.crm import MAX_LATE_SECONDS
from proofs.simulation.scheduler import SECOND
from proofs.simulation.world import MINUTE, World
from sandbox import staff

ACTIONS = ("convert", "change", "delete", "delete and restore", "merge")
LATER_SECONDS = (MINUTE, 120 * MINUTE)


def sell(world: World) -> None:
    """Somebody converts, changes, deletes or merges a record that no lost call can still write."""
    chance, handled = world.scheduler.random, world.oracle.handled
    settled = world.scheduler.now - int(MAX_LATE_SECONDS * SECOND)
    rows = world.oracle.rows.items()
    free = sorted(
        (event for event, row in rows if row.status == "sent" and row.changed < settled and event not in handled),
        key=str,
    )
    found = {event: record for event in free if (record := world.crm.record_of(str(event))) is not None}
    if len(found) < 2:
        return
    event, other = chance.sample(sorted(found, key=str), 2)
    action = chance.choice(ACTIONS)
    word, _, then = action.partition(" and ")
    wanted: dict[str, Any] = {
        "change": {"Lead_Status": "Contacted"}, "merge": {"into": str(found[other])},
    }.get(word, {})  # fmt: skip
    if not staff.act(world.crm.sandbox, found[event], word, wanted):
        return
    handled[event] = word
    if word == "merge":
        handled[other] = "change"
    world.note(f"sales: {action} {event}")
    if then:
        world.scheduler.after(chance.uniform(*LATER_SECONDS), lambda: _restore(world, event, found[event]))


def _restore(world: World, event: UUID, record: int) -> None:
    """Out of the recycle bin, unless an erasure has emptied it."""
    if staff.act(world.crm.sandbox, record, "restore", {}):
        world.oracle.handled[event] = "restore"
        world.note(f"sales: restore {event}")
