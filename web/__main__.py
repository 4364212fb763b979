"""`python -m web` serves the site and its API, and the metrics on a port of their own."""

import gc
import json
import logging
import re
import resource
import signal
import socket
import sys
from collections.abc import Iterator
from contextlib import suppress

import uvicorn
from flask import Flask

from api.limits.rules import LIMITS, Limits
from leads.error_reports import report_errors
from leads.settings import PLACEHOLDER_WHATSAPP, Settings, SettingsError, read_settings
from web.app import close_app, create_app, get_fixed_pages, get_metrics
from web.pages import GO_LIVE, keep_files, needs_thread
from web.server.front import Front

log = logging.getLogger(__name__)

# Required in production: every page shows these numbers.
NEEDED = ("CLINIC_PHONE", "WHATSAPP_NUMBER")
# More than there are connections to PostgreSQL: requests that get none still have a thread that refuses them.
THREADS = 48
BACKLOG = 2048
# The loop accepts one connection a round from each socket; on one socket a visitor would wait behind a crowd.
ACCEPTED_AT_ONCE = 16


def main(limits: Limits = LIMITS) -> int:
    """Serve until told to stop; returns the exit code."""
    try:
        settings = read_settings(check=unready)
        report_errors(settings)
        app = create_app(settings, limits)
        if settings.kept_files_dir:
            keep_files(settings.frontend_dir, settings.kept_files_dir)
        front = Front(app, needs_thread, THREADS, get_fixed_pages(app))
        if settings.metrics_port:
            _serve_metrics(app, settings)
        # What is loaded by now stays: the collector need not look at it again, which would pause enquiries.
        gc.collect()
        gc.freeze()
        serve(front, settings.host, settings.port)
        front.stop()
        close_app(app)
        log.info("the site has stopped")
    except (SettingsError, OSError) as error:
        sys.stderr.write(f"{error}\n")
        return 1
    return 0


def unready(settings: Settings) -> Iterator[str]:
    """Yield what keeps a site from starting in production: placeholder numbers, and what its build still lacks.

    The build wrote down the latter in lines, each with the file and the field to fill in.
    """
    if settings.environment != "production":
        return
    for name, number in zip(NEEDED, (settings.clinic_phone, settings.whatsapp_number), strict=True):
        if re.sub("[^0-9]", "", number) == PLACEHOLDER_WHATSAPP:
            yield f"{name} is required: the pages show a placeholder"
    file = settings.frontend_dir / GO_LIVE
    yield from json.loads(file.read_text("utf-8")) if file.is_file() else [f"{file} is missing: build the pages"]


def _serve_metrics(app: Flask, settings: Settings) -> None:
    """Serve the metrics; visitors must not lose the site to another program that has the port."""
    try:
        get_metrics(app).serve(settings.metrics_host, settings.metrics_port)
    except OSError as error:
        log.warning("no metrics are served: %s", _port_words("METRICS_PORT", settings.metrics_port, error))


def serve(front: Front, host: str, port: int) -> None:
    """Answer requests until SIGTERM or SIGINT; OSError, with what to do: the port cannot be listened on."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # uvicorn stops on it, then raises it again
    logging.getLogger("uvicorn").setLevel(logging.ERROR)  # strangers' broken requests need no line
    _, files = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (files, files))
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        listener = socket.create_server((host, port), family=family, backlog=BACKLOG)
    except OSError as error:
        raise OSError(_port_words("PORT", port, error)) from error
    config = uvicorn.Config(
        front,
        ws="none",
        lifespan="off",
        log_config=None,
        access_log=False,
        proxy_headers=False,  # ours are read by the application
        server_header=False,
        limit_concurrency=4000,  # the proxy sends no more than 1,900 requests at once
        backlog=BACKLOG,
        timeout_keep_alive=75,  # the proxy keeps its connections for 60 s
        timeout_graceful_shutdown=10,
    )
    with suppress(KeyboardInterrupt):
        uvicorn.Server(config).run([listener, *(listener.dup() for _ in range(ACCEPTED_AT_ONCE - 1))])


def _port_words(name: str, port: int, error: OSError) -> str:
    return f"port {port}: {error.strerror}; end what `ss -ltnp` shows there, or set {name} to another port"


if __name__ == "__main__":
    sys.exit(main())
