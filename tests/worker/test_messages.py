"""Messages are rows of the same outbox: told once, whatever happens to another destination."""

from __future__ import annotations

import threading

import pytest

from leads.destinations import CRM, STAFF_MAIL, STAFF_WEBHOOK, VISITOR
from leads.lifecycle import Reason, Status
from leads.outbox.claim import find_due
from leads.outbox.pause import pause, read_destinations
from leads.settings import read_settings
from tests.support.crm import MemoryCrm
from tests.support.database import change, rows_of
from tests.support.messages import EVERYBODY, answer, make_due, states
from tests.support.samples import LEAD, record_lead
from worker.deliver import Deliveries
from worker.destinations.registry import make_destinations


@pytest.fixture
def work(staff_environment, engine):
    settings = read_settings(staff_environment)
    return Deliveries(engine, make_destinations(settings, engine, MemoryCrm()), threading.Event())


def store(engine, count=1):
    return [record_lead(engine, {**LEAD, "email": f"a{n}@example.com"}, owed=EVERYBODY).id for n in range(count)]


def run(work, *names):
    found = list(find_due(work.engine, names, limit=99))
    results = [work.deliver(name, row_id) for name, row_id in found]
    return [result.outcome.code for result in results if result is not None]


def test_visitor_and_staff_get_one_message_each_with_the_link_to_the_record(work, box, receiver):
    (lead,) = store(work.engine)
    assert run(work, *work.destinations) == ["SENT"] * 4
    assert run(work, *work.destinations) == []
    assert sorted(mail["recipient"] for mail in box.mails()) == ["a0@example.com", "sales@clinic.example"]
    (post,) = receiver.requests
    assert post.headers["webhook-id"] == str(lead)
    assert post.json["data"]["record_url"].endswith("/000000000000000001")


def test_a_server_that_is_down_pauses_its_own_destinations_alone(work, receiver):
    store(work.engine, 5)
    assert run(work, CRM, STAFF_MAIL, STAFF_WEBHOOK).count("SENT") == 10
    paused = {name: each.reason for name, each in read_destinations(work.engine).items()}
    assert paused == {CRM: None, STAFF_MAIL: Reason.OUTAGE, STAFF_WEBHOOK: None, VISITOR: None}


def test_a_message_that_the_crm_refused_to_take_says_so(work, receiver):
    store(work.engine)
    change(work.engine, """UPDATE deliveries SET status = 'retrying', refused_at = now(),
        last_error = 'MANDATORY_NOT_FOUND: Branch', next_retry_at = now() + interval '1 h'
        WHERE destination = 'zoho'""")  # fmt: skip
    run(work, STAFF_WEBHOOK)
    assert receiver.requests[0].json["data"]["refusal"] == "MANDATORY_NOT_FOUND"


@pytest.mark.parametrize(
    ("name", "status", "tries"), [(VISITOR, Status.SKIPPED, 0), (STAFF_MAIL, Status.RETRYING, 1)]
)
def test_a_refused_address_ends_the_visitors_mail_and_is_tried_again_for_staff(
    work, mail_port, name, status, tries
):
    store(work.engine)
    answer(mail_port, "220 hi", "250 hi", "250 ok", "550 5.1.1 nobody", "250 ok", "221 bye")
    assert run(work, name) == ["SMTP_550"]
    assert states(work.engine, name) == {status.value: 1}
    (row,) = rows_of(work.engine, "SELECT retry_count FROM deliveries WHERE destination = :name", name=name)
    assert row["retry_count"] == tries


def test_a_slow_destination_takes_no_more_than_its_calls(work, receiver):
    """And others go on meanwhile."""
    receiver.silent = True
    store(work.engine, 3)
    due = [row_id for _, row_id in find_due(work.engine, [STAFF_WEBHOOK], limit=9)]
    busy = [threading.Thread(target=work.deliver, args=(STAFF_WEBHOOK, row_id), daemon=True) for row_id in due[:2]]
    for thread in busy:
        thread.start()
    while states(work.engine, STAFF_WEBHOOK).get("sending", 0) < 2:
        threading.Event().wait(0.02)
    assert work.deliver(STAFF_WEBHOOK, due[2]) is None
    assert run(work, CRM) == ["SENT"] * 3
    receiver.close()
    for thread in busy:
        thread.join()


def test_an_operators_pause_of_one_stops_no_other(work, box, receiver):
    store(work.engine)
    pause(work.engine, STAFF_MAIL, Reason.PAUSED, "on leave", by="ann")
    assert run(work, *work.destinations) == ["SENT"] * 3
    make_due(work.engine)
    assert run(work, STAFF_MAIL) == []
