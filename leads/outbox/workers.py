"""The worker processes: which are alive, and what they deliver to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from sqlalchemy import Engine, text

MAX_SLOTS = 25  # of a destination; CallLimits uses as many of them as it is set to
_SEEN = text("""
WITH old_workers AS (
    DELETE FROM workers WHERE seen_at < now() - interval '1 day' AND id <> :id
)
INSERT INTO workers (id, name) VALUES (:id, :name)
ON CONFLICT (id) DO UPDATE SET seen_at = now(), stopped_at = NULL
""")
_STOPPED = text("UPDATE workers SET stopped_at = now() WHERE id = :id")
# A destination that was added has neither gate nor slots yet.
_GATES = text("""
INSERT INTO gates (destination) SELECT unnest(cast(:destinations AS text[])) ON CONFLICT DO NOTHING
""")
_SLOTS = text("""
INSERT INTO call_slots (destination, number)
SELECT destination, number
FROM unnest(cast(:destinations AS text[])) AS destination, generate_series(1, :slots) AS number
ON CONFLICT DO NOTHING
""")


@dataclass(frozen=True, slots=True)
class Worker:
    """One worker process, from its start to its end. `name` is for operators: host and process id."""

    engine: Engine
    id: UUID
    name: str

    def note_started(self, destinations: Sequence[str]) -> None:
        """Record that this worker is alive; make the gates and slots of its destinations that are missing."""
        with self.engine.connect() as connection:
            connection.execute(_GATES, {"destinations": list(destinations)})
            connection.execute(_SLOTS, {"destinations": list(destinations), "slots": MAX_SLOTS})
        self.note_seen()

    def note_seen(self) -> None:
        """Record that this worker is alive; a tick does."""
        with self.engine.connect() as connection:
            connection.execute(_SEEN, {"id": self.id, "name": self.name})

    def note_stopped(self) -> None:
        """Record that this worker ended in an orderly way."""
        with self.engine.connect() as connection:
            connection.execute(_STOPPED, {"id": self.id})
