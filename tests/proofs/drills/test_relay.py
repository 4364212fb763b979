"""The drills' relay: bytes that vanish, and a cut that the server does not notice."""

from __future__ import annotations

import socket
import threading
from contextlib import suppress

import pytest

from proofs.drills.relay import Relay


@pytest.fixture
def server():
    """Accepts connections; the test reads what arrives."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(5)
        yield listener


@pytest.fixture
def relay(server):
    with Relay(server.getsockname()[1]) as running:
        yield running


def connect(relay):
    return socket.create_connection(("127.0.0.1", relay.port), timeout=5)


def test_a_cut_hides_bytes_and_the_end_of_a_connection_from_the_server(server, relay):
    client = connect(relay)
    client.sendall(b"before")
    session, _ = server.accept()
    assert session.recv(100) == b"before"
    relay.cut()
    client.sendall(b"after")
    client.close()
    session.settimeout(0.3)
    with pytest.raises(TimeoutError):
        session.recv(100)
    relay.mend()
    session.settimeout(5)
    with session:
        assert session.recv(100) == b""


def test_a_new_connection_gets_nothing_through_until_the_cut_is_mended(server, relay):
    relay.cut()
    with connect(relay) as early:
        early.sendall(b"hello")
        threading.Timer(0.3, relay.mend).start()
        with suppress(ConnectionResetError):  # closed either way
            assert early.recv(100) == b""
    with connect(relay) as late:
        late.sendall(b"hello")
        session, _ = server.accept()
        assert session.recv(100) == b"hello"
        session.close()


def test_after_swallow_new_connections_pass(server, relay):
    with connect(relay) as silent:
        silent.sendall(b"one")
        session, _ = server.accept()
        assert session.recv(100) == b"one"
        relay.swallow()
        silent.sendall(b"two")
        with connect(relay) as late:
            late.sendall(b"three")
            other, _ = server.accept()
            assert other.recv(100) == b"three"
            other.close()
        session.close()
