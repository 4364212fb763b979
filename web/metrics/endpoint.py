"""The metrics: this process's counters and the state of the outbox, in Prometheus' text format.

They are served on a port of their own, which no visitor reaches, by threads of their own: they answer also while
the site's threads are all busy. They answer to their own names alone: else a page that an operator opens could read
them, by a name that leads to this machine (DNS rebinding).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product
from time import perf_counter
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from flask import Flask, Response, g, request
from prometheus_client import CollectorRegistry, Counter, Histogram, make_wsgi_app, start_http_server
from prometheus_client.core import CounterMetricFamily
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector

from api.doorbell import Doorbell
from api.engines import ENGINES
from api.page_failures import KINDS
from web.metrics.outbox import OutboxCollector
from web.proxies import host_name, is_public

# Seconds; storing an enquiry takes about 3 ms, a silent database takes seconds.
_BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)
# The status of what cannot be stored. Its series exist from the start: Prometheus sees an increase only in a series
# that it knows, and a single refused enquiry must raise the alert.
_FAILED = (500, 503)


class _Bells:
    """The doorbell's tally as two counters."""

    def __init__(self, doorbell: Doorbell) -> None:
        self._doorbell = doorbell

    def collect(self) -> Iterator[Metric]:
        tally = self._doorbell.tally
        bells = CounterMetricFamily("clinic_bells", "Bells rung for the workers, by result.", labels=["result"])
        bells.add_metric(["rung"], tally.rung)
        bells.add_metric(["failed"], tally.failed)
        yield bells


class Metrics:
    """The metrics of one application, in a registry of their own."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self._stored = Counter(
            "clinic_stored", "Enquiries and clicks stored, by result.", ["kind", "result"], registry=self.registry
        )
        self._limited = Counter(
            "clinic_limited",
            "Requests that were refused (429), or held for a reason.",
            ["kind", "result"],
            registry=self.registry,
        )
        self._page_failures = Counter(
            "clinic_page_failures",
            "Failures that pages reported, and forms that came without the script where it was expected.",
            ["kind", "engine"],
            registry=self.registry,
        )
        for kind, engine in product(KINDS, ENGINES):
            self._page_failures.labels(kind, engine)
        self._seconds = Histogram(
            "clinic_request_seconds",
            "Time to answer API requests.",
            ["endpoint", "status"],
            registry=self.registry,
            buckets=_BUCKETS,
        )

    def count_stored(self, kind: str, result: str) -> None:
        """Count a stored row; `api.context` passes this on to the resources."""
        self._stored.labels(kind, result).inc()

    def count_page_failure(self, kind: str, engine: str) -> None:
        """Count a failure on a page, by the words of `api.page_failures`."""
        self._page_failures.labels(kind, engine).inc()

    def count_limited(self, kind: str, result: str) -> None:
        """Count a request that the guard refused or held; `api.limits.guard` calls this."""
        self._limited.labels(kind, result).inc()

    def watch(self, app: Flask, doorbell: Doorbell, outbox: OutboxCollector, *more: Collector) -> None:
        """Time `app`'s requests, and collect from the doorbell, the outbox and `more`."""
        collectors: tuple[Collector, ...] = (_Bells(doorbell), outbox, *more)
        for collector in collectors:
            self.registry.register(collector)
        for rule in app.url_map.iter_rules():
            if "POST" in (rule.methods or ()):
                for status in _FAILED:
                    self._seconds.labels(rule.endpoint, status)
        app.before_request(_start_clock)
        app.after_request(self._observe)

    def serve(self, host: str, port: int) -> None:
        """Serve the metrics at `port` of `host`, from a thread of their own, for as long as the process lives.

        They answer to this machine's names and private ones.

        Raises:
            OSError: The port cannot be listened on.
        """
        server, _ = start_http_server(port, host, self.registry)
        server.set_app(_refuse_other_hosts(make_wsgi_app(self.registry), host.lower()))

    def _observe(self, response: Response) -> Response:
        started = g.get("started")
        if started is not None and request.endpoint is not None:
            self._seconds.labels(request.endpoint, response.status_code).observe(perf_counter() - started)
        return response


def _refuse_other_hosts(application: WSGIApplication, own: str) -> WSGIApplication:
    def answer(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        host = environ.get("HTTP_HOST", "")
        if is_public(host) and host_name(host) != own:
            start_response("421 Misdirected Request", [("Content-Type", "text/plain; charset=utf-8")])
            return [b"Metrics do not answer to a public name.\n"]
        return application(environ, start_response)

    return answer


def _start_clock() -> None:
    g.started = perf_counter()
