"""`create_app`: the one WSGI application of the site and its API."""

from collections.abc import Callable, Container
from functools import partial
from typing import Any, cast

from flask import Flask
from werkzeug.middleware.proxy_fix import ProxyFix

from api.app import init_api
from api.call import CallDesk
from api.context import ApiContext
from api.limits.guard import Guard
from api.limits.rules import LIMITS, Limits
from api.limits.start_token import StartTokens
from api.publisher import Publisher
from leads.broker import broker_error
from leads.clinic import read_clinic
from leads.db import connect_engine
from leads.logs import configure_logs
from leads.outbox.store import record_leads
from leads.settings import Settings, read_settings
from web.headers import add_headers, security_headers
from web.metrics.endpoint import Metrics
from web.metrics.outbox import OutboxCollector
from web.pages import Pages
from web.plain import PlainPages
from web.probes import make_probes
from web.proxies import warn_of_proxies
from web.server.batches import Batches
from web.server.loop_connection import LoopConnection
from web.traces import trace_requests

# How many seconds a visitor's request waits for PostgreSQL's answer. It tries twice, so a frozen server delays a
# visitor, and occupies a thread, for about five seconds.
ANSWER_SECONDS = 2.5
CONNECTIONS = 16  # of the threads that answer the API
REDIS_SECONDS = 0.3  # for its answer to a probe, or to a look at the metrics

_CLOSERS, _METRICS, _PAGES = "closers", "metrics", "pages"


def create_app(settings: Settings | None = None, limits: Limits = LIMITS) -> Flask:
    """Create the application, with settings from the environment unless given. It opens no connection yet."""
    settings = settings or read_settings()
    configure_logs(settings.log_format)
    app = _Synchronous(__name__, static_folder=None)
    connect = partial(connect_engine, settings.database_url, answer_seconds=ANSWER_SECONDS)
    engine = connect(pool=CONNECTIONS, name="web")
    # Enquiries on the event loop have a connection of their own, one batch at a time.
    storing = connect(pool=1, name="web", connection=LoopConnection)
    # Monitoring has connections of its own: neither it nor visitors queue behind the other.
    monitoring = connect(pool=2, name="web-watch")
    publisher = Publisher(settings.redis_url)
    metrics = Metrics()
    tokens = StartTokens(settings.derive_key("start token"), limits.start_seconds)
    clinic = read_clinic(settings.frontend_dir)
    context = ApiContext(
        engine,
        Batches(partial(record_leads, storing), partial(record_leads, engine)).run,
        publisher,
        Guard(tokens, settings.derive_key("limits"), metrics.counter("limited"), limits),
        metrics.counter("stored"),
        metrics.counter("page_failures"),
        lead_destinations=settings.lead_destinations,
        # Without a proxy, anybody could send this header.
        country_header=settings.country_header if settings.trusted_proxy_hops else "",
        desk=CallDesk(clinic.hours, settings.clinic_phone),
        treatments=clinic.treatments,
    )
    init_api(app, context, clinic_phone=settings.clinic_phone, docs=settings.environment != "production")
    ask_redis = partial(broker_error, settings.redis_url, seconds=REDIS_SECONDS)
    metrics.watch(app, OutboxCollector(monitoring, settings.data_dir, ask_redis))
    app.register_blueprint(make_probes(monitoring, ask_redis))
    app.extensions[_METRICS] = metrics
    engines = (engine, storing, monitoring)
    app.extensions[_CLOSERS] = (publisher.close, *(each.dispose for each in engines))
    _install_site(app, settings, context.desk.say_now)
    return app


class _Synchronous(Flask):
    """No view is asynchronous: to ask eight times a request is 2 % of an enquiry."""

    def ensure_sync(self, func: Callable[..., Any]) -> Callable[..., Any]:
        """Return it as it is."""
        return func


def close_app(app: Flask) -> None:
    """Close the application's connections and its publisher, for processes that create several applications."""
    for close in app.extensions[_CLOSERS]:
        close()


def get_metrics(app: Flask) -> Metrics:
    """Return the application's metrics."""
    return cast("Metrics", app.extensions[_METRICS])


def get_fixed_pages(app: Flask) -> Container[str]:
    """Return the addresses of the pages that are the same for everybody."""
    return cast("Pages", app.extensions[_PAGES]).fixed


def _install_site(app: Flask, settings: Settings, say_call: Callable[[], str]) -> None:
    application: Any = app.wsgi_app
    if settings.trusted_proxy_hops:
        hops = settings.trusted_proxy_hops
        application = ProxyFix(application, x_for=hops, x_proto=hops)
    else:
        application = warn_of_proxies(application)
    # Pages log nothing, so that only Flask's answers have a trace.
    application = trace_requests(application, trusted=settings.trusted_proxy_hops > 0)
    pages = Pages(settings, application, say_call)
    app.extensions[_PAGES] = pages
    PlainPages(pages.texts).install(app)
    headers = security_headers(settings)
    app.wsgi_app = add_headers(pages, headers)  # type: ignore[method-assign, assignment] # Flask's documented way
