"""What strangers send: raw bytes, and many connections at once; and an honest visitor beside them."""

import http.client
import json
import multiprocessing
import socket
import ssl
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import count
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from tests.process.product import pause
from tools.visitors import Person

HOST = b"Host: clinic.test\r\n"
FILM = "/assets/film-1a2b.mp4"  # no connection takes it at once
_spawn = multiprocessing.get_context("spawn")
_numbers = count()


def lead(**changed: Any) -> bytes:
    """The body of an enquiry, of somebody new."""
    return json.dumps(Person(next(_numbers)).payload() | changed).encode()


def post(body: bytes, *headers: bytes) -> bytes:
    """A whole request that posts `body`."""
    head = [b"POST /api/leads HTTP/1.1", HOST.strip(), b"Content-Type: application/json", *headers]
    return b"\r\n".join([*head, b"Content-Length: %d" % len(body)]) + b"\r\n\r\n" + body


def get(path: bytes, *headers: bytes) -> bytes:
    """A whole request for a path."""
    return b"\r\n".join([b"GET " + path + b" HTTP/1.1", HOST.strip(), *headers]) + b"\r\n\r\n"


def talk(port: int, words: bytes, *, half_close: bool = False) -> bytes:
    """Send bytes, and return all that comes until the site closes, or is silent for a second after it spoke."""
    with socket.create_connection(("127.0.0.1", port), 60) as client:
        received = b""
        with suppress(OSError):
            client.sendall(words)
            if half_close:
                client.shutdown(socket.SHUT_WR)
            while piece := client.recv(65536):
                received += piece
                client.settimeout(1)
    return received


def wait_closed(clients: Sequence[socket.socket], seconds: float) -> int:
    """How many are still open after so many seconds at most; what came is read and dropped."""
    end, left = time.monotonic() + seconds, list(clients)
    while left and time.monotonic() < end:
        left = [client for client in left if not _is_closed(client)]
        pause(0.2)
    return len(left)


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


@dataclass(slots=True)
class Visits:
    """What an honest visitor met: so many answers, the wrong ones, the longest wait in seconds."""

    answers: int = 0
    wrong: int = 0
    longest: float = 0.0


@contextmanager
def honest_visitor(port: int, *, posts: bool = True, certificate: Path | None = None) -> Iterator[Visits]:
    """Ask for a page and post an enquiry again and again while the block runs; afterwards `Visits` has the result.

    In a process of its own, so that the attack's work does not slow the visitor's clock. Without `posts` it only
    looks: the product's own limits are right to refuse one person who posts on and on.
    """
    ours, theirs = _spawn.Pipe()
    visits = Visits()
    words = (theirs, port, lead() if posts else None, certificate)
    process = _spawn.Process(target=_visit, args=words, daemon=True)
    process.start()
    try:
        assert ours.poll(60), "the visitor was not answered before the attack"
        ours.recv()
        yield visits
        ours.send("stop")
        assert ours.poll(90), "the visitor was not answered"
        visits.answers, visits.wrong, visits.longest = ours.recv()
    finally:
        process.kill()
        process.join()


def _visit(pipe: Connection, port: int, body: bytes | None, certificate: Path | None) -> None:
    """Visit until a word comes; the first round, before the attack, does not count."""
    tls = ssl.create_default_context(cafile=certificate) if certificate else None
    asked = [("GET", "/", None, {}, 200), ("GET", "/healthz", None, {}, 200)]
    if body is not None:
        asked.append(("POST", "/api/leads", body, {"Content-Type": "application/json"}, 201))
    answers, wrong, longest, is_warm = 0, 0, 0.0, False
    while not (is_warm and answers and pipe.poll(0.05)):
        for method, path, words, more, expected in asked:
            begun = time.monotonic()
            wrong_now = _ask(_connection(port, tls), method, path, words, more) != expected
            if is_warm:
                answers, wrong, longest = answers + 1, wrong + wrong_now, max(longest, time.monotonic() - begun)
        if not is_warm:
            pipe.send("ready")
            is_warm = True
    pipe.send((answers, wrong, longest))


def _connection(port: int, tls: ssl.SSLContext | None) -> http.client.HTTPConnection:
    """A new connection, which is not open yet; its name is the one that the certificate has."""
    if tls is None:
        return http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    return http.client.HTTPSConnection("localhost", port, timeout=60, context=tls)


def _ask(
    connection: http.client.HTTPConnection, method: str, path: str, body: bytes | None, headers: dict[str, str]
) -> int:
    """The status of an answer; 0: none came."""
    try:
        connection.request(method, path, body, headers)
        reply = connection.getresponse()
        reply.read()
    except (OSError, http.client.HTTPException):
        return 0
    finally:
        connection.close()
    return reply.status
