"""`python -m worker.flower --port=5555`: Flower, with its own options. A login is required.

Reads FLOWER_BASIC_AUTH (user:password), a secret like others, and the product's settings.
Its health check stays open.
"""

import logging
import os
import sys

from flower import urls
from flower.views import monitor
from tornado.httputil import HTTPHeaders
from tornado.web import OutputTransform, authenticated

from leads.db import connect_engine
from leads.settings import SettingsError, read_settings, read_variable
from worker.app import app
from worker.flower.outbox import routes
from worker.flower.templates import PageLoader

# A page is a handful of short statements, and each view waits for its own.
CONNECTIONS = 4
# A task's destination and row, and what became of it: the result, or the exception of one that did not arrive.
TASK_COLUMNS = "name,args,received,state,result,exception,runtime"
# Kept in memory. Flower's own 100,000 grow for weeks; what became of a row stands in the outbox, not here.
MAX_TASKS = 5_000
HEADERS = {
    "X-Frame-Options": "DENY",
    "Content-Security-Policy": "frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
}


class Metrics(monitor.Metrics):
    """Flower's metrics, behind its login."""

    @authenticated
    async def get(self) -> None:
        """Write the metrics."""
        await super().get()


class SecurityHeaders(OutputTransform):
    """No page may frame Flower, and no cache keeps what it shows; its own files may be cached."""

    def transform_first_chunk(
        self,
        status_code: int,
        headers: HTTPHeaders,
        chunk: bytes,
        finishing: bool,  # noqa: FBT001 - Tornado's signature
    ) -> tuple[int, HTTPHeaders, bytes]:
        """Add the headers to those of the answer."""
        for name, value in HEADERS.items():
            if name not in headers:
                headers[name] = value
        headers.pop("Server", None)
        return super().transform_first_chunk(status_code, headers, chunk, finishing)


def start(arguments: list[str]) -> None:
    """Start Flower; returns when it ends."""
    os.environ["FLOWER_BASIC_AUTH"] = _login()
    try:
        settings = read_settings()
    except SettingsError as error:
        sys.exit(str(error))
    engine = connect_engine(settings.database_url, pool=CONNECTIONS, name="flower")
    logging.getLogger("flower.command").setLevel(logging.WARNING)  # else it lists Celery's own tasks, a line each
    pages = PageLoader(urls.settings["template_path"])
    urls.settings |= {"transforms": [SecurityHeaders], "template_loader": pages}
    urls.handlers[:0] = [(r"/metrics", Metrics), *routes(engine, settings)]
    # What an operator gives comes last, and counts.
    given = ["flower", f"--tasks_columns={TASK_COLUMNS}", f"--max_tasks={MAX_TASKS}", *arguments]
    try:
        app.start(given)
    except OSError as error:
        where = " ".join(each for each in arguments if each.startswith(("--address", "--port")))
        sys.exit(f"{where}: {error.strerror}; end what `ss -ltnp` shows there, or set FLOWER_PORT to another port")


def _login() -> str:
    try:
        login = read_variable("FLOWER_BASIC_AUTH", os.environ)
    except ValueError as error:
        sys.exit(f"FLOWER_BASIC_AUTH {error}")
    user, _, password = login.partition(":")
    if not user or not password:
        sys.exit("FLOWER_BASIC_AUTH must be user:password: Flower shows the queues to nobody without a login")
    return login


if __name__ == "__main__":
    start(sys.argv[1:])
