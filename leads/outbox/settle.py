"""What became of a claimed row: written while its lease is still the caller's, and logged in any case.

The first success counts whatever happened to the lease: the destination has the row. Nothing takes it back.
"""

import logging
import random
import threading
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import Connection, Engine, func, insert, select, update
from sqlalchemy import Row as Found

from leads.db import DATABASE_ERRORS, begin, error_name, seconds
from leads.lifecycle import Outcome, Sent, Settled, State, Status, Unavailable, settle
from leads.outbox.claim import Claimed
from leads.outbox.pause import note_outcome
from leads.tables import attempts, deliveries

log = logging.getLogger(__name__)

# Seconds before each try to write an outcome; together far less than a lease. After that the row becomes due again
# when its lease ends, and the call is looked for, or repeated under the same id.
PAUSES = (0.0, 0.2, 0.5, 1.0, 2.0, 4.0, 8.0)


@dataclass(frozen=True, slots=True)
class Result:
    """What a claimed row became; `status` is None when that was not written, as its lease was lost."""

    id: UUID
    outcome: Outcome
    status: Status | None = None
    next_at: datetime | None = None  # when it is due again


def record(engine: Engine, row: Claimed, outcome: Outcome, *, call_id: str) -> Result:
    """Write the outcome of a call, and what it says of the destination; tries again while the database fails."""
    noted: Outcome | None = None
    for wait in PAUSES:
        threading.Event().wait(wait)
        try:
            noted = noted or note_outcome(engine, row.destination, outcome, row.trial, is_troubled=row.is_troubled)
            with begin(engine) as connection:
                return _settle(connection, row, noted, call_id)
        except DATABASE_ERRORS as error:
            log.warning("could not write the outcome of %s (%s), trying again", row.id, error_name(error))
    log.error("gave up writing the outcome of %s; it is due again when its lease ends", row.id)
    return Result(row.id, outcome)


def _settle(connection: Connection, row: Claimed, outcome: Outcome, call_id: str) -> Result:
    table = deliveries.c
    this = (table.id == row.id) & (table.destination == row.destination)
    age = func.extract("epoch", func.now() - table.queued_at).label("age")
    now = connection.execute(select(deliveries, age).where(this).with_for_update()).one_or_none()
    if now is None or _is_written(connection, row, call_id):
        return Result(row.id, outcome)
    is_ours = now.status == Status.SENDING and now.next_retry_at == row.lease
    settled: Settled | None = None
    due: datetime | None = None
    # Only the first success counts without the lease: a later one must not undo that an update is owed.
    if is_ours or (isinstance(outcome, Sent) and now.sent_at is None):
        settled = settle(_state(now, row), outcome, random.uniform(-1, 1))  # noqa: S311 - spread, not secrecy
        written = update(deliveries).where(this).values(_values(settled, outcome)).returning(table.next_retry_at)
        written_due = connection.execute(written).scalar_one()
        due = None if settled.wait is None else written_due
    event = type(outcome).__name__.lower() if settled else "fenced"
    line = {"destination": row.destination, "kind": row.kind, "row_id": row.id, "call_id": call_id, "event": event}
    line |= {"code": outcome.code, "http_status": outcome.http_status, "next_retry_at": due}
    line["detail"] = (settled.error if settled else None) or outcome.detail or None
    connection.execute(insert(attempts), line)
    return Result(row.id, outcome, settled.status if settled else None, due)


def _is_written(connection: Connection, row: Claimed, call_id: str) -> bool:
    """Whether an earlier try wrote it, whose answer was lost."""
    line = attempts.c
    lines = select(line.id).where(line.row_id == row.id, line.destination == row.destination)
    return connection.execute(lines.where(line.call_id == call_id, line.event != "claimed")).first() is not None


def _state(now: Found[Any], row: Claimed) -> State:
    return State(
        retry_count=now.retry_count,
        lost_leases=now.lost_leases,
        age=float(now.age),
        was_tried=now.lost_leases > 0
        or (now.last_retry_at is not None and (now.sent_at is None or now.sent_at < now.last_retry_at)),
        is_refused=now.refused_at is not None,
        is_added_to=now.changed_at is not None,
        is_changed=now.changed_at != row.changed_at,
    )


def _values(settled: Settled, outcome: Outcome) -> dict[str, Any]:
    values: dict[str, Any] = {
        "status": settled.status.value,
        "retry_count": settled.retry_count,
        "lost_leases": settled.lost_leases,
        "refused_at": func.coalesce(deliveries.c.refused_at, func.now()) if settled.is_refused else None,
    }
    if settled.wait is not None:
        values["next_retry_at"] = func.now() + seconds(settled.wait)
    if settled.error is not None:
        values |= {"last_error": settled.error, "last_retry_at": func.now()}
    if isinstance(outcome, Unavailable) and outcome.is_lost:
        values["last_retry_at"] = func.now()
    if isinstance(outcome, Sent):
        record_id = func.coalesce(outcome.record_id, deliveries.c.record_id)
        values |= {"sent_at": func.now(), "record_id": record_id, "last_error": None}
        if settled.status is Status.PENDING:
            values["queued_at"] = func.now()
    return values
