"""Crowds at the shipped proxy, over TLS and HTTP/2, from several addresses; an honest visitor comes through it."""

import asyncio
import re
import threading
from collections import Counter
from contextlib import ExitStack, contextmanager, suppress
from itertools import cycle, islice
from socket import create_connection

import pytest

from tests.process.product import pause
from tests.process.strangers import FILM, honest_visitor, lead, post, wait_closed
from tests.support.processes import wait_for
from tools.servers.nginx import HOST, PROGRAM, Nginx

pytestmark = [
    pytest.mark.process,
    pytest.mark.timeout(900),
    pytest.mark.skipif(PROGRAM is None, reason="nginx is not installed (Debian, Ubuntu: apt install nginx-light)"),
]

ADDRESSES = [f"127.0.1.{number}" for number in range(1, 21)]  # of a small botnet; the visitor has another
STREAMS = 32  # as many as the proxy allows a connection
POST = f"POST /api/leads HTTP/1.1\r\nHost: {HOST}\r\n".encode()
HALF_HEAD = POST + b"X-Slow: "
HALF_BODY = POST + b'Content-Type: application/json\r\nContent-Length: 500\r\n\r\n{"name": "'
ASK_FILM = f"GET {FILM} HTTP/1.1\r\nHost: {HOST}\r\n\r\n".encode()


def frame(kind, flags, stream, payload):
    return len(payload).to_bytes(3) + bytes([kind, flags]) + stream.to_bytes(4) + payload


def unfinished_streams():
    """HTTP/2 (RFC 9113): the preface, and streams that post the beginning of a body."""
    # HPACK (RFC 7541): indexed POST and https, then literals with the names :path, :authority and content-length.
    names = ((b"\x04", b"/api/leads"), (b"\x01", HOST.encode()), (b"\x0f\x0d", b"500"))
    head = b"\x83\x87" + b"".join(name + bytes([len(value)]) + value for name, value in names)
    streams = range(1, 2 * STREAMS, 2)
    posts = b"".join(frame(0x1, 0x4, stream, head) + frame(0x0, 0, stream, b'{"name": "') for stream in streams)
    return b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + frame(0x4, 0, 0, b"") + posts


# Of each kind: how many connections, what they send within TLS, how they connect; and within how many seconds all
# are closed: 15 are promised, and one more until the last look.
SILENT = (5000, None, {}, 16)
READERS = (100, ASK_FILM, {"receive_bytes": 4096}, 50)
BODIES = (500, HALF_BODY, {}, 16)
HTTP2 = (20, unfinished_streams(), {"protocol": "h2"}, 45)
CROWDS = {
    "silent": SILENT,
    "half-headers": (500, HALF_HEAD, {}, 16),
    "half-bodies": BODIES,
    "slow-readers": READERS,
    "http2-streams": HTTP2,
}


@pytest.fixture
def proxy(start_site, tmp_path):
    """The proxy of deploy/proxy, before a site that trusts it."""
    with Nginx(tmp_path / "proxy", start_site(TRUSTED_PROXY_HOPS="1").port) as nginx:
        yield nginx


@pytest.fixture
def visitor(proxy):
    return lambda: honest_visitor(proxy.https, certificate=proxy.certificate)


@contextmanager
def crowd(proxy, number, words, connected):
    """That many connections from the addresses, each of which has sent `words` and is held open."""
    with ExitStack() as stack:
        clients = []
        for source in islice(cycle(ADDRESSES), number):
            if words is None:  # not even a TLS handshake
                client = create_connection(("127.0.0.1", proxy.https), 60, source_address=(source, 0))
            else:
                client = proxy.connect(source, **connected)
                client.sendall(words)
            clients.append(stack.enter_context(client))
        yield clients


def assert_served(visits, *, is_long):
    assert visits.wrong == 0
    assert visits.longest <= 0.5 or not is_long


@pytest.mark.process(long=True)
@pytest.mark.parametrize("kind", CROWDS)
def test_unfinished_requests_delay_no_visitor_and_are_let_go(proxy, visitor, kind):
    number, words, connected, seconds = CROWDS[kind]
    with crowd(proxy, number, words, connected) as clients, visitor() as visits:
        if kind == "slow-readers":
            pause(45)  # to look is to read, and so to be let go later
            seconds -= 45
        left = wait_closed(clients, seconds)
    assert left == 0
    assert_served(visits, is_long=True)


def test_everything_at_once_delays_no_visitor_neither_meanwhile_nor_afterwards(proxy, visitor, is_long):
    """Half bodies, silent connections, slow readers, HTTP/2 streams, and a flood of TLS connections."""
    over, part = threading.Event(), 1 if is_long else 10

    def connect_again_and_again():
        sources = cycle(ADDRESSES)
        while not over.is_set():
            with suppress(OSError):
                proxy.connect(next(sources)).close()

    flood = threading.Thread(target=connect_again_and_again)
    with ExitStack() as stack:
        for number, words, connected, _ in (BODIES, READERS, HTTP2, SILENT):
            stack.enter_context(crowd(proxy, number // part, words, connected))
        flood.start()
        try:
            with visitor() as meanwhile:
                pause(10 if is_long else 2)
        finally:
            over.set()
            flood.join()
    with visitor() as afterwards:
        pause(1)
    assert_served(meanwhile, is_long=is_long)
    assert_served(afterwards, is_long=is_long)


@pytest.mark.process(long=True)
def test_beside_1500_connections_that_post_without_a_pause_a_visitor_is_refused_nothing(
    proxy, visitor, record_property
):
    """Enquiries, a person's a connection, from 20 addresses; the visitor waits for one round, some seconds."""
    over, tls, statuses = threading.Event(), proxy.tls(), Counter()

    async def repeat(request, source):
        while not over.is_set():
            with suppress(OSError, asyncio.IncompleteReadError):
                reader, writer = await asyncio.open_connection(
                    "127.0.0.1", proxy.https, ssl=tls, server_hostname=HOST, local_addr=(source, 0)
                )
                try:
                    while not over.is_set():
                        writer.write(request)
                        head = await reader.readuntil(b"\r\n\r\n")
                        length = re.search(rb"content-length: (\d+)", head, re.IGNORECASE)
                        await reader.readexactly(int(length[1]) if length else 0)
                        statuses[int(head[9:12])] += 1
                finally:
                    writer.transport.abort()

    async def repeat_all():
        requests = [post(lead()).replace(b"clinic.test", HOST.encode()) for _ in range(1500)]
        await asyncio.gather(*map(repeat, requests, cycle(ADDRESSES)))

    thread = threading.Thread(target=asyncio.run, args=[repeat_all()])
    thread.start()
    try:
        wait_for(lambda: statuses.total() >= 1500, 60, "an answer to everybody in the crowd")
        with visitor() as visits:
            pause(20)
    finally:
        over.set()
        thread.join()
    record_property("the crowd was answered", str(dict(statuses)))
    record_property("the visitor's longest wait", f"{visits.longest:.1f} s")
    assert visits.wrong == 0
