"""How many tasks stand in Redis, and for which rows: some seconds of work, of what is due first."""

import threading

import pytest
from celery import Celery
from redis import Redis

from leads.destinations import CRM, CRM_QUEUE, MESSAGES_QUEUE, STAFF_MAIL, VISITOR, worker_options
from leads.ids import short_id
from leads.lifecycle import Retry
from tests.support.crm import MemoryCrm
from tests.support.database import change, rows_of
from tests.support.samples import LEAD, record_lead
from worker import enqueue
from worker.crm.fields import DEFAULT_FIELDS
from worker.deliver import Deliveries
from worker.destinations.crm import CrmDestination
from worker.enqueue import deliver_row, enqueue_due

NAMES = (CRM, VISITOR, STAFF_MAIL)


@pytest.fixture
def app(valkey):
    Redis.from_url(valkey.url).flushall()
    app = Celery("test", broker=valkey.url, set_as_current=False)
    app.conf.broker_transport_options = worker_options()
    yield app
    app.close()


def tasks(app, queue):
    """The arguments of the queue's tasks, the first one first, and how Flower shows them."""
    found = []
    with app.connection_for_read() as connection:
        while message := connection.default_channel.basic_get(queue, no_ack=True):
            headers = message.headers
            found.append((message.decode()[0], headers["argsrepr"]))
    return found


def waiting(app, queue):
    with app.connection_for_read() as connection:
        return connection.default_channel.queue_declare(queue=queue).message_count


def backlog(engine, count):
    change(
        engine,
        """INSERT INTO deliveries (id, kind, next_retry_at) SELECT gen_random_uuid(), 'lead',
        now() - interval '1 h' + n * interval '1 ms' FROM generate_series(1, :count) AS n""",
        count=count,
    )


def test_each_due_row_is_a_task_in_its_destinations_queue(engine, app):
    lead = record_lead(engine, LEAD, owed={CRM: 0.0, VISITOR: 0.0, STAFF_MAIL: 60.0}).id
    assert enqueue_due(app, engine, NAMES) == 2
    assert tasks(app, CRM_QUEUE) == [([CRM, str(lead)], f"({CRM}, {short_id(lead)})")]
    assert [arguments for arguments, _ in tasks(app, MESSAGES_QUEUE)] == [[VISITOR, str(lead)]]


def test_a_backlog_stays_in_the_database_but_for_some_seconds_of_work(engine, app, monkeypatch):
    backlog(engine, 10_000)
    assert enqueue_due(app, engine, NAMES) == 200
    for _ in range(3):  # beats of several workers
        assert enqueue_due(app, engine, NAMES) == 0
    assert waiting(app, CRM_QUEUE) == 200


def test_what_is_in_the_queue_is_not_enqueued_again(engine, app, monkeypatch):
    monkeypatch.setitem(enqueue.MAX_WAITING, CRM_QUEUE, 4)
    backlog(engine, 10)
    enqueue_due(app, engine, NAMES)
    monkeypatch.setitem(enqueue.MAX_WAITING, CRM_QUEUE, 6)
    enqueue_due(app, engine, NAMES)
    found = [arguments[1] for arguments, _ in tasks(app, CRM_QUEUE)]
    ids = rows_of(engine, "SELECT id FROM deliveries ORDER BY next_retry_at LIMIT 6")
    assert found == [str(row["id"]) for row in ids]


def test_a_message_that_was_tried_brings_the_next_to_its_destination(engine, app):
    first, second = (record_lead(engine, LEAD, owed={STAFF_MAIL: 0.0}).id for _ in range(2))
    record_lead(engine, LEAD, owed={VISITOR: 0.0})

    class Mail:
        name, calls = STAFF_MAIL, None

        def send(self, _row, _call):
            return Retry(code="LATER")

    work = Deliveries(engine, {STAFF_MAIL: Mail()}, threading.Event())
    deliver_row(app, work, STAFF_MAIL, first)
    assert [arguments for arguments, _ in tasks(app, MESSAGES_QUEUE)] == [[STAFF_MAIL, str(second)]]


def test_messages_go_when_the_record_is_there(engine, app):
    lead = record_lead(engine, LEAD, owed={CRM: 0.0, VISITOR: 60.0, STAFF_MAIL: 60.0}).id
    change(engine, "UPDATE deliveries SET status = 'skipped' WHERE destination = 'visitor'")
    assert enqueue_due(app, engine, [STAFF_MAIL]) == 0
    work = Deliveries(engine, {CRM: CrmDestination(MemoryCrm(), DEFAULT_FIELDS)}, threading.Event())
    deliver_row(app, work, CRM, lead)
    assert [arguments for arguments, _ in tasks(app, MESSAGES_QUEUE)] == [[STAFF_MAIL, str(lead)]]
    assert enqueue_due(app, engine, NAMES) == 1  # due in the database too, whatever becomes of the task
