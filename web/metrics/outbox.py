"""Metrics of the outbox, which each process of the site reads from the database at a scrape."""

import threading
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from prometheus_client import Counter, Histogram
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.metrics_core import Metric
from sqlalchemy import Engine
from sqlalchemy.exc import SQLAlchemyError

from leads.lifecycle import Reason
from leads.outbox.stats import SETTLED_SECONDS, newest_attempt, read_attempts
from leads.overview import Overview, read_overview, without_database
from leads.tables import STATUSES, Kind
from leads.verdict import WATCHES, find_troubles

Reading = Callable[[Overview], Iterable[tuple[tuple[str, ...], float]]]  # the values of its labels, and its own
# Seconds from stored to delivered: a second normally, days after an outage.
_BUCKETS = (0.5, 1, 2, 5, 10, 30, 60, 120, 300, 900, 3600, 14_400, 86_400, 259_200)


def _rows(overview: Overview) -> Iterator[tuple[tuple[str, ...], float]]:
    found = {(group.destination, group.kind, group.status): group.rows for group in overview.backlog}
    for destination in overview.destinations:
        for kind in Kind:
            for status in STATUSES:
                yield (destination, kind.value, status), found.get((destination, kind, status), 0)


def _pauses(overview: Overview) -> Iterator[tuple[tuple[str, ...], float]]:
    for name, each in overview.destinations.items():
        for reason in Reason:
            yield (name, reason.value), each.reason is reason


def _troubles(overview: Overview) -> Iterator[tuple[tuple[str, ...], float]]:
    """Each watch, and what is wrong by destination, of which the worst comes first."""
    levels: dict[tuple[str, ...], float] = {}
    for each in find_troubles(overview):
        levels.setdefault((each.name, each.destination), 2 if each.is_red else 1)
    yield from (dict.fromkeys(((watch.name, "") for watch in WATCHES), 0) | levels).items()


# What is known without PostgreSQL too.
HOST: tuple[tuple[str, str, tuple[str, ...], Reading], ...] = (
    ("trouble", "The verdict of `status` and Flower: 2 red, 1 amber.", ("name", "destination"), _troubles),
    ("disk_free_bytes", "Free bytes of each disk with data.", ("folder",),
     lambda overview: (((folder,), free) for folder, free in overview.free_bytes.items())),
)  # fmt: skip
# Every series is always there: an alert must not depend on whether one exists.
GAUGES: tuple[tuple[str, str, tuple[str, ...], Reading], ...] = (
    ("rows", "Rows by destination, kind and state.", ("destination", "kind", "state"), _rows),
    ("oldest_undelivered_seconds", "How long the oldest row has waited.", ("destination",),
     lambda overview: (((name,), overview.waited(name)) for name in overview.destinations)),
    ("paused", "1 for the reason why calls are paused.", ("destination", "reason"), _pauses),
    ("worker_age_seconds", "Time since a worker last looked for due rows.", (),
     lambda overview: [] if overview.worker_age is None else [((), overview.worker_age)]),
)  # fmt: skip


class OutboxCollector:
    """Reads the outbox at each scrape; while PostgreSQL is away it reports `clinic_database_up 0` and HOST."""

    def __init__(
        self,
        engine: Engine,
        data_dir: Path,
        redis_error: Callable[[], str | None],
        *,
        settled_seconds: float = SETTLED_SECONDS,
    ) -> None:
        """Prepare. `settled_seconds`: younger attempts are left to the next scrape: earlier ones may yet come."""
        self._engine, self._data_dir, self._settled = engine, data_dir, settled_seconds
        self._redis_error = redis_error
        self._after: int | None = None
        self._one_scrape = threading.Lock()
        labels = ("destination", "kind")
        self._attempts = Counter(
            "clinic_attempts", "Recorded events of deliveries.", (*labels, "event", "code"), registry=None
        )
        self._waited = Histogram(
            "clinic_accept_to_delivered_seconds",
            "From stored to delivered.",
            labels,
            registry=None,
            buckets=_BUCKETS,
        )

    def describe(self) -> list[Metric]:
        """Return nothing: registering must not query the database."""
        return []

    def collect(self) -> Iterator[Metric]:
        """Yield the current metrics."""
        overview = self._read()
        told = "Whether PostgreSQL answered this scrape."
        yield GaugeMetricFamily("clinic_database_up", told, overview.is_read)
        for name, words, labels, reading in (*HOST, *GAUGES) if overview.is_read else HOST:
            gauge = GaugeMetricFamily(f"clinic_{name}", words, labels=labels)
            for values, value in reading(overview):
                gauge.add_metric(values, value)
            yield gauge
        if overview.is_read:
            yield from self._attempts.collect()
            yield from self._waited.collect()

    def _read(self) -> Overview:
        redis_error = self._redis_error()
        try:
            with self._one_scrape:
                self._read_attempts()
        except SQLAlchemyError as error:
            return without_database(error, self._data_dir, redis_error)
        return read_overview(self._engine, self._data_dir, redis_error)

    def _read_attempts(self) -> None:
        """Read the log of attempts on from the last scrape, at the first one from its end."""
        if self._after is None:
            self._after = newest_attempt(self._engine)
        attempts = read_attempts(self._engine, self._after, settled_seconds=self._settled)
        self._after = attempts.last
        for destination, kind, event, code, times in attempts.counts:
            self._attempts.labels(destination, kind, event, code).inc(times)
        for destination, kind, seconds in attempts.waited:
            self._waited.labels(destination, kind).observe(seconds)
