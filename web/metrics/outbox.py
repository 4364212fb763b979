"""Metrics of the outbox: rows by state, the age of the oldest due row, the gate. Read at each scrape.

The metrics of attempts and calls are in `web/metrics/deliveries.py`.
"""

from __future__ import annotations

from collections.abc import Iterator

from prometheus_client.core import GaugeMetricFamily
from prometheus_client.metrics_core import Metric
from sqlalchemy import Engine
from sqlalchemy.exc import SQLAlchemyError

from leads.outbox.gate import Reason
from leads.outbox.rows import Kind
from leads.overview import Overview, read_overview
from leads.tables.delivery import STATUSES
from leads.verdict import WATCHES, find_troubles
from web.metrics.deliveries import Deliveries
from web.probes import Probe


class OutboxCollector:
    """Reads the outbox at each scrape; while PostgreSQL is unavailable it reports only `clinic_database_up 0`."""

    def __init__(self, engine: Engine, database: Probe) -> None:
        self._engine = engine
        self._database = database
        self._deliveries = Deliveries(engine)

    def describe(self) -> list[Metric]:
        """Return nothing: registering must not query the database."""
        return []

    def collect(self) -> Iterator[Metric]:
        """Yield the current metrics."""
        up = GaugeMetricFamily("clinic_database_up", "Whether PostgreSQL answered this scrape.")
        found = self._read()
        up.add_metric([], 1 if found else 0)
        yield up
        if found:
            overview, calls = found
            yield from _rows(overview)
            yield from _gates(overview)
            yield from _health(overview)
            yield from self._deliveries.metrics(calls)
            yield _troubles(overview)

    def _read(self) -> tuple[Overview, dict[str, int]] | None:
        if not self._database.answers():  # a frozen server must not hold the scrape
            return None
        try:
            return read_overview(self._engine), self._deliveries.read()
        except SQLAlchemyError:
            return None


def _rows(overview: Overview) -> Iterator[Metric]:
    labels = ["destination", "kind", "state"]
    rows = GaugeMetricFamily("clinic_rows", "Rows by destination, kind and state.", labels=labels)
    # Every series is always there: an alert must not depend on whether one exists.
    found = {(pile.destination, pile.kind, pile.status): pile for pile in overview.backlog}
    for destination in overview.healths:
        for kind in Kind:
            for status in STATUSES:
                pile = found.get((destination, kind, status))
                rows.add_metric([destination, kind.value, status], pile.rows if pile else 0)
    yield rows


def _gates(overview: Overview) -> Iterator[Metric]:
    reasons = GaugeMetricFamily(
        "clinic_gate_reason", "1 for the reason why calls have stopped.", labels=["destination", "reason"]
    )
    for destination, gate in overview.gates.items():
        for reason in Reason:
            is_reason = not gate.is_open and gate.reason == reason
            reasons.add_metric([destination, reason.value], 1 if is_reason else 0)
    yield reasons
    gate = overview.gate
    if gate.tick_age is not None:
        age = GaugeMetricFamily("clinic_tick_age_seconds", "Time since a worker last checked for due rows.")
        age.add_metric([], gate.tick_age)
        yield age


def _health(overview: Overview) -> Iterator[Metric]:
    """The metrics behind alarms: a retry does not reset them, and they go on while calls are stopped."""
    oldest = GaugeMetricFamily(
        "clinic_oldest_undelivered_seconds", "How long the oldest row has waited.", labels=["destination"]
    )
    failing = GaugeMetricFamily("clinic_failing_seconds", "How long every try has failed.", labels=["destination"])
    for destination, health in overview.healths.items():
        oldest.add_metric([destination], overview.waited(destination))
        failing.add_metric([destination], overview.since(health.failing_since))
    yield oldest
    yield failing
    erasures = GaugeMetricFamily("clinic_erasures_open", "Erased rows that are still looked for in the CRM.")
    erasures.add_metric([], overview.erasures_open)
    yield erasures


def _troubles(overview: Overview) -> Metric:
    found = {trouble.watch.name for trouble in find_troubles(overview)}
    troubles = GaugeMetricFamily(
        "clinic_trouble", "1 for what is wrong, by the verdict that `status` and Flower show.", labels=["name"]
    )
    for watch in WATCHES:
        if watch.name != "redis":  # which the site's own metrics tell
            troubles.add_metric([watch.name], 1 if watch.name in found else 0)
    return troubles
