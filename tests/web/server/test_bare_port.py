"""What one connection may do to the port itself, with no proxy in front: the real server, with short clocks.

`proofs.hostile` does the same with crowds, against the whole site.
"""

from __future__ import annotations

import select
import socket
import threading
from contextlib import ExitStack
from time import monotonic

import pytest

from dev.servers.waiting import wait_until
from web.server import serve, waits
from web.server.connection import MAX_HEAD_BYTES, MAX_HEADERS
from web.server.front import Front
from web.server.listen import listen

CLOCKS = ("REQUEST_SECONDS", "IDLE_SECONDS", "STALLED_SECONDS")
SHORT, LONG = 0.3, 60.0
HEAD = "POST /api/leads HTTP/1.1\r\nHost: x\r\nContent-Length: 500\r\n"
GET = "GET /small HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"
LARGE = bytes(8 * 1024 * 1024)


class Port:
    """A server on a port of its own, and the connections of one test to it."""

    def __init__(self, max_connections=100):
        self.asked = []
        self.open = ExitStack()
        self.server = serve.make_server(
            Front(self._answer, lambda _: False, threads=2, clinic_phone="+90 212"), waits.Waits(max_connections)
        )
        self._listener = listen("127.0.0.1", 0)
        self._thread = threading.Thread(target=self.server.run, args=([self._listener],))
        self._thread.start()
        assert wait_until(lambda: self.server.started, 10)

    def _answer(self, environ, start):
        self.asked.append(environ["PATH_INFO"])
        start("200 OK", [])
        return [LARGE if environ["PATH_INFO"] == "/large" else b"hello"]

    @property
    def connections(self):
        return len(self.server.server_state.connections)

    def connect(self, words="", buffer=None):
        client = self.open.enter_context(socket.socket())
        if buffer:
            client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
        client.settimeout(5)
        client.connect(self._listener.getsockname())
        client.sendall(words.encode())
        return client

    def close(self):
        self.open.close()
        self.server.should_exit = True
        self._thread.join(20)


@pytest.fixture
def make_port(monkeypatch):
    """Ports with clocks of so many seconds."""
    monkeypatch.setattr(serve, "SWEEP_SECONDS", 0.05)
    ports = []

    def make(seconds, **options):
        for name in CLOCKS:
            monkeypatch.setattr(waits, name, seconds)
        ports.append(Port(**options))
        return ports[-1]

    yield make
    for port in ports:
        port.close()


def everything(client):
    """What is received until the server closes."""
    received = b""
    while piece := client.recv(65536):
        received += piece
    return received


def status_of(reply):
    return int(reply.split(b" ")[1])


def test_a_silent_connection_is_closed_without_a_reply(make_port):
    assert everything(make_port(SHORT).connect()) == b""


@pytest.mark.parametrize("words", [HEAD, HEAD + "\r\n{"], ids=["half a head", "half a body"])
def test_half_a_request_is_refused_in_time(make_port, words):
    port = make_port(SHORT)
    assert status_of(everything(port.connect(words))) == 408
    assert port.asked == []


@pytest.mark.parametrize("words", [HEAD, HEAD + "\r\n"], ids=["head", "body"])
def test_a_dripping_request_gains_no_time(make_port, words):
    client = make_port(SHORT).connect(words)
    begun = monotonic()
    while not select.select([client], [], [], 0.05)[0]:
        assert monotonic() - begun < 3, "still open"
        client.sendall(b"x")
    assert status_of(client.recv(65536)) == 408


def test_a_reader_who_stops_is_cut_off(make_port):
    port = make_port(SHORT)
    reader = port.connect("GET /large HTTP/1.1\r\nHost: x\r\n\r\n", buffer=4096)
    assert wait_until(lambda: port.asked and not port.connections, 5)
    poll = select.poll()
    poll.register(reader, 0)
    assert poll.poll(5000)[0][1] & select.POLLERR  # reset: the kernel keeps nothing for the reader either


def test_a_connection_too_many_costs_the_one_that_has_waited_longest(make_port):
    port = make_port(LONG, max_connections=3)
    silent = [port.connect() for _ in range(3)]
    assert wait_until(lambda: port.connections == 3, 5)
    assert status_of(everything(port.connect(GET + "\r\n"))) == 200
    with pytest.raises(ConnectionResetError):
        silent[0].recv(1)
    assert select.select(silent[1:], [], [], 0)[0] == []


def test_unfinished_requests_cost_no_more_memory_than_they_may(make_port, monkeypatch):
    monkeypatch.setattr(waits, "MAX_UNREAD_BYTES", 1000)
    port = make_port(LONG)
    first = port.connect(HEAD + "\r\n" + "x" * 400)
    assert wait_until(lambda: port.connections == 1, 5)
    second = port.connect(HEAD + "\r\n" + "x" * 490)
    with pytest.raises(ConnectionResetError):
        first.recv(1)
    second.sendall(b"x" * 10)
    assert status_of(second.recv(65536)) == 200


def test_a_body_shorter_than_it_says_is_refused_and_not_passed_on(make_port):
    port = make_port(LONG)
    client = port.connect(HEAD + "\r\n{}")
    client.shutdown(socket.SHUT_WR)
    assert status_of(everything(client)) == 400
    assert port.asked == []


@pytest.mark.parametrize(
    "line",
    ["X-Long: " + MAX_HEAD_BYTES // 2 * "a", MAX_HEADERS // 2 * "X-Many: 1\r\n" + "X-End: 1"],
    ids=["bytes", "headers"],
)
def test_a_head_has_a_limit_of_bytes_and_of_headers(make_port, line):
    port = make_port(LONG)
    assert status_of(everything(port.connect(f"{GET}{line}\r\n\r\n"))) == 200
    assert status_of(everything(port.connect(f"{GET}{line}\r\n{line}\r\n\r\n"))) == 431
    assert port.asked == ["/small"]
