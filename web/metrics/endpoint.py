"""The metrics, in Prometheus' text format: what this process counts, and what it reads of the outbox.

They are served on a port of their own, which no visitor reaches, by threads of their own: they answer even while
all of the site's threads are busy.
"""

from collections.abc import Callable, Iterable
from itertools import product
from time import perf_counter
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from flask import Flask, Response, g, request
from prometheus_client import (
    CollectorRegistry,
    Counter,
    Histogram,
    Info,
    disable_created_metrics,
    make_wsgi_app,
    start_http_server,
)
from prometheus_client.registry import Collector

from api.resources.page_failures import KINDS
from api.user_agents import ENGINES
from leads.db import REVISION
from leads.version import read_version
from web.proxies import host_name, is_public

COUNTERS = {
    "stored": ("Enquiries and clicks stored, by result.", ("kind", "result")),
    "limited": ("Requests that were refused (429), or held for a reason.", ("kind", "result")),
    "page_failures": ("Failures that pages reported, and forms without the script.", ("kind", "engine")),
}
# Seconds; storing an enquiry takes about 3 ms, a silent database takes seconds.
_BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)
# The status of what cannot be stored. Its series exist from the start: Prometheus sees an increase only in a series
# that it knows, and a single refused enquiry must raise the alert.
_FAILED = (500, 503)


class Metrics:
    """The metrics of one application, in a registry of their own."""

    def __init__(self) -> None:
        disable_created_metrics()  # type: ignore[no-untyped-call] # a series more for each, which nothing reads
        self.registry = CollectorRegistry()
        Info("clinic_build", "What runs.", registry=self.registry).info(
            {"version": read_version(), "schema": REVISION}
        )
        self._counters = {
            name: Counter(f"clinic_{name}", words, labels, registry=self.registry)
            for name, (words, labels) in COUNTERS.items()
        }
        for kind, engine in product(KINDS, ENGINES):
            self._counters["page_failures"].labels(kind, engine)
        self._seconds = Histogram(
            "clinic_request_seconds",
            "Time to answer API requests.",
            ["endpoint", "status"],
            registry=self.registry,
            buckets=_BUCKETS,
        )

    def counter(self, name: str) -> Callable[[str, str], None]:
        """Return what counts one, by the two labels of a counter of `COUNTERS`."""
        return lambda first, second: self._counters[name].labels(first, second).inc()

    def watch(self, app: Flask, outbox: Collector) -> None:
        """Time `app`'s requests, and collect from the outbox."""
        self.registry.register(outbox)
        for rule in app.url_map.iter_rules():
            if "POST" in (rule.methods or ()):
                for status in _FAILED:
                    self._seconds.labels(rule.endpoint, status)
        app.before_request(_start_clock)
        app.after_request(self._observe)

    def serve(self, host: str, port: int) -> None:
        """Serve the metrics at `port` of `host` for as long as the process lives; OSError: it cannot listen there.

        They answer to this machine's names and private ones alone: else a page that an operator opens could read
        them, by a name that leads to this machine (DNS rebinding).
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
