"""The test enquiry: from the public form to the CRM and to its own mailbox, and gone again."""

from __future__ import annotations

import threading

import pytest
import requests
from werkzeug.serving import make_server

from leads.outbox.rows import Lane
from leads.privacy.erasure import list_erasures
from leads.speed import read_speed
from leads.trial import TURN, TrialKeys, read_pending, read_trial
from tests.support.answers import look
from tests.support.database import change, rows_of
from tests.support.pipeline import record
from tests.support.samples import PAYLOAD
from web.app import close_app, create_app
from worker.delivery.deliver import deliver
from worker.jobs.erasure import process_erasures
from worker.jobs.stopped_notice import tell_stopped
from worker.jobs.trial import try_enquiry

MAILBOX = "probe@clinic.example"


@pytest.fixture
def environment(staff_environment):
    return staff_environment | {"TEST_ENQUIRY_MAIL": MAILBOX, "FRONTEND_DIR": "no-such-build"}


@pytest.fixture
def site(make_context):
    """The site at an address of its own, and a worker that knows it."""
    context = make_context()
    app = create_app(context.settings)
    server = make_server("127.0.0.1", 0, app, threaded=True)
    threading.Thread(target=server.serve_forever, args=[0.01], daemon=True).start()
    yield make_context(TEST_ENQUIRY_URL=f"http://127.0.0.1:{server.server_port}/")
    server.shutdown()
    close_app(app)


def send(context):
    """Plan it, and send it when it is due."""
    change(
        context.engine,
        "INSERT INTO turns (name, due_at) VALUES (:name, now()) ON CONFLICT (name) DO UPDATE SET due_at = now()",
        name=TURN,
    )
    try_enquiry(context.engine, context.settings)
    return read_pending(context.engine)


def deliver_all(context):
    deliver(context.delivery, context.crm, Lane.FRESH)
    change(context.engine, "UPDATE deliveries SET next_retry_at = now() WHERE status = 'pending'")
    for thread in context.messages:
        deliver(context.delivery, thread.destination, Lane.FRESH)


def erase_in_the_crm(context):
    change(context.engine, "UPDATE erased_rows SET watch_until = now(), check_at = now()")
    process_erasures(context.engine, context.access, may_continue=lambda: True)


def test_it_reaches_the_crm_and_its_mailbox_and_nothing_of_it_stays(site, sandbox, box, receiver):
    (pending,) = send(site)
    assert not pending.arrived
    change(site.engine, "UPDATE turns SET done_at = now() - interval '3 hours'")
    deliver_all(site)
    (found,) = sandbox.records()
    assert found["Last_Name"] == "Enquiry, no patient"
    (mail,) = box.mails()
    assert mail["recipient"] == MAILBOX
    assert mail["subject"].endswith(", no patient")
    assert receiver.requests == []
    try_enquiry(site.engine, site.settings)
    assert read_trial(site.engine).age < 60
    erase_in_the_crm(site)
    assert (sandbox.records(), read_pending(site.engine)) == ([], [])
    for table in ("leads", "deliveries", "mail_budgets", "erased_keys"):
        assert rows_of(site.engine, f"SELECT * FROM {table}") == []


def test_many_of_them_are_one_entry_of_the_register_and_leave_no_rows(site, box):
    for _ in range(3):
        send(site)
        deliver_all(site)
        try_enquiry(site.engine, site.settings)
        erase_in_the_crm(site)
    (entry,) = list_erasures(site.engine, limit=10)
    assert entry["by"] == "test enquiries"
    assert len(rows_of(site.engine, "SELECT * FROM erased_rows")) == 1
    (left,) = rows_of(site.engine, "SELECT count(DISTINCT row_id) AS rows FROM attempts")
    assert left["rows"] == 1


def test_no_figure_has_it_and_no_limit_counts_it(site, box):
    for _ in range(12):
        send(site)
        change(site.engine, "UPDATE leads SET created_at = now() - interval '601 s'")
        try_enquiry(site.engine, site.settings)
        change(site.engine, "UPDATE turns SET taken_until = '-infinity'")
    (pending,) = send(site)
    deliver_all(site)
    record(site)
    look(site)
    assert read_speed(site.engine).today.enquiries == 1
    assert rows_of(site.engine, "SELECT lead_id FROM answers WHERE lead_id = :id", id=pending.id) == []
    assert rows_of(site.engine, "SELECT held_reason FROM leads WHERE held_reason IS NOT NULL") == []


def test_a_refused_one_tells_staff_of_no_patient(site, box, receiver):
    send(site)
    change(site.engine, "UPDATE deliveries SET status = 'dead', last_retry_at = now() WHERE destination = 'zoho'")
    tell_stopped(site.engine, site.settings)
    assert [post for post in receiver.requests if post.json["data"]["rows"]] == []


def test_what_does_not_arrive_is_removed_and_told_and_the_next_one_is_sent(site):
    (lost,) = send(site)
    change(site.engine, "UPDATE leads SET created_at = now() - interval '601 s'")
    change(site.engine, "UPDATE turns SET done_at = now() - interval '3 hours', taken_until = '-infinity'")
    try_enquiry(site.engine, site.settings)
    state = read_trial(site.engine)
    assert (state.age > 7200, state.note) == (True, "stored, but not delivered in ten minutes")
    assert read_pending(site.engine) == []
    try_enquiry(site.engine, site.settings)
    (new,) = read_pending(site.engine)
    assert new.id != lost.id


def test_a_site_that_does_not_take_it_is_told(make_context):
    context = make_context(TEST_ENQUIRY_URL="http://127.0.0.1:1")
    assert send(context) == []
    assert read_trial(context.engine).note.startswith("CONNECT_FAILED")


def test_it_is_off_by_default_and_nothing_is_expected_once_it_is_switched_off(make_context):
    send(make_context(TEST_ENQUIRY_URL="http://127.0.0.1:1"))
    context = make_context()
    try_enquiry(context.engine, context.settings)
    assert (read_trial(context.engine).age, read_pending(context.engine)) == (0.0, [])


@pytest.mark.parametrize("key", ["test-1-2", "test-", "test-00-" + "0" * 64])
def test_nobody_else_can_mark_an_enquiry(site, key):
    url = f"{site.settings.test_enquiry_url}api/leads"
    answer = requests.post(url, json=PAYLOAD, headers={"Idempotency-Key": key}, timeout=10)
    assert answer.status_code == 400
    assert rows_of(site.engine, "SELECT 1 FROM leads") == []


def test_a_key_is_known_to_every_process_of_the_product(site, make_context):
    keys = TrialKeys(site.settings)
    assert TrialKeys(make_context().settings).is_genuine(keys.make())
    assert not TrialKeys(make_context(ERASURE_KEY="another key of 2026").settings).is_genuine(keys.make())
