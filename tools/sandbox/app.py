"""The web application: the routes to the handlers, and the server around them."""

from pathlib import Path
from typing import Final

from tornado.httpserver import HTTPServer
from tornado.netutil import bind_sockets
from tornado.web import Application, RedirectHandler, StaticFileHandler

from tools.sandbox import control
from tools.sandbox.state import Sandbox
from tools.sandbox.wire import ZohoHandler

BODY_LIMIT: Final = 64 * 1024 * 1024


def application(sandbox: Sandbox) -> Application:
    """Return the application for one sandbox."""
    own = {"sandbox": sandbox}
    page: dict[str, Path | str] = {"path": str(control.PAGE), "default_filename": "index.html"}
    return Application(
        [
            (r"/oauth/v2/token", ZohoHandler, own),
            (r"/crm/tab/Leads/(\d{1,18})", RedirectHandler, {"url": "/#record-{0}", "permanent": False}),
            (r"/crm/.*", ZohoHandler, own),
            (r"/_sandbox/(health|records|calls|mails|summary)", control.ReadHandler, own),
            (r"/_sandbox/records/(\d{1,18})/([a-z]+)", control.RecordHandler, own),
            (r"/_sandbox/faults(?:/(catalog))?", control.FaultsHandler, own),
            (r"/_sandbox/reset", control.ResetHandler, own),
            (r"/_sandbox/page/(.*)", StaticFileHandler, page),
            (r"/()", StaticFileHandler, page),
        ],
        log_function=lambda _: None,
    )


def listen(sandbox: Sandbox, host: str, port: int) -> tuple[HTTPServer, int]:
    """Open the port (0: any free one); return the server and its port."""
    sockets = bind_sockets(port, host)
    server = HTTPServer(application(sandbox), max_buffer_size=BODY_LIMIT, max_body_size=BODY_LIMIT)
    server.add_sockets(sockets)
    return server, int(sockets[0].getsockname()[1])
