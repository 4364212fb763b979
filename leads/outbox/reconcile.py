"""Our side of a comparison with the CRM: sent rows, and requeuing. SQL only."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from sqlalchemy import Engine, Select, func, insert, select, update

from leads.db import begin, run
from leads.destinations import CRM
from leads.tables import attempts, deliveries

ROW = deliveries.c
OF_THE_CRM = ROW.destination == CRM
IS_SENT = OF_THE_CRM & (ROW.status == "sent")
ROWS = select(ROW.id, ROW.record_id)


@dataclass(frozen=True, slots=True)
class SentRow:
    """A row that the CRM has accepted."""

    id: UUID
    record_id: str | None


def read_sent(engine: Engine, *, since: datetime) -> list[SentRow]:
    """Return the rows that were sent since then."""
    return _read(engine, ROWS.where(IS_SENT, ROW.sent_at >= since))


def read_sample(engine: Engine, *, rows: int) -> list[SentRow]:
    """Return so many of the rows that were sent within a day, those first that were not sent at the first try.

    A lost reply tells of nothing that went wrong at the CRM.
    """
    days, hours, minutes = (func.now() - timedelta(**ago) for ago in ({"days": 8}, {"hours": 25}, {"minutes": 5}))
    of_the_day = ROWS.where(IS_SENT, ROW.queued_at > days, ROW.sent_at.between(hours, minutes))
    return _read(engine, of_the_day.order_by(ROW.last_retry_at.is_(None), func.random()).limit(rows))


def read_record_ids(engine: Engine, ids: Sequence[UUID]) -> dict[UUID, str]:
    """Return the record that each of these rows got, where it got one."""
    found = _read(engine, ROWS.where(OF_THE_CRM, ROW.id.in_(ids), ROW.record_id.is_not(None)))
    return {row.id: row.record_id for row in found if row.record_id is not None}


def _read(engine: Engine, query: Select[Any]) -> list[SentRow]:
    return [SentRow(*row) for row in run(engine, query)]


def requeue_missing(engine: Engine, ids: Sequence[UUID], *, by: str) -> int:
    """Requeue sent rows that the CRM has no record of, the only way back from `sent`; return how many."""
    as_new = {"status": "pending", "retry_count": 0, "lost_leases": 0, "sent_at": None, "record_id": None}
    back = update(deliveries).where(IS_SENT, ROW.id.in_(ids)).values(**as_new)
    back = back.values(next_retry_at=func.now(), queued_at=func.now())
    returned = back.returning(ROW.kind, ROW.id.label("row_id"), ROW.next_retry_at)
    with begin(engine) as connection:
        rows = connection.execute(returned).mappings().all()
        if rows:
            line = {"event": "requeued", "detail": f"by {by}: not in the CRM"}
            connection.execute(insert(attempts), [{**row, **line} for row in rows])
    return len(rows)
