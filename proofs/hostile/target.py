"""The running product under attack: its site, raw connections to it, and an honest visitor with a clock."""

from __future__ import annotations

import json
import resource
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

import psycopg

from dev.servers.state_files import free_port
from proofs.harness.case import require
from proofs.harness.person import Person
from proofs.harness.process import WebProcess
from proofs.harness.product import settings
from proofs.harness.servers import Servers
from proofs.harness.site import Site
from proofs.hostile.visitor import Visitor

PAGE = "<!doctype html><html><head><title>Home</title><!--settings--></head><body>Welcome</body></html>"
MAX_SECONDS = 0.5  # how long a visitor may wait meanwhile
BUSY_SECONDS = 10.0  # in the short set, which runs among the tests on busy machines
FILM_BYTES = 24 * 1024 * 1024
FILM = "/assets/film-1a2b.mp4"


class Target:
    """One site on a database of its own; further sites with other settings are started by `site`."""

    def __init__(self, servers: Servers, folder: Path, *, short: bool) -> None:
        self.servers, self.folder, self.short = servers, folder, short
        self._stack = ExitStack()
        self._people = 0
        self.database_url = servers.make_database()
        _write_pages(folder / "dist")
        _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
        self.main = self.site()
        self.port = self.main.process.port

    def close(self) -> None:
        """Stop every site."""
        self._stack.close()

    def site(self, environment: Mapping[str, str] | None = None, *, crowded: bool = True) -> Site:
        """Start a site with these settings; it runs until `close`."""
        given = settings(self.database_url, self.servers.valkey.url, "http://127.0.0.1:9")
        given = {"METRICS_PORT": ""} | given | dict(environment or {}) | {"FRONTEND_DIR": str(self.folder / "dist")}
        process = WebProcess(free_port(), given, self.folder / "web.log", crowded=crowded)
        site = Site(process)
        self._stack.callback(process.stop)
        self._stack.callback(site.close)
        if not site.wait_ready():
            raise RuntimeError(f"the site did not start: {process.text[-2000:]}")
        return site

    def lead(self, **changed: Any) -> bytes:
        """The body of an enquiry, of somebody new."""
        self._people += 1
        return json.dumps(Person(self._people).payload() | changed).encode()

    def post(self, body: bytes, *headers: bytes, content_type: bytes = b"application/json") -> bytes:
        """A whole request that posts `body`."""
        head = [
            b"POST /api/leads HTTP/1.1\r\nHost: clinic.test",
            b"Content-Type: " + content_type,
            b"Content-Length: %d" % len(body),
            *headers,
        ]
        return b"\r\n".join(head) + b"\r\n\r\n" + body

    def rows(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        """The rows of a query."""
        return self.rows_of(self.database_url, query, *values)

    @staticmethod
    def rows_of(database_url: str, query: str, *values: object) -> list[tuple[Any, ...]]:
        """The rows of a query in another database."""
        with psycopg.connect(database_url, autocommit=True) as connection:
            return connection.execute(query.encode(), values).fetchall()

    def count_stored(self, lead: bytes) -> int:
        """How many enquiries of this body's person are stored; others may still arrive from an earlier case."""
        return int(self.rows("SELECT count(*) FROM leads WHERE email = %s", json.loads(lead)["email"])[0][0])

    def visitor(self, site: Site | None = None) -> Visitor:
        """An honest visitor, who asks for a page and posts an enquiry again and again."""
        return Visitor((site or self.main).process.port, self.lead(), self.database_url)

    def require_served(self, visitor: Visitor) -> None:
        """Raise `Broken` unless each of the visitor's answers was right and came in time."""
        require(not visitor.wrong, f"{visitor.wrong} of {visitor.answers} answers to a visitor were wrong or late")
        allowed = BUSY_SECONDS if self.short else MAX_SECONDS
        require(visitor.worst <= allowed, f"{visitor.words}, {allowed:g} s are allowed")

    # Raw connections -----------------------------------------------------------------------------------------

    def ask(self, words: bytes, *, port: int = 0, half_close: bool = False, seconds: float = 20) -> bytes:
        """Send bytes, and return all that comes until the site closes, or is silent for a second after it spoke."""
        with socket.create_connection(("127.0.0.1", port or self.port), 20) as client:
            client.settimeout(seconds)
            received = b""
            with suppress(OSError):
                client.sendall(words)
                if half_close:
                    client.shutdown(socket.SHUT_WR)
                while piece := client.recv(65536):
                    received += piece
                    client.settimeout(1)
        return received


def closed_within(clients: Sequence[socket.socket], seconds: float) -> int:
    """How many of them the site has closed after at most so many seconds; what it wrote is read and dropped."""
    end = time.monotonic() + seconds
    left = list(clients)
    while left and time.monotonic() < end:
        left = [client for client in left if not _is_closed(client)]
        threading.Event().wait(0.2)
    return len(clients) - len(left)


@contextmanager
def flood(attack: Callable[[], object]) -> Iterator[list[object]]:
    """Attack again and again, as fast as one thread can; the list gets what each attack returned."""
    stopping = threading.Event()
    returned: list[object] = []

    def repeat() -> None:
        while not stopping.is_set():
            with suppress(OSError):
                returned.append(attack())

    thread = threading.Thread(target=repeat)
    thread.start()
    try:
        yield returned
    finally:
        stopping.set()
        thread.join()


def _is_closed(client: socket.socket) -> bool:
    client.settimeout(0)
    try:
        while client.recv(65536):
            pass
    except (BlockingIOError, ssl.SSLWantReadError):
        return False
    except OSError:
        pass
    return True


def _write_pages(dist: Path) -> None:
    (dist / "assets").mkdir(parents=True)
    for name in ("index.html", "404.html"):
        (dist / name).write_text(PAGE)
    (dist / "routes.json").write_text(json.dumps({"/": "index.html"}))
    (dist / FILM[1:]).write_bytes(bytes(FILM_BYTES))
