"""A mail server that drips its answers is given up by the wall clock, and what is not known is not claimed."""

from __future__ import annotations

import socket
import threading
import time
from contextlib import closing, suppress
from uuid import uuid4

import pytest

from leads.lifecycle import Delivered, Retryable
from leads.settings import read_settings
from worker.destinations.smtp import (
    MailServerUnavailable,
    connect_mail,
    make_acknowledgement,
    probe_mail,
    send_mail,
)

pytestmark = pytest.mark.slow

SECONDS = 1.0
# What an exchange may take beyond its wall clock on a busy machine.
GRACE = 3.0
ANSWERS = {b"EHLO": b"250 mail", b"MAIL": b"250 ok", b"RCPT": b"250 ok", b"DATA": b"354 go", b"QUIT": b"221 bye"}


class MailServer:
    """Answers a command at a time. The answer to `drips` comes a byte every 0.3 s and never ends."""

    def __init__(self, drips):
        self.commands = []
        self._drips, self._ended = drips, threading.Event()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"smtp://127.0.0.1:{self._listener.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self):
        self._ended.set()
        self._listener.close()

    def _accept(self):
        with suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client):
        with suppress(OSError), client, client.makefile("rb") as lines:
            self._answer(client, b"banner", b"220 mail")
            for line in lines:
                command = line[:4].upper().strip()
                self.commands.append(command)
                self._answer(client, command, ANSWERS.get(command, b"250 ok"))
                if command == b"DATA":
                    while lines.readline() not in {b".\r\n", b""}:
                        continue
                    self._answer(client, b"message", b"250 queued")

    def _answer(self, client, command, answer):
        if command == self._drips:
            client.sendall(answer[:3] + b"-")
            while not self._ended.wait(0.3):
                client.sendall(b"a")
        client.sendall(answer + b"\r\n")


@pytest.fixture
def serve(crm_environment):
    made = []

    def serve(drips=None):
        made.append(server := MailServer(drips))
        environment = {
            **crm_environment,
            "MAIL_FROM": "enquiries@clinic.example",
            "SMTP_URL": server.url,
            "MAIL_TIMEOUT_SECONDS": str(SECONDS),
        }
        return server, read_settings(environment)

    yield serve
    for server in made:
        server.close()


def mail(settings):
    return make_acknowledgement(settings, lead_id=uuid4(), reference="402117", to="ann@example.com", call="")


@pytest.mark.parametrize("drips", [b"banner", b"EHLO"])
def test_a_connection_that_drips_is_unavailable_in_time(serve, drips):
    _, settings = serve(drips)
    begun = time.monotonic()
    with pytest.raises(MailServerUnavailable, match=r"^TIMEOUT$"), connect_mail(settings):
        pass
    assert time.monotonic() - begun < SECONDS + GRACE


@pytest.mark.parametrize(
    ("drips", "outcome"),
    [
        (b"MAIL", Retryable("TIMEOUT")),
        (b"RCPT", Retryable("TIMEOUT")),
        (b"DATA", Retryable("TIMEOUT")),
        (b"message", Retryable("TIMEOUT", "no answer: the message may have arrived")),
    ],
)
def test_a_message_ends_in_time_and_is_in_doubt_only_once_it_was_sent(serve, drips, outcome):
    _, settings = serve(drips)
    with connect_mail(settings) as server:
        begun = time.monotonic()
        assert send_mail(server, mail(settings)) == outcome
        assert time.monotonic() - begun < SECONDS + GRACE


def test_each_message_has_its_own_wall_clock(serve):
    server, settings = serve()
    with connect_mail(settings) as connection:
        for _ in range(3):
            assert send_mail(connection, mail(settings)) == Delivered("")
            threading.Event().wait(SECONDS / 2)
    assert server.commands.count(b"DATA") == 3


def test_a_farewell_that_drips_holds_nobody_up(serve):
    _, settings = serve(b"QUIT")
    with connect_mail(settings) as server:
        assert send_mail(server, mail(settings)) == Delivered("")
        begun = time.monotonic()
    assert time.monotonic() - begun < 2 + GRACE


def test_the_probe_ends_in_time(serve):
    _, settings = serve(b"MAIL")
    with pytest.raises(MailServerUnavailable, match=r"^TIMEOUT$"):
        probe_mail(settings)


def test_a_certificate_is_asked_for_by_the_servers_name_and_a_dripping_handshake_ends_in_time(crm_environment):
    with closing(socket.create_server(("127.0.0.1", 0))) as listener:
        environment = {
            **crm_environment,
            "MAIL_FROM": "enquiries@clinic.example",
            "SMTP_URL": f"smtps://localhost:{listener.getsockname()[1]}",
            "MAIL_TIMEOUT_SECONDS": str(SECONDS),
        }
        hello, ended = [], threading.Event()

        def drip():
            with suppress(OSError), listener.accept()[0] as client:
                hello.append(client.recv(65536))
                while not ended.wait(0.3):
                    client.sendall(b"\x16")

        threading.Thread(target=drip, daemon=True).start()
        begun = time.monotonic()
        with pytest.raises(MailServerUnavailable, match=r"^TIMEOUT$"), connect_mail(read_settings(environment)):
            pass
        assert time.monotonic() - begun < SECONDS + GRACE
        ended.set()
    assert b"localhost" in hello[0]
