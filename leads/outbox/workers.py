"""The worker processes: when each was last seen, and what they deliver to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import cast
from uuid import UUID

from sqlalchemy import Engine, text

MAX_SLOTS = 25  # of a destination; CallLimits uses as many of them as it is set to
_SEEN = text("""
WITH old_workers AS (
    DELETE FROM workers WHERE seen_at < now() - interval '1 day' AND id <> :id
)
INSERT INTO workers (id) VALUES (:id) ON CONFLICT (id) DO UPDATE SET seen_at = now() RETURNING seen_at
""")
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
    """One worker process, from its start to its end."""

    engine: Engine
    id: UUID

    def note_started(self, destinations: Sequence[str]) -> datetime:
        """Make the gates and slots of its destinations that are missing, and note that this worker is alive."""
        with self.engine.connect() as connection:
            connection.execute(_GATES, {"destinations": list(destinations)})
            connection.execute(_SLOTS, {"destinations": list(destinations), "slots": MAX_SLOTS})
        return self.note_seen()

    def note_seen(self) -> datetime:
        """Note that this worker is alive, and return when that is by the database's clock; a tick does."""
        with self.engine.connect() as connection:
            return cast("datetime", connection.execute(_SEEN, {"id": self.id}).scalar_one())
