"""The claim: a due row is taken by its id, and is nobody else's until its lease ends.

`next_retry_at` is a row's only clock: when it may be taken, or when its lease ends. A row that is found `sending`
then lost its worker, which the claim counts. There is no sweeper.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from typing import Any
from uuid import UUID

from sqlalchemy import Double, Engine, bindparam, case, func, insert, literal, or_, select, update

from leads.db import run, seconds
from leads.lifecycle import LEASE_SECONDS, LONGEST_LEASE_SECONDS, WAITING, Reason, Status
from leads.outbox.pause import IS_OPEN, due_trial, read_destinations
from leads.outbox.values import read_values
from leads.tables import Kind, attempts, deliveries, destinations

# Written out in the statement, or a prepared one could not use the partial indexes.
IS_OWED = deliveries.c.status.in_(
    bindparam("owed", [status.value for status in WAITING], expanding=True, literal_execute=True)
)
IS_DUE = deliveries.c.next_retry_at <= func.now()


@dataclass(frozen=True, slots=True)
class Claimed:
    """A row that only this worker may send until `lease`. Its repr hides the values, which are a person's."""

    destination: str
    kind: Kind
    id: UUID
    lease: datetime  # its own next_retry_at, which fences what is written of it
    was_tried: bool  # an earlier call may have arrived
    record_id: str | None  # in the CRM, where an earlier call has made it
    changed_at: datetime | None  # what the visitor added is of then
    trial: Reason | None  # why the destination is paused; this row is the trial
    is_troubled: bool  # the destination's last calls were not answered
    values: dict[str, Any] = field(default_factory=dict, repr=False)  # of the lead or click, and its history


def find_due(
    engine: Engine, names: Sequence[str], *, limit: int, offset: int = 0, late: float = 0.0
) -> Iterator[tuple[str, UUID]]:
    """Yield what may be claimed: first tries first, and of a destination whose pause is over one row, as a trial.

    limit: how many rows of each at most. offset: so many are left out, as they have been found before and are on
    their way. late: only rows that have been due for so many seconds.
    """
    row = deliveries.c
    due = select(row.id).where(IS_OWED, row.next_retry_at <= func.now() - seconds(late))
    # A trial that fails is due after all others, so that no row that breaks its calls is the trial for ever.
    oldest = due.order_by(row.next_retry_at).limit(1)
    rows = due.order_by(row.retry_count > 0, row.next_retry_at).limit(limit).offset(offset)
    for destination in read_destinations(engine).values():
        if destination.name not in names or (destination.reason and not destination.trial_is_due):
            continue
        of_it = (oldest if destination.reason else rows).where(row.destination == destination.name)
        for (row_id,) in run(engine, of_it):
            yield destination.name, row_id


def claim(
    engine: Engine, destination: str, row_id: UUID, *, call_id: str, lease_seconds: float = LEASE_SECONDS
) -> Claimed | None:
    """Take a row if it is still due, and its destination is not paused or it is the trial; None: it is not."""
    which = {"to": destination, "which": row_id, "call": call_id, "first": lease_seconds}
    with engine.connect() as connection:
        row = connection.execute(_claim(), which).one_or_none()
        if row is None:
            return None
        # Only now: what a visitor adds before it is read, and what is added after it changes the row.
        values = read_values(connection, Kind(row.kind), row.id)
    if values is None:
        return None  # it was erased
    kind, trial = Kind(row.kind), row.trial and Reason(row.trial)
    return Claimed(**row._asdict() | {"kind": kind, "trial": trial, "values": values})


@cache  # see `read_values`
def _claim() -> Any:
    """One statement, so one wait for the disk before the call."""
    row, table = deliveries.c, destinations.c
    is_it = (row.destination == bindparam("to")) & (row.id == bindparam("which")) & IS_OWED & IS_DUE
    # Of a row that is not due no trial is taken.
    trial = due_trial(bindparam("to")).where(select(row.id).where(is_it).exists())
    taken_trial = trial.returning(table.name).cte("trial")
    lost = row.lost_leases + case((row.status == Status.SENDING.value, 1), else_=0)
    # A larger power than the longest lease needs could overflow.
    doubled = bindparam("first", type_=Double) * func.power(2, func.least(lost, 16))
    lease = func.least(doubled, LONGEST_LEASE_SECONDS)
    taken = (
        update(deliveries)
        .where(is_it, table.name == row.destination, or_(IS_OPEN, select(taken_trial).exists()))
        .values(status=Status.SENDING.value, lost_leases=lost, next_retry_at=func.now() + seconds(lease))
        .returning(
            *(row.destination, row.kind, row.id, row.next_retry_at.label("lease"), row.record_id, row.changed_at),
            or_(row.last_retry_at.is_not(None), row.lost_leases > 0).label("was_tried"),
            *(table.reason.label("trial"), (table.failures > 0).label("is_troubled")),
        )
        .cte("taken")
    )
    line = select(*taken.c["destination", "kind", "id", "lease"], literal("claimed"), bindparam("call"))
    names = ["destination", "kind", "row_id", "next_retry_at", "event", "call_id"]
    return select(taken).add_cte(insert(attempts).from_select(names, line).cte("logged"))
