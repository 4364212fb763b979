"""Slow, half-open and too many connections: the honest visitor beside them, and how soon they are closed."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from functools import partial

from proofs.harness.case import require
from proofs.hostile.case import case
from proofs.hostile.target import FILM, Target, closed_loop, closed_within, flood
from proofs.hostile.visitor import Visitor

SLOW_SHARE, BUSY_SHARE = 0.01, 0.5  # of a visitor's enquiries that may take over a second; in the short set
LET_GO_SECONDS = 16.0  # 15 s are promised; one more until the last look
HALF_HEAD = b"POST /api/leads HTTP/1.1\r\nHost: clinic.test\r\nX-Slow: "
HALF_BODY = (
    b"POST /api/leads HTTP/1.1\r\nHost: clinic.test\r\nContent-Type: application/json\r\n"
    b'Content-Length: 500\r\n\r\n{"name": "'
)
CHUNKED = (
    b"POST /api/leads HTTP/1.1\r\nHost: clinic.test\r\nContent-Type: application/json\r\n"
    b"Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n"
)
PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes.fromhex("000000040000000000")
ASK_FILM = b"GET " + FILM.encode() + b" HTTP/1.1\r\nHost: clinic.test\r\n\r\n"


@case("connections.nobody", "the baseline: how long the same visitor waits without an attack", short=False)
def nobody(target: Target) -> str:
    """For comparison with the others."""
    with target.visitor() as visitor:
        threading.Event().wait(10)
    target.require_served(visitor)
    return visitor.words


@case(
    "connections.silent",
    "5,000 silent connections delay no visitor, and are closed within 15 s",
    short=False,
)
def silent(target: Target) -> str:
    """Connections without a byte."""
    return _hold(target, 5000, b"")


@case("connections.half-headers", "500 half-sent headers delay no visitor, and are closed within 15 s")
def half_headers(target: Target) -> str:
    """A request line and an unfinished header."""
    return _hold(target, 100 if target.short else 500, HALF_HEAD)


@case("connections.half-bodies", "500 half-sent bodies delay no visitor, and are closed within 15 s")
def half_bodies(target: Target) -> str:
    """A body of 500 bytes of which ten arrive."""
    return _hold(target, 100 if target.short else 500, HALF_BODY)


@case(
    "connections.dripping",
    "headers and bodies that drip a byte a second are cut off within 15 s, and so are endless chunks",
    short=False,
)
def dripping(target: Target) -> str:
    """Each second one more byte, or chunk, on 30 connections of each kind."""
    with ExitStack() as stack:
        kinds = ((HALF_HEAD, b"x"), (HALF_BODY, b"x"), (CHUNKED, b"1\r\nx\r\n"), (b"", b"\r\n"))
        crowds = [(stack.enter_context(target.crowd(30, words)), drop) for words, drop in kinds]
        begun = time.monotonic()
        with target.visitor() as visitor:
            while time.monotonic() - begun < LET_GO_SECONDS - 1:
                for clients, drop in crowds:
                    for client in clients:
                        with suppress(OSError):
                            client.sendall(drop)
                threading.Event().wait(1)
        everybody = [client for clients, _ in crowds for client in clients]
        closed = closed_within(everybody, begun + LET_GO_SECONDS - time.monotonic())
    require(closed == len(everybody), f"{len(everybody) - closed} of {len(everybody)} were still held")
    target.require_served(visitor)
    return f"{closed} let go; {visitor.words}"


@case(
    "connections.slow-readers",
    "100 readers that read next to nothing of a film delay no visitor, and are disconnected",
    short=False,
)
def slow_readers(target: Target) -> str:
    """A film of 24 MiB, of which nothing is read."""
    with _film_readers(target) as clients:
        return outwait(target, clients, target.visitor())


@case("connections.http2", "HTTP/2 in plain text is refused: 33 streams with unfinished bodies tie nothing up")
def http2(target: Target) -> str:
    """The preface, its upgrade, and a flood of prefaces."""
    upgrade = b"GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n"
    answer = target.ask(upgrade + b"HTTP2-Settings: AAMAAABkAARAAAAA\r\n\r\n")
    require(answer.startswith(b"HTTP/1.1 200 "), f"an upgrade to h2c was answered {answer[:40]!r}")
    answer = target.ask(PREFACE)
    require(answer.startswith(b"HTTP/1.1 400 "), f"the preface was answered {answer[:40]!r}")
    with target.visitor() as visitor, flood(partial(_preface, target)) as sent:
        threading.Event().wait(2 if target.short else 10)
    target.require_served(visitor)
    return f"{len(sent)} prefaces refused; {visitor.words}"


@case(
    "connections.everything-at-once",
    "everything at once delays no visitor, neither meanwhile nor afterwards",
    short=False,
)
def everything_at_once(target: Target) -> str:
    """500 half bodies, 5,000 silent connections, 100 slow readers and a flood of HTTP/2 prefaces."""
    with ExitStack() as stack:
        stack.enter_context(target.crowd(500, HALF_BODY))
        stack.enter_context(target.crowd(5000))
        stack.enter_context(_film_readers(target))
        with target.visitor() as visitor, flood(partial(_preface, target)) as sent:
            threading.Event().wait(10)
    with target.visitor() as afterwards:
        threading.Event().wait(1)
    target.require_served(visitor)
    target.require_served(afterwards)
    return f"{len(sent)} prefaces beside; {visitor.words}; afterwards {afterwards.page:.2f} s for a page"


@case(
    "connections.more-than-it-may-hold",
    "with more connections than the process may open files, a new visitor still gets in",
)
def more_than_it_may_hold(target: Target) -> str:
    """800 silent connections to a site that may have 500 files."""
    site = target.site(files=500)
    with target.crowd(800, port=site.process.port), target.visitor(site) as visitor:
        threading.Event().wait(2)
    target.require_served(visitor)
    return visitor.words


@case(
    "connections.closed-loop",
    "beside 1,500 connections that post as soon as they are answered, 99 of 100 enquiries take a second at most",
)
def closed_loop_of_posts(target: Target) -> str:
    """Enquiries, a person's a connection; the visitor has the same address, and a new connection each time."""
    requests = [target.post(target.lead()) for _ in range(1500)]
    with closed_loop(target.port, requests) as statuses, target.visitor() as visitor:
        threading.Event().wait(3 if target.short else 20)
    refused = visitor.wrong
    require(not refused, f"{refused} of {visitor.answers} answers to a visitor were wrong")
    slow = BUSY_SHARE if target.short else SLOW_SHARE
    require(visitor.slow <= visitor.enquiries * slow, f"{visitor.slow} of {visitor.enquiries} enquiries were slow")
    crowd = ", ".join(f"{times:,} answered {status.decode() or 'nothing'}" for status, times in statuses.items())
    return (
        f"the crowd: {crowd}; {visitor.slow} of {visitor.enquiries} enquiries took over a second; {visitor.words}"
    )


@contextmanager
def _film_readers(target: Target) -> Iterator[list[socket.socket]]:
    """100 readers to whom the film is on its way, and who take no more of it."""
    with target.crowd(100, ASK_FILM, receive_bytes=4096) as clients:
        for client in clients:
            begin = client.recv(15, socket.MSG_PEEK)
            require(begin == b"HTTP/1.1 200 OK", f"the film was answered {begin!r}")
        yield clients


def _hold(target: Target, count: int, words: bytes) -> str:
    with target.crowd(count, words) as clients:
        return let_go(target, clients, target.visitor())


def let_go(
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


def outwait(target: Target, clients: Sequence[socket.socket], visitor: Visitor) -> str:
    """Require that readers who take nothing for 45 s are let go, and that the visitor is served meanwhile."""
    with visitor:
        threading.Event().wait(45)
    closed = closed_within(clients, 5)
    require(closed == len(clients), f"{len(clients) - closed} of {len(clients)} were still held after 50 s")
    target.require_served(visitor)
    return f"{closed} let go within 50 s; {visitor.words}"


def _preface(target: Target) -> int:
    """One connection that speaks HTTP/2; returns the length of the answer."""
    with socket.create_connection(("127.0.0.1", target.port), timeout=5) as client:
        client.sendall(PREFACE + PREFACE)
        return len(client.recv(65536))
