"""Metrics of the outbox: rows by state, the age of the oldest due row, the gate. Read at each scrape.

The metrics of attempts and calls are in `web/metrics/deliveries.py`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from prometheus_client.core import GaugeMetricFamily
from sqlalchemy.exc import SQLAlchemyError

from leads.crm_state.gate import read_gate
from leads.mail.acknowledgements import count_acknowledgements
from leads.outbox.stats import read_backlog
from web.metrics.deliveries import Deliveries

if TYPE_CHECKING:
    from collections.abc import Iterator

    from prometheus_client.metrics_core import Metric
    from sqlalchemy import Engine

    from leads.crm_state.gate import Gate
    from leads.mail.acknowledgements import Acknowledgements
    from leads.outbox.stats import Pile
    from web.metrics.deliveries import CallState
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
        outbox = self._read()
        up.add_metric([], 1 if outbox else 0)
        yield up
        if outbox:
            yield from _rows(outbox[0])
            yield from _gate(outbox[1])
            yield from _mails(outbox[2])
            yield from self._deliveries.metrics(outbox[3])

    def _read(self) -> tuple[list[Pile], Gate, Acknowledgements, CallState] | None:
        if not self._database.answers():  # a frozen server must not hold the scrape
            return None
        try:
            return (
                read_backlog(self._engine),
                read_gate(self._engine),
                count_acknowledgements(self._engine),
                self._deliveries.read(),
            )
        except SQLAlchemyError:
            return None


def _rows(piles: list[Pile]) -> Iterator[Metric]:
    rows = GaugeMetricFamily("clinic_rows", "Rows by kind and state.", labels=["kind", "state"])
    oldest = GaugeMetricFamily(
        "clinic_oldest_due_seconds",
        "How long the oldest due row has waited; page at 120 while the gate is open.",
        labels=["kind", "state"],
    )
    for pile in piles:
        rows.add_metric([pile.kind.value, pile.status], pile.rows)
        oldest.add_metric([pile.kind.value, pile.status], pile.oldest_due or 0.0)
    yield rows
    yield oldest


def _gate(gate: Gate) -> Iterator[Metric]:
    is_open = GaugeMetricFamily(
        "clinic_gate_open", "1 while calls to the CRM flow; otherwise 0, with the reason.", labels=["reason"]
    )
    is_open.add_metric([gate.reason or ""], 1 if gate.is_open else 0)
    yield is_open
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


def _mails(mails: Acknowledgements) -> Iterator[Metric]:
    counts = GaugeMetricFamily(
        "clinic_acknowledgements", "E-mails that acknowledge enquiries, by state.", labels=["state"]
    )
    for state in ("owed", "sent", "failed", "skipped"):
        counts.add_metric([state], getattr(mails, state))
    yield counts
    oldest = GaugeMetricFamily(
        "clinic_acknowledgement_oldest_due_seconds", "How long the oldest acknowledgement has been due."
    )
    oldest.add_metric([], mails.oldest_due or 0.0)
    yield oldest
