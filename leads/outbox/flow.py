"""The flow through the outbox as operators see it: how a destination answers, and what waits longest."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Engine, text

from leads.outbox.pause import Destination
from leads.outbox.stats import Pile

# The log has no index by time. Its newest lines tell; older ones are not worth reading the whole log.
_LAST_SUCCESS = text("""
SELECT max(at) FROM (SELECT at, destination, event FROM attempts ORDER BY id DESC LIMIT 20000) AS newest
WHERE destination = :destination AND event = 'sent'
""")


@dataclass(frozen=True, slots=True)
class Health:
    """How a destination has answered lately, and what waits longest. Aware times; None: never, or nothing."""

    last_success_at: datetime | None
    failing_since: datetime | None
    oldest_waiting_at: datetime | None


def read_health(engine: Engine, destination: Destination, backlog: Iterable[Pile]) -> Health:
    """Return how a destination has answered lately, and since when the oldest row of the backlog waits for it."""
    waits = (pile.waits_since for pile in backlog if pile.destination == destination.name)
    with engine.connect() as connection:
        return Health(
            connection.execute(_LAST_SUCCESS, {"destination": destination.name}).scalar_one(),
            destination.failing_since,
            min((at for at in waits if at is not None), default=None),
        )
