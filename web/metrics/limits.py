"""Metrics of the limits: the flood breaker, and where requests are counted. Refused and held ones: endpoint.py."""

from __future__ import annotations

from collections.abc import Iterator

from prometheus_client.core import GaugeMetricFamily
from prometheus_client.metrics_core import Metric

from api.limits.guard import Limits


class LimitsCollector:
    """Reads the state of the limits at each scrape."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits

    def describe(self) -> list[Metric]:
        """Return nothing: registering must not query the database."""
        return []

    def collect(self) -> Iterator[Metric]:
        """Yield the current metrics."""
        flood = GaugeMetricFamily(
            "clinic_flood", "1 while there are more enquiries or taps than usual, so that further ones are held."
        )
        flood.add_metric([], self._limits.is_flood)
        yield flood
        shared = GaugeMetricFamily(
            "clinic_limits_shared", "1: requests are counted in Redis; 0: by each process for itself."
        )
        shared.add_metric([], self._limits.counters.is_shared)
        yield shared
