"""The workers and the calls that they begin: the evidence by which leads/outbox/lease.py judges a lost lease."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from sqlalchemy import Engine, text

from leads.db import fetch

# Nobody asks about what is older: a lost lease is swept within seconds of the first worker's start.
_SEEN = text("""
WITH old_calls AS (
    DELETE FROM crm_calls WHERE began_at < now() - interval '1 day'
), old_workers AS (
    DELETE FROM crm_workers WHERE seen_at < now() - interval '1 day' AND id <> :id
)
INSERT INTO crm_workers (id, name) VALUES (:id, :name)
ON CONFLICT (id) DO UPDATE SET seen_at = now(), stopped_at = NULL
""")
_STOPPED = text("UPDATE crm_workers SET stopped_at = now() WHERE id = :id")
# A begun call that a crash of the database forgets costs its rows nothing, so no one waits for the disk.
_BEGUN = """
WITH quick AS (SELECT set_config('synchronous_commit', 'off', true))
INSERT INTO crm_calls (id, worker_id, alone) SELECT %(call)s, %(id)s, %(alone)s FROM quick
"""


@dataclass(frozen=True, slots=True)
class Worker:
    """One worker process, from its start to its end. `name` is for operators: host and process id."""

    engine: Engine
    id: UUID
    name: str

    def note_seen(self) -> None:
        """Record that this worker is alive; a tick does."""
        with self.engine.connect() as connection:
            connection.execute(_SEEN, {"id": self.id, "name": self.name})

    def note_stopped(self) -> None:
        """Record that this worker ended in an orderly way: it was not killed by what it sent."""
        with self.engine.connect() as connection:
            connection.execute(_STOPPED, {"id": self.id})

    def begin_call(self, call_id: str, *, alone: bool) -> None:
        """Record that the call of a claim begins now. `alone`: nothing else is in flight in this process."""
        with self.engine.connect() as connection:
            fetch(connection, _BEGUN, {"call": call_id, "id": self.id, "alone": alone})
