"""One destination in trouble, slow, dead or paused, stops and delays no other; each has its own calls."""

from __future__ import annotations

import socket
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import pytest

from leads.lifecycle import Reason
from leads.outbox.pause import pause
from leads.outbox.store import record_lead
from tests.support.messages import EVERYBODY, states
from tests.support.pipeline import deliver
from tests.support.processes import wait_for
from tests.support.samples import LEAD, WEBHOOK_SECRET

MESSAGES = ("visitor", "staff-mail", "staff-webhook")


class DrippingReceiver:
    """Answers each request a byte at a time, without end, each in time for any limit of one read."""

    def __init__(self, pause=0.1):
        self.requests = 0
        self._pause, self._ended = pause, threading.Event()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}/hook"
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self):
        self._ended.set()
        self._listener.close()

    def _accept(self):
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            self.requests += 1
            threading.Thread(target=self._drip, args=(connection,), daemon=True).start()

    def _drip(self, connection):
        with connection:
            try:
                connection.sendall(b"HTTP/1.1 200 OK\r\nX-Slow: ")
                while not self._ended.wait(self._pause):
                    connection.sendall(b"a")
            except OSError:
                return


@pytest.fixture
def dripping():
    with closing(DrippingReceiver()) as receiver:
        yield receiver


@pytest.fixture
def environment(crm_environment, box, mail_port):
    return {
        **crm_environment,
        "MAIL_FROM": "enquiries@clinic.example",
        "SMTP_URL": f"smtp://127.0.0.1:{mail_port}",
        "STAFF_MAIL_TO": "sales@clinic.example",
        "LEAD_WEBHOOK_SECRET": WEBHOOK_SECRET,
    }


@pytest.fixture
def make(make_context):
    """Make a worker's context whose webhook is at this address."""
    return lambda url: make_context(LEAD_WEBHOOK_URL=url)


def store(context, count=1):
    return [
        record_lead(context.engine, {**LEAD, "email": f"ann{number}@example.com"}, owed=EVERYBODY).id
        for number in range(count)
    ]


def test_a_webhook_that_drips_its_answer_delays_no_other_destination(make, dripping, box):
    context = make(dripping.url)
    store(context, 5)
    with ThreadPoolExecutor() as threads:
        for _ in range(5):
            threads.submit(deliver, context, "staff-webhook")
        wait_for(lambda: dripping.requests == 2, 10, "the webhook to be held")
        assert deliver(context, "zoho", "staff-mail", "visitor") == ["SENT"] * 15
        assert states(context.engine, "staff-webhook").get("sent") is None
        assert dripping.requests == 2  # calls at once
        dripping.close()


@pytest.mark.parametrize("paused", ["zoho", *MESSAGES])
def test_a_pause_stops_its_own_destination_alone(make, receiver, paused):
    context = make(receiver.url)
    store(context, 2)
    pause(context.engine, paused, Reason.PAUSED, "moving house", by="ann")
    assert deliver(context, "zoho", *MESSAGES) == ["SENT"] * 6
    assert states(context.engine, paused) == {"pending": 2}
