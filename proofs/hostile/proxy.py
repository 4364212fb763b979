"""Crowds at the proxy, over TLS and HTTP/2, from several addresses; the honest visitor comes through it too."""

from __future__ import annotations

import asyncio
import re
import socket
import ssl
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from itertools import count, cycle, islice

from dev.servers.nginx import HOST, PROGRAM, Nginx
from dev.servers.waiting import wait_until
from proofs.harness.case import NotHere, require
from proofs.hostile.case import case
from proofs.hostile.target import FILM, Target, closed_within, flood
from proofs.hostile.visitor import Visitor

ADDRESSES = [f"127.0.1.{number}" for number in range(1, 21)]  # of a small botnet; the visitor has another
STREAMS = 32  # as many as the proxy allows a connection
LET_GO_SECONDS = 16.0  # 15 s are promised; one more until the last look
HALF_HEAD = b"POST /api/leads HTTP/1.1\r\nHost: clinic.test\r\nX-Slow: "
HALF_BODY = (
    b"POST /api/leads HTTP/1.1\r\nHost: clinic.test\r\nContent-Type: application/json\r\n"
    b'Content-Length: 500\r\n\r\n{"name": "'
)
ASK_FILM = b"GET " + FILM.encode() + b" HTTP/1.1\r\nHost: clinic.test\r\n\r\n"
_FOLDERS = count()


@case(
    "proxy.silent",
    "through the proxy: 5,000 silent connections delay no visitor, and are closed within 15 s",
    short=False,
)
def silent(target: Target) -> str:
    """Not even a TLS handshake."""
    with _proxy(target) as proxy, ExitStack() as stack:
        clients = [stack.enter_context(_plain(proxy, source)) for source in islice(cycle(ADDRESSES), 5000)]
        return _let_go(target, clients, _visitor(target, proxy))


@case(
    "proxy.half-headers",
    "through the proxy: 500 half-sent headers delay no visitor, and are closed within 15 s",
    short=False,
)
def half_headers(target: Target) -> str:
    """An unfinished header, within TLS."""
    with _proxy(target) as proxy, _crowd(proxy, 500, HALF_HEAD) as clients:
        return _let_go(target, clients, _visitor(target, proxy))


@case(
    "proxy.half-bodies",
    "through the proxy: 500 half-sent bodies delay no visitor, and are closed within 15 s",
    short=False,
)
def half_bodies(target: Target) -> str:
    """A body of 500 bytes of which ten arrive, within TLS."""
    with _proxy(target) as proxy, _crowd(proxy, 500, HALF_BODY) as clients:
        return _let_go(target, clients, _visitor(target, proxy))


@case(
    "proxy.slow-readers",
    "through the proxy: 100 readers that read next to nothing of a film delay no visitor",
    short=False,
)
def slow_readers(target: Target) -> str:
    """A film of 24 MiB, of which nothing is read."""
    with _proxy(target) as proxy, _crowd(proxy, 100, ASK_FILM, receive_bytes=4096) as clients:
        return _outwait(target, clients, _visitor(target, proxy))


@case(
    "proxy.http2-streams",
    "through the proxy: HTTP/2 streams with unfinished bodies delay no visitor, and are closed",
    short=False,
)
def http2_streams(target: Target) -> str:
    """32 streams on each of 20 connections, of each a head and ten bytes of a body."""
    with _proxy(target) as proxy, _crowd(proxy, 20, _unfinished_streams(), protocol="h2") as clients:
        return _let_go(target, clients, _visitor(target, proxy), seconds=45)


@case(
    "proxy.crowd",
    "through the proxy: beside 1,500 connections that post without a pause, a visitor is refused nothing",
    short=False,
)
def crowd(target: Target) -> str:
    """Enquiries, a person's a connection, from 20 addresses."""
    statuses: Counter[int] = Counter()
    with _proxy(target) as proxy:
        posts = [target.post(target.lead()).replace(b"clinic.test", HOST.encode()) for _ in range(1500)]
        with _closed_loop(proxy, posts, statuses):
            require(wait_until(lambda: statuses.total() >= len(posts), 60), f"the crowd was answered: {statuses}")
            with _visitor(target, proxy) as visitor:
                threading.Event().wait(20)
    require(not visitor.wrong, f"{visitor.wrong} of {visitor.answers} answers were wrong; {visitor.words}")
    told = ", ".join(f"{times:,} answered {status}" for status, times in statuses.items())
    return f"the crowd: {told}; {visitor.words}"


@case(
    "proxy.everything-at-once",
    "through the proxy: everything at once delays no visitor, neither meanwhile nor afterwards",
)
def everything_at_once(target: Target) -> str:
    """Half bodies, silent connections, slow readers, HTTP/2 streams, and a flood of connections."""
    part = 10 if target.short else 1
    with _proxy(target) as proxy:
        with ExitStack() as stack:
            stack.enter_context(_crowd(proxy, 500 // part, HALF_BODY))
            stack.enter_context(_crowd(proxy, 100 // part, ASK_FILM, receive_bytes=4096))
            stack.enter_context(_crowd(proxy, 20 // part, _unfinished_streams(), protocol="h2"))
            for source in islice(cycle(ADDRESSES), 5000 // part):
                stack.enter_context(_plain(proxy, source))
            with _visitor(target, proxy) as visitor, flood(partial(_handshake, proxy, cycle(ADDRESSES))) as opened:
                threading.Event().wait(2 if target.short else 10)
        with _visitor(target, proxy) as afterwards:
            threading.Event().wait(1)
    target.require_served(visitor)
    target.require_served(afterwards)
    return f"{len(opened)} TLS connections beside; {visitor.words}; afterwards {afterwards.page:.2f} s for a page"


@case(
    "proxy.refusals",
    "through the proxy: whom a crowd of the same address shuts out is told when to retry and how else to reach us",
)
def refusals(target: Target) -> str:
    """400 half-sent posts of one address: a visitor with another address, and then one who shares it."""
    with _proxy(target) as proxy:
        with _crowd(proxy, 400, HALF_BODY, sources=ADDRESSES[:1]), _visitor(target, proxy) as neighbour:
            threading.Event().wait(2)
        target.require_served(neighbour)
        with _crowd(proxy, 400, HALF_BODY, sources=["127.0.0.1"]), _visitor(target, proxy) as sharing:
            threading.Event().wait(14)
    require(sharing.refused_seconds > 0, "nobody was refused")
    require(sharing.refused_seconds <= LET_GO_SECONDS, f"refused for {sharing.refused_seconds:.0f} s")
    require(not sharing.untold, f"{sharing.untold} refusals did not say what to do")
    return f"who shares it was refused for {sharing.refused_seconds:.0f} s, and told each time; {neighbour.words}"


@case("proxy.countries", "through the proxy: a stranger's country header never reaches the site")
def countries(target: Target) -> str:
    """The site believes the name that is set from its proxy."""
    with _proxy(target, COUNTRY_HEADER="CF-IPCountry") as proxy, proxy.connect() as client:
        head = f"GET /api/geo HTTP/1.1\r\nHost: {HOST}\r\nCF-IPCountry: FR\r\nConnection: close\r\n\r\n"
        client.sendall(head.encode())
        answer = b"".join(iter(lambda: client.recv(65536), b""))
    require(b'{"country_code":null}' in answer, f"it was believed: {answer[-60:]!r}")
    return "not believed"


@contextmanager
def _proxy(target: Target, **settings: str) -> Iterator[Nginx]:
    """A site that trusts one proxy, and that proxy."""
    if PROGRAM is None:
        raise NotHere("nginx is not installed (Debian, Ubuntu: apt install nginx-light)")
    site = target.site({"TRUSTED_PROXY_HOPS": "1"} | settings)
    with Nginx(target.folder / f"proxy-{next(_FOLDERS)}", site.process.port) as proxy:
        yield proxy
    site.process.stop()


@contextmanager
def _crowd(  # noqa: PLR0913 - keywords
    proxy: Nginx,
    number: int,
    words: bytes,
    *,
    receive_bytes: int = 0,
    protocol: str = "http/1.1",
    sources: Sequence[str] = ADDRESSES,
) -> Iterator[list[ssl.SSLSocket]]:
    """That many TLS connections from these addresses, each of which has sent `words` and is held open."""
    words = words.replace(b"clinic.test", HOST.encode())
    with ExitStack() as stack:
        clients = []
        for source in islice(cycle(sources), number):
            clients.append(proxy.connect(source, receive_bytes=receive_bytes, protocol=protocol))
            stack.enter_context(clients[-1])
            clients[-1].sendall(words)
        yield clients


@contextmanager
def _closed_loop(proxy: Nginx, requests: Sequence[bytes], statuses: Counter[int]) -> Iterator[None]:
    """A connection for each request, which sends it again once it is answered; counts the answers' statuses."""
    stopping, tls = threading.Event(), proxy.tls()

    async def repeat(request: bytes, source: str) -> None:
        while not stopping.is_set():
            with suppress(OSError, asyncio.IncompleteReadError):
                reader, writer = await asyncio.open_connection(
                    "127.0.0.1", proxy.https, ssl=tls, server_hostname=HOST, local_addr=(source, 0)
                )
                while not stopping.is_set():
                    writer.write(request)
                    head = await reader.readuntil(b"\r\n\r\n")
                    length = re.search(rb"content-length: (\d+)", head, re.IGNORECASE)
                    await reader.readexactly(int(length[1]) if length else 0)
                    statuses[int(head[9:12])] += 1
                writer.close()

    async def repeat_all() -> None:
        await asyncio.gather(*map(repeat, requests, cycle(ADDRESSES)))

    thread = threading.Thread(target=asyncio.run, args=[repeat_all()])
    thread.start()
    try:
        yield
    finally:
        stopping.set()
        thread.join()


def _let_go(
    target: Target, clients: Sequence[socket.socket], visitor: Visitor, seconds: float = LET_GO_SECONDS
) -> str:
    """Require that all are let go in time, and that the visitor is served meanwhile."""
    with visitor:
        begun = time.monotonic()
        closed = closed_within(clients, seconds)
        taken = time.monotonic() - begun
    left = len(clients) - closed
    require(not left, f"{left} of {len(clients)} were still held after {seconds:g} s")
    target.require_served(visitor)
    return f"{closed} let go within {taken:.0f} s; {visitor.words}"


def _outwait(target: Target, clients: Sequence[socket.socket], visitor: Visitor) -> str:
    """Require that readers who take nothing for 45 s are let go, and that the visitor is served meanwhile."""
    with visitor:
        threading.Event().wait(45)
    closed = closed_within(clients, 5)
    require(closed == len(clients), f"{len(clients) - closed} of {len(clients)} were still held after 50 s")
    target.require_served(visitor)
    return f"{closed} let go within 50 s; {visitor.words}"


def _plain(proxy: Nginx, source: str) -> socket.socket:
    return socket.create_connection(("127.0.0.1", proxy.https), 20, source_address=(source, 0))


def _visitor(target: Target, proxy: Nginx) -> Visitor:
    return Visitor(proxy.https, target.lead(), target.database_url, certificate=proxy.certificate)


def _handshake(proxy: Nginx, sources: Iterator[str]) -> None:
    """One TLS connection."""
    proxy.connect(next(sources)).close()


def _unfinished_streams() -> bytes:
    """HTTP/2 (RFC 9113): the preface, and streams that post the beginning of a body."""
    settings = _frame(0x4, 0, 0, b"")
    # HPACK (RFC 7541): indexed POST and https, then literals with the names :path, :authority and content-length.
    head = b"\x83\x87" + b"".join(
        name + bytes([len(value)]) + value
        for name, value in ((b"\x04", b"/api/leads"), (b"\x01", HOST.encode()), (b"\x0f\x0d", b"500"))
    )
    streams = range(1, 2 * STREAMS, 2)
    posts = b"".join(_frame(0x1, 0x4, stream, head) + _frame(0x0, 0, stream, b'{"name": "') for stream in streams)
    return b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + settings + posts


def _frame(kind: int, flags: int, stream: int, payload: bytes) -> bytes:
    return len(payload).to_bytes(3) + bytes([kind, flags]) + stream.to_bytes(4) + payload
