"""Metrics of deliveries: attempts by result, seconds from stored to delivered, calls in flight.

Counted from this process's first scrape on. The metrics of waiting rows are in `web/metrics/outbox.py`.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator

from prometheus_client import Counter, Histogram
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.metrics_core import Metric
from sqlalchemy import Engine

from leads.destinations import CRM
from leads.outbox.slots import count_calls_in_flight
from leads.outbox.stats import SETTLED_SECONDS, newest_attempt, read_attempts

# Seconds from stored to delivered: a second normally, days after an outage.
_BUCKETS = (0.5, 1, 2, 5, 10, 30, 60, 120, 300, 900, 3600, 14_400, 86_400, 259_200)


class Deliveries:
    """Reads the log of attempts onwards from scrape to scrape."""

    def __init__(self, engine: Engine, *, settled_seconds: float = SETTLED_SECONDS) -> None:
        self._engine = engine
        self._settled = settled_seconds
        self._after: int | None = None
        self._one_scrape = threading.Lock()
        self._attempts = Counter(
            "clinic_attempts",
            "Recorded events of deliveries, by destination, event and code; fenced: a late result that was "
            "not written; lease_lost: the worker died.",
            ["destination", "kind", "event", "code"],
            registry=None,
        )
        self._waited = Histogram(
            "clinic_accept_to_delivered_seconds",
            "From stored to delivered.",
            ["destination", "kind"],
            registry=None,
            buckets=_BUCKETS,
        )

    def read(self) -> dict[str, int]:
        """Read new attempts; return the calls in flight by destination, across all workers.

        SQLAlchemy's errors when the database is unavailable.
        """
        with self._one_scrape:
            if self._after is None:
                self._after = newest_attempt(self._engine)
            attempts = read_attempts(self._engine, self._after, settled_seconds=self._settled)
            self._after = attempts.last
            for destination, kind, event, code, times in attempts.counts:
                self._attempts.labels(destination, kind, event, code).inc(times)
            for destination, kind, seconds in attempts.waited:
                self._waited.labels(destination, kind).observe(seconds)
        return count_calls_in_flight(self._engine)

    def metrics(self, calls: dict[str, int]) -> Iterator[Metric]:
        """Yield the metrics as last read."""
        yield from self._attempts.collect()
        yield from self._waited.collect()
        in_flight = GaugeMetricFamily(
            "clinic_calls_in_flight", "Calls in flight, across all workers.", labels=["destination"]
        )
        for destination, count in ({CRM: 0} | calls).items():
            in_flight.add_metric([destination], count)
        yield in_flight
