"""The flow through the outbox as operators see it: how the CRM answers, what waits longest, a day's arrivals."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Engine, text

from leads.destinations import CRM
from leads.outbox.stats import Pile

# The log has no index by time. Its newest lines tell; older ones are not worth reading the whole log.
_LAST_SUCCESS = text("""
SELECT max(at) FROM (SELECT at, destination, event FROM attempts ORDER BY id DESC LIMIT 20000) AS newest
WHERE destination = :destination AND event = 'delivered'
""")
_FAILING_SINCE = text("SELECT failing_since FROM gates WHERE destination = :destination")
# Rows are looked for by the time they were queued (an index), so one that waited for over a month is left out.
_FLOW = text("""
SELECT floor(extract(epoch FROM now() - queued_at) / :step)::int AS ago, count(*) AS rows FROM deliveries
WHERE queued_at > now() - make_interval(secs => :span) AND destination = :destination AND status <> 'held'
GROUP BY 1
""")
_DELIVERED = text("""
SELECT floor(extract(epoch FROM now() - sent_at) / :step)::int AS ago, count(*) AS rows FROM deliveries
WHERE queued_at > now() - interval '31 days' AND destination = :destination
    AND sent_at > now() - make_interval(secs => :span) GROUP BY 1
""")
_TIMES = text("""
SELECT percentile_cont(ARRAY[0.5, 0.95]) WITHIN GROUP (ORDER BY extract(epoch FROM sent_at - queued_at))
FROM deliveries WHERE queued_at > now() - interval '31 days' AND destination = :destination
    AND sent_at > now() - make_interval(secs => :seconds)
""")


@dataclass(frozen=True, slots=True)
class Health:
    """How a destination has answered lately, and what waits longest. Aware times; None: never, or nothing."""

    last_success_at: datetime | None
    failing_since: datetime | None
    oldest_waiting_at: datetime | None


@dataclass(frozen=True, slots=True)
class Flow:
    """Rows in one step of time: queued, delivered, and waiting at its end. `ago`: steps before now, from 0."""

    ago: int
    arrived: int
    delivered: int
    waiting: int


@dataclass(frozen=True, slots=True)
class Times:
    """Seconds from the queue to the delivery: for half of the rows at most, and for 95 of 100. None: no row."""

    half: float | None
    most: float | None


def read_health(engine: Engine, destination: str, backlog: Iterable[Pile]) -> Health:
    """Return how a destination has answered lately, and since when the oldest row of the backlog waits for it."""
    of = {"destination": destination}
    waits = (pile.waits_since for pile in backlog if pile.destination == destination)
    with engine.connect() as connection:
        return Health(
            connection.execute(_LAST_SUCCESS, of).scalar_one(),
            connection.execute(_FAILING_SINCE, of).scalar_one_or_none(),
            min((at for at in waits if at is not None), default=None),
        )


def read_times(engine: Engine, seconds: float, destination: str = CRM) -> Times:
    """Return how long the rows took that a destination got in so many seconds until now."""
    with engine.connect() as connection:
        found = connection.execute(_TIMES, {"seconds": seconds, "destination": destination}).scalar_one()
    return Times(*(found or (None, None)))


def read_flow(
    engine: Engine, *, steps: int, step_seconds: float, waiting: int, destination: str = CRM
) -> list[Flow]:
    """Return the last steps of time, the oldest first; what waited is counted back from the rows that wait now."""
    values = {"step": step_seconds, "span": steps * step_seconds, "destination": destination}
    arrived, delivered = dict.fromkeys(range(steps), 0), dict.fromkeys(range(steps), 0)
    with engine.connect() as connection:
        for query, counts in ((_FLOW, arrived), (_DELIVERED, delivered)):
            counts |= {row.ago: row.rows for row in connection.execute(query, values) if row.ago in counts}
    flow: list[Flow] = []
    for ago in range(steps):
        flow.append(Flow(ago, arrived[ago], delivered[ago], max(0, waiting)))
        waiting += delivered[ago] - arrived[ago]
    return flow[::-1]
