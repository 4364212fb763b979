"""Rows in doubt: their last call failed minutes ago, and the CRM may have them all the same. Read-only."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import NamedTuple
from uuid import UUID

from sqlalchemy import Engine, text

from leads.destinations import CRM
from leads.lifecycle import Sync
from leads.outbox.lease import TRIED_MINUTES
from leads.outbox.rows import Claimed, Kind

_IN_DOUBT = f"""
destination = '{CRM}' AND status = 'retrying' AND record_id IS NULL
    AND last_retry_at < now() - interval '{TRIED_MINUTES} min'
"""
# What is due soon is looked for by its own try.
_NEXT = text(f"""
SELECT id, kind, next_retry_at, retry_count, lost_leases, last_retry_at FROM deliveries
WHERE {_IN_DOUBT} AND next_retry_at > now() + interval '1 min' AND (last_retry_at, id) > (:at, :id)
ORDER BY last_retry_at, id LIMIT :rows
""")  # noqa: S608 - constants of this project
_COUNT = text(f"SELECT count(*) FROM deliveries WHERE {_IN_DOUBT}")  # noqa: S608
# The log has no index by time; see leads/outbox/flow.py.
_FOUND = text("""
SELECT count(*) FROM (SELECT * FROM attempts ORDER BY id DESC LIMIT 20000) AS newest
WHERE code = 'FOUND' AND at > now() - interval '1 day'
""")


class Place(NamedTuple):
    """A place in the order of the last tries."""

    at: datetime
    id: UUID


START = Place(datetime.min.replace(tzinfo=UTC), UUID(int=0))


@dataclass(frozen=True, slots=True)
class Doubt:
    """rows: in doubt now. found: of the last day, how many the CRM had although their calls had failed."""

    rows: int
    found: int


def read_in_doubt(engine: Engine, after: Place, *, rows: int) -> list[tuple[Place, Claimed]]:
    """Return so many rows in doubt that were last tried after the place, in order, each with its own."""
    with engine.connect() as connection:
        found = connection.execute(_NEXT, {"at": after.at, "id": after.id, "rows": rows}).all()
    return [
        (
            Place(row.last_retry_at, row.id),
            Claimed(CRM, Kind(row.kind), row.id, row.next_retry_at, Sync(row.retry_count, row.lost_leases), {}),
        )
        for row in found
    ]


def read_doubt(engine: Engine) -> Doubt:
    """Count the rows in doubt, and those that were found."""
    with engine.connect() as connection:
        return Doubt(connection.execute(_COUNT).scalar_one(), connection.execute(_FOUND).scalar_one())
