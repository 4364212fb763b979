"""The worker processes: when each was last seen."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import cast
from uuid import UUID

from sqlalchemy import Engine, text

_SEEN = text("""
WITH old_workers AS (
    DELETE FROM workers WHERE seen_at < now() - interval '1 day' AND id <> :id
)
INSERT INTO workers (id) VALUES (:id) ON CONFLICT (id) DO UPDATE SET seen_at = now() RETURNING seen_at
""")


@dataclass(frozen=True, slots=True)
class Worker:
    """One worker process, from its start to its end."""

    engine: Engine
    id: UUID

    def note_seen(self) -> datetime:
        """Note that this worker is alive, and return when that is by the database's clock; a tick does."""
        with self.engine.connect() as connection:
            return cast("datetime", connection.execute(_SEEN, {"id": self.id}).scalar_one())


_AGE = text("SELECT extract(epoch FROM now() - max(seen_at))::float8 FROM workers")


def read_tick_age(engine: Engine) -> float | None:
    """Return the seconds since a worker was last seen; None: none was."""
    with engine.connect() as connection:
        return cast("float | None", connection.execute(_AGE).scalar_one())
