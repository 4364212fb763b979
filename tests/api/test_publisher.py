"""Enqueuing in the background: it never delays or fails a request, whatever Redis does."""

import socket
import threading
from contextlib import ExitStack, closing
from uuid import UUID

import pytest
from celery import Celery
from redis import Redis

from api import publisher
from api.publisher import Publisher
from leads.destinations import worker_options
from leads.logs import TRACEPARENT
from tests.support import samples
from tests.support.processes import wait_for

ROW = UUID(int=7)


@pytest.fixture
def make():
    with ExitStack() as made:

        def make_publisher(url):
            publisher = Publisher(url)
            made.callback(publisher.close)
            return publisher

        yield make_publisher


@pytest.fixture
def app(valkey):
    Redis.from_url(valkey.url).flushall()
    app = Celery("test", broker=valkey.url, set_as_current=False)
    app.conf.broker_transport_options = worker_options()
    return app


def waiting(app):
    with app.connection_for_read() as connection:
        return connection.default_channel.queue_declare(queue="crm").message_count


def test_a_row_becomes_a_task_with_its_id_and_its_requests_trace_alone(valkey, app, make):
    before = TRACEPARENT.set(samples.TRACEPARENT)
    make(valkey.url).enqueue(ROW)
    TRACEPARENT.reset(before)
    wait_for(lambda: waiting(app) == 1, 10, "a delivery")
    with app.connection_for_read() as connection:
        message = connection.default_channel.basic_get("crm", no_ack=True)
    assert message.decode()[0] == ["zoho", str(ROW)]
    assert message.headers["traceparent"] == samples.TRACEPARENT
    assert (message.headers["task"], message.headers["argsrepr"]) == ("deliver", "(zoho, 00000000-0000)")


def test_a_crowd_s_rows_become_tasks_no_faster_than_workers_take_them(valkey, app, make, monkeypatch):
    monkeypatch.setattr(publisher, "PACE_SECONDS", 60.0)
    each = make(valkey.url)
    for _ in range(1000):
        each.enqueue(ROW)
    wait_for(lambda: waiting(app) == publisher.AT_ONCE, 10, "deliveries")
    threading.Event().wait(0.2)
    assert waiting(app) == publisher.AT_ONCE


@pytest.mark.parametrize("is_frozen", [False, True])
def test_a_redis_that_refuses_or_never_answers_costs_nothing(make, is_frozen, monkeypatch):
    with closing(socket.create_server(("127.0.0.1", 0))) as server:
        port = server.getsockname()[1] if is_frozen else 1
        away = make(f"redis://127.0.0.1:{port}/0")
        real, senders = away._app.send_task, []
        monkeypatch.setattr(
            away._app, "send_task", lambda *a, **k: senders.append(threading.current_thread()) or real(*a, **k)
        )
        for _ in range(1000):
            away.enqueue(ROW)
        wait_for(lambda: senders, 10, "a try")
    assert threading.current_thread() not in senders


def test_after_an_outage_rows_are_enqueued_again(valkey, app, make, monkeypatch, caplog):
    monkeypatch.setattr(publisher, "REST_SECONDS", 0.05)
    each = make(valkey.url)
    real, answers = each._app.send_task, [ConnectionError(), ConnectionError()]

    def send(*arguments, **options):
        if answers:
            raise answers.pop()
        return real(*arguments, **options)

    monkeypatch.setattr(each._app, "send_task", send)
    for _ in range(3):
        each.enqueue(ROW)
    wait_for(lambda: waiting(app) == 1 and "enqueueing in Redis: works again" in caplog.messages, 10, "a delivery")
    own = [text for text in caplog.messages if "OperationalError" not in text]  # not those of publishers that end
    assert own == ["enqueueing in Redis: ConnectionError", "enqueueing in Redis: works again"]
