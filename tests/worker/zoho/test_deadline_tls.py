"""The wall clock and the verification over TLS: the sandbox behind a forwarder that ends TLS on loopback."""

import shutil
import socket
import ssl
import time
from contextlib import suppress
from threading import Event, Thread

import pytest

from worker.crm.port import CallFailed, FailureClass

SECONDS = 2.0
# What a call may take beyond its wall clock on a busy machine.
GRACE = 5.0

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("openssl") is None, reason="makes its certificate with openssl"),
]


class Forwarder:
    """Ends TLS and passes bytes on to the sandbox; or, told to, drips garbage instead of a handshake."""

    def __init__(self, certificate: str, key: str, target: tuple[str, int]) -> None:
        self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._context.load_cert_chain(certificate, key)
        self._target = target
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"https://localhost:{self._listener.getsockname()[1]}"
        self.certificate = certificate
        self.connections = 0
        self.drips_handshake = False
        self._over = Event()
        Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        self._over.set()
        self._listener.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client: socket.socket) -> None:
        with suppress(OSError), client:
            while self.drips_handshake and not self._over.wait(0.2):
                client.sendall(b"\x16")
            with self._context.wrap_socket(client, server_side=True) as safe:
                self.connections += 1
                with socket.create_connection(self._target) as crm:
                    safe.settimeout(0.05)
                    crm.settimeout(0.05)
                    while not self._over.is_set() and _pass(safe, crm) and _pass(crm, safe):
                        pass


def _pass(source: socket.socket, sink: socket.socket) -> bool:
    try:
        data = source.recv(65536)
    except TimeoutError:
        return True
    sink.sendall(data)
    return bool(data)


@pytest.fixture
def tls(crm, certificate):
    forwarder = Forwarder(*certificate, ("127.0.0.1", crm.port))
    yield forwarder
    forwarder.close()


@pytest.fixture
def tls_client(tls, make_client):
    return make_client(api_url=tls.url, accounts_url=tls.url, ca_bundle=tls.certificate, call_seconds=SECONDS)


def test_one_verified_connection_serves_call_after_call(tls, tls_client, make_lead):
    for turn in range(3):
        assert tls_client.upsert([make_lead()], call_id=str(turn))[0].ok
    assert tls.connections == 1


def test_a_certificate_nobody_vouches_for_is_refused_before_a_byte_is_sent(crm, tls, make_client, make_lead):
    client = make_client(api_url=tls.url, accounts_url=tls.url)
    with pytest.raises(CallFailed) as failed:
        client.upsert([make_lead()], call_id="c")
    assert failed.value.failure is FailureClass.TRANSIENT
    assert crm.calls(request_id="c") == []


def test_a_dripping_reply_ends_on_time(crm, tls_client, make_lead):
    tls_client.upsert([make_lead()], call_id="warm")
    crm.faults(drip={"seconds": 0.1})
    began = time.monotonic()
    with pytest.raises(CallFailed) as failed:
        tls_client.upsert([make_lead()], call_id="slow")
    assert time.monotonic() - began < SECONDS + GRACE
    assert (failed.value.failure, failed.value.code) == (FailureClass.UNKNOWN, "TIMEOUT")


def test_a_dripping_handshake_ends_on_time_and_nothing_was_sent(crm, tls, make_client, make_lead):
    tls.drips_handshake = True
    client = make_client(api_url=tls.url, ca_bundle=tls.certificate, call_seconds=SECONDS, connect_seconds=SECONDS)
    began = time.monotonic()
    with pytest.raises(CallFailed) as failed:
        client.upsert([make_lead()], call_id="c")
    assert time.monotonic() - began < SECONDS + GRACE
    assert failed.value.failure is FailureClass.TRANSIENT
    assert crm.calls(request_id="c") == []
