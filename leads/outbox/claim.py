"""The claim: a due row is taken by its id, and is nobody else's until its lease ends.

`next_retry_at` is a row's only clock: when it may be taken, or when its lease ends. A row that is found `sending`
then lost its worker, which the claim counts. There is no sweeper.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from itertools import product
from typing import Any
from uuid import UUID

from sqlalchemy import Double, Engine, bindparam, case, func, insert, literal, literal_column, or_, select, update
from sqlalchemy.dialects.postgresql.psycopg import dialect

from leads.db import run, run_on_driver, seconds
from leads.lifecycle import LEASE_SECONDS, LONGEST_LEASE_SECONDS, WAITING, Reason, Status
from leads.outbox.pause import IS_OPEN, due_trial, read_destinations
from leads.outbox.values import add_history, value_columns
from leads.tables import Kind, attempts, deliveries, destinations

# Written out in the statement, or a prepared one could not use the partial indexes.
IS_OWED = deliveries.c.status.in_([literal_column(f"'{status.value}'") for status in WAITING])
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
        for kind, is_trial in product(Kind, (False, True)):
            statement, constants, names, columns = _claim(kind, is_trial=is_trial)
            for found in run_on_driver(connection, statement, {**constants, **which}):
                row, sent = dict(zip(names, found, strict=False)), found[len(names) :]
                values = add_history(connection, dict(zip(columns, sent, strict=True)))
                trial = row["trial"] and Reason(row["trial"])
                return Claimed(**row | {"kind": kind, "trial": trial, "values": values})
    return None


@cache  # putting it together takes longer than the database needs for it
def _claim(kind: Kind, *, is_trial: bool) -> tuple[str, Mapping[str, Any], Sequence[str], Sequence[str]]:
    """The one statement, its constants, and the names of what it gives: of the claim, and of what is sent."""
    row, table = deliveries.c, destinations.c
    this = (row.destination == bindparam("to")) & (row.id == bindparam("which"))
    is_it = this & (row.kind == kind.value) & IS_OWED & IS_DUE
    # Of a row that is not due no trial is taken.
    trial = due_trial(bindparam("to")).where(select(row.id).where(is_it).exists())
    may_go = select(trial.returning(table.name).cte("trial")).exists() if is_trial else IS_OPEN
    lost = row.lost_leases + case((row.status == Status.SENDING.value, 1), else_=0)
    # A larger power than the longest lease needs could overflow.
    doubled = bindparam("first", type_=Double) * func.power(2, func.least(lost, 16))
    lease = func.least(doubled, LONGEST_LEASE_SECONDS)
    taken = (
        update(deliveries)
        .where(is_it, table.name == row.destination, may_go)
        .values(status=Status.SENDING.value, lost_leases=lost, next_retry_at=func.now() + seconds(lease))
        .returning(
            *(row.destination, row.kind, row.id, row.next_retry_at.label("lease"), row.record_id),
            or_(row.last_retry_at.is_not(None), row.lost_leases > 0).label("was_tried"),
            *(table.reason.label("trial"), (table.failures > 0).label("is_troubled")),
        )
        .cte("taken")
    )
    line = select(*taken.c["destination", "kind", "id", "lease"], literal("claimed"), bindparam("call"))
    names = ["destination", "kind", "row_id", "next_retry_at", "event", "call_id"]
    logged = insert(attempts).from_select(names, line).cte("logged")
    # As old as the values: the claim may have waited for what a visitor added, which is then sent by an update.
    changed_at = select(row.changed_at).where(this).scalar_subquery().label("changed_at")
    source, columns = value_columns(kind)
    both = select(*taken.c, changed_at, *columns.values()).add_cte(logged)
    both = both.select_from(source.join(taken, taken.c.id == columns["id"]))
    compiled = both.where(columns["id"] == bindparam("which")).compile(dialect=dialect())  # type: ignore[no-untyped-call]
    return str(compiled), compiled.params, (*taken.c.keys(), "changed_at"), (*columns,)
