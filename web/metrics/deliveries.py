"""Metrics of deliveries: attempts by result, seconds from stored to delivered, calls in flight.

Counted from this process's first scrape on. The metrics of waiting rows are in `web/metrics/outbox.py`.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import NamedTuple

from prometheus_client import Counter, Histogram
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.metrics_core import Metric
from sqlalchemy import Engine

from leads.crm_state.concurrency import count_calls_in_flight
from leads.crm_state.token import TokenTable
from leads.outbox.stats import SETTLED_SECONDS, newest_attempt, read_attempts

# Seconds from stored to delivered: a second normally, days after an outage.
_BUCKETS = (0.5, 1, 2, 5, 10, 30, 60, 120, 300, 900, 3600, 14_400, 86_400, 259_200)


class CallState(NamedTuple):
    """Calls in flight across all workers, and seconds since a token was minted (None: never)."""

    in_flight: int
    token_age: float | None


class Deliveries:
    """Reads the log of attempts onwards from scrape to scrape."""

    def __init__(self, engine: Engine, *, settled_seconds: float = SETTLED_SECONDS) -> None:
        self._engine = engine
        self._settled = settled_seconds
        self._after: int | None = None
        self._one_scrape = threading.Lock()
        self._attempts = Counter(
            "clinic_attempts",
            "Recorded events of deliveries to the CRM, by event and the CRM's code; fenced: a late result that was "
            "not written; lease_lost: the worker died.",
            ["kind", "event", "code"],
            registry=None,
        )
        self._waited = Histogram(
            "clinic_accept_to_crm_seconds",
            "From stored to delivered.",
            ["kind"],
            registry=None,
            buckets=_BUCKETS,
        )

    def read(self) -> CallState:
        """Read new attempts; return the state of calls. SQLAlchemy's errors when the database is unavailable."""
        with self._one_scrape:
            if self._after is None:
                self._after = newest_attempt(self._engine)
            attempts = read_attempts(self._engine, self._after, settled_seconds=self._settled)
            self._after = attempts.last
            for kind, event, code, times in attempts.counts:
                self._attempts.labels(kind, event, code).inc(times)
            for kind, seconds in attempts.waited:
                self._waited.labels(kind).observe(seconds)
        return CallState(count_calls_in_flight(self._engine), TokenTable(self._engine).age())

    def metrics(self, calls: CallState) -> Iterator[Metric]:
        """Yield the metrics as last read."""
        yield from self._attempts.collect()
        yield from self._waited.collect()
        in_flight = GaugeMetricFamily("clinic_calls_in_flight", "Calls to the CRM in flight, across all workers.")
        in_flight.add_metric([], calls.in_flight)
        yield in_flight
        if calls.token_age is not None:
            age = GaugeMetricFamily("clinic_token_age_seconds", "Since a token was minted; a drop is a refresh.")
            age.add_metric([], calls.token_age)
            yield age
