"""Metrics of the outbox: rows by state, the age of the oldest due row, the gate. Read at each scrape.

The metrics of attempts and calls are in `web/metrics/deliveries.py`.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

from prometheus_client.core import GaugeMetricFamily
from prometheus_client.metrics_core import Metric
from sqlalchemy import Engine
from sqlalchemy.exc import SQLAlchemyError

from leads.crm_state.gate import Gate, Reason
from leads.mail.owed import Messages
from leads.outbox.rows import Kind
from leads.outbox.stats import Pile
from leads.overview import Overview, read_overview
from leads.tables.delivery import STATUSES
from web.metrics.deliveries import CallState, Deliveries
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
            yield from _rows(overview.backlog)
            yield from _gate(overview.gate)
            yield from _health(overview)
            yield from _messages("acknowledgement", overview.mails, "E-mails that acknowledge enquiries")
            yield from _messages("staff_notice", overview.notices, "What staff are told of enquiries")
            yield from self._deliveries.metrics(calls)

    def _read(self) -> tuple[Overview, CallState] | None:
        if not self._database.answers():  # a frozen server must not hold the scrape
            return None
        try:
            return read_overview(self._engine), self._deliveries.read()
        except SQLAlchemyError:
            return None


def _rows(piles: list[Pile]) -> Iterator[Metric]:
    rows = GaugeMetricFamily("clinic_rows", "Rows by kind and state.", labels=["kind", "state"])
    oldest = GaugeMetricFamily(
        "clinic_oldest_due_seconds",
        "How long the oldest row has been due; each failure moves that time on.",
        labels=["kind", "state"],
    )
    # Every series is always there: an alert must not depend on whether one exists.
    found = {(pile.kind, pile.status): pile for pile in piles}
    for kind in Kind:
        for status in STATUSES:
            pile = found.get((kind, status))
            rows.add_metric([kind.value, status], pile.rows if pile else 0)
            oldest.add_metric([kind.value, status], (pile.oldest_due if pile else None) or 0.0)
    yield rows
    yield oldest


def _gate(gate: Gate) -> Iterator[Metric]:
    is_open = GaugeMetricFamily("clinic_gate_open", "1 while calls to the CRM are allowed, else 0.")
    is_open.add_metric([], 1 if gate.is_open else 0)
    yield is_open
    reasons = GaugeMetricFamily("clinic_gate_reason", "1 for the reason why calls have stopped.", labels=["reason"])
    for reason in Reason:
        reasons.add_metric([reason.value], 1 if not gate.is_open and gate.reason == reason else 0)
    yield reasons
    if gate.tick_age is not None:
        age = GaugeMetricFamily("clinic_tick_age_seconds", "Time since a worker last checked for due rows.")
        age.add_metric([], gate.tick_age)
        yield age
    if gate.credits_left is not None:
        credits_left = GaugeMetricFamily(
            "clinic_credits_left", "The day's API credits left, as reported by the CRM."
        )
        credits_left.add_metric([], gate.credits_left)
        yield credits_left


def _health(overview: Overview) -> Iterator[Metric]:
    """What alarms need: none of these is moved by a retry, or silent because calls have stopped."""
    now, health = datetime.now(UTC), overview.health
    oldest, failing = _age(now, health.oldest_waiting_at), _age(now, health.failing_since)
    for name, words, value in (
        ("oldest_undelivered_seconds", "How long the oldest row has waited for the CRM.", oldest),
        ("crm_failing_seconds", "How long the CRM has taken nothing that was tried.", failing),
        ("credentials_refused", "1 while the CRM refuses our credentials.", float(overview.refusal is not None)),
        (
            "crm_fields_missing",
            "Fields that the CRM lacks, by the last check.",
            float(len(overview.fields.missing)),
        ),
        ("erasures_open", "Erased rows that are still looked for in the CRM.", float(overview.erasures_open)),
    ):
        gauge = GaugeMetricFamily(f"clinic_{name}", words)
        gauge.add_metric([], value)
        yield gauge


def _age(now: datetime, at: datetime | None) -> float:
    return 0.0 if at is None else max(0.0, (now - at).total_seconds())


def _messages(name: str, messages: Messages, words: str) -> Iterator[Metric]:
    counts = GaugeMetricFamily(f"clinic_{name}s", f"{words}, by state.", labels=["state"])
    for state in ("owed", "sent", "failed", "skipped"):
        counts.add_metric([state], getattr(messages, state))
    yield counts
    oldest = GaugeMetricFamily(f"clinic_{name}_oldest_due_seconds", "How long the oldest of them has been due.")
    oldest.add_metric([], messages.oldest_due or 0.0)
    yield oldest
