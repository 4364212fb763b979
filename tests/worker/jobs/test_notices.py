"""Staff are told of each lead once, by each channel, also while the CRM is down; never of a held one."""

from __future__ import annotations

import pytest

from dev.servers.state_files import free_port
from leads.lifecycle import Delivered, Retryable, settle
from leads.mail.notices import any_notice_due, claim_notices, mark_notice
from leads.mail.owed import count_messages
from leads.outbox.holds import Held
from leads.outbox.release import release
from leads.outbox.rows import Lane
from leads.outbox.store import record_lead
from leads.privacy.erasure import Person, erase_person
from leads.settings import SettingsError, read_settings
from sandbox.process import SandboxProcess
from tests.support.database import change, rows_of
from tests.support.processes import WorkerProcess, wait_for
from tests.support.receiver import Receiver
from tests.support.samples import LEAD
from worker.context import make_context
from worker.delivery.deliver import deliver
from worker.jobs.notices import notify_staff

BOTH = ("mail", "webhook")


@pytest.fixture
def receiver():
    with Receiver() as receiver:
        yield receiver


@pytest.fixture
def mail_port():
    return free_port()


@pytest.fixture
def box(tmp_path, mail_port):
    with SandboxProcess.start(tmp_path / "mail", mail_port=mail_port) as process:
        yield process


@pytest.fixture
def environment(crm_environment, mail_port, receiver):
    return {
        **crm_environment,
        "MAIL_FROM": "enquiries@clinic.example",
        "SMTP_URL": f"smtp://127.0.0.1:{mail_port}",
        "MAIL_TIMEOUT_SECONDS": "0.5",
        "MAIL_LEASE_SECONDS": "6",
        "STAFF_MAIL_TO": "sales@clinic.example",
        "LEAD_WEBHOOK_URL": receiver.url,
        "LEAD_WEBHOOK_SECRET": "a webhook secret of some length",
        "CRM_TICK_SECONDS": "0.3",
    }


@pytest.fixture
def context(environment):
    context = make_context(read_settings(environment))
    yield context
    context.close()


def store(engine, *, patient=False, **values):
    """Store a lead whose notices are due now, or with `patient` not before the CRM has it."""
    stored = record_lead(engine, {**LEAD, **values}, notify=BOTH)
    if not patient:
        change(engine, "UPDATE staff_notices SET created_at = now() - interval '11 s'")
    return stored


def states(engine):
    found = rows_of(engine, "SELECT channel, status FROM staff_notices ORDER BY channel")
    return [(row["channel"], row["status"]) for row in found]


def make_due(engine):
    change(engine, "UPDATE staff_notices SET next_retry_at = now() WHERE status IN ('retrying', 'sending')")


def claim(engine, channel="webhook"):
    return claim_notices(engine, channel, rows=20, lease_seconds=60)


def test_staff_are_told_once_by_each_channel_while_the_crm_has_nothing(context, box, receiver):
    receipt = store(context.engine, message="Is it cancer?")
    assert notify_staff(context.notices) == {"sent": 2}
    (mail,), (post,) = box.mails(), receiver.requests
    assert mail["recipient"] == "sales@clinic.example"
    assert mail["subject"] == f"New enquiry {receipt.reference} from United Kingdom"
    assert post.headers["webhook-id"] == str(receipt.id)
    assert post.json["data"]["reference"] == receipt.reference
    assert post.json["data"]["record_url"] is None
    assert not [word for word in ("cancer", "Ann", "7911") if word in mail["body"] + str(post.json)]
    assert notify_staff(context.notices) == {}
    assert not any_notice_due(context.engine)


def test_a_notice_waits_for_the_record_to_link_to_it(context, receiver, environment, box):
    store(context.engine, patient=True)
    assert not any_notice_due(context.engine)
    assert notify_staff(context.notices) == {}
    assert deliver(context.delivery, Lane.FRESH).sent == 1
    assert any_notice_due(context.engine)
    assert notify_staff(context.notices) == {"sent": 2}
    (record,) = rows_of(context.engine, "SELECT zoho_record_id AS id FROM deliveries")
    assert receiver.requests[0].json["data"]["record_url"].endswith(f"/{record['id']}")


def test_nobody_is_told_of_a_held_lead_before_its_release(context, box, receiver):
    record_lead(context.engine, LEAD, held=Held.HONEYPOT, notify=BOTH)
    change(context.engine, "UPDATE staff_notices SET created_at = now() - interval '3 days'")
    assert notify_staff(context.notices) == {}
    assert release(context.engine, by="test") == 1
    assert notify_staff(context.notices) == {"sent": 2}


def test_a_repeat_of_the_same_press_is_told_once(context):
    for _ in range(2):
        record_lead(context.engine, LEAD, idempotency_key="k", request_digest=b"d" * 32, notify=BOTH)
    assert states(context.engine) == [("mail", "pending"), ("webhook", "pending")]


def test_acknowledgement_and_notices_are_stored_with_one_statement(context):
    record_lead(context.engine, LEAD, acknowledge=True, notify=("webhook",), client="c" * 24)
    (mail,) = rows_of(context.engine, "SELECT status, mailbox, client FROM acknowledgements")
    assert mail == {"status": "pending", "mailbox": "ann@example.com", "client": "c" * 24}
    assert states(context.engine) == [("webhook", "pending")]


def test_a_channel_that_fails_delays_no_other_and_is_tried_again(context, receiver):
    for _ in range(3):
        store(context.engine)
    assert notify_staff(context.notices) == {"retrying": 3, "sent": 3}  # no mail server listens
    receiver.status = 503
    store(context.engine)
    assert notify_staff(context.notices) == {"retrying": 2}
    errors = rows_of(context.engine, "SELECT DISTINCT last_error FROM staff_notices WHERE last_error IS NOT NULL")
    assert {row["last_error"] for row in errors} == {"ConnectionRefusedError", "HTTP_503"}
    receiver.status = 200
    make_due(context.engine)
    assert notify_staff(context.notices)["sent"] == 1


def test_a_receiver_that_is_silent_costs_one_wait_for_the_batch(context, receiver, box):
    receiver.silent = True
    for _ in range(5):
        store(context.engine)
    assert notify_staff(context.notices) == {"sent": 5, "retrying": 5}
    assert len(receiver.requests) == 1


def test_a_late_worker_marks_nothing_but_its_success(context):
    store(context.engine)
    (late,) = claim(context.engine)
    make_due(context.engine)
    (current,) = claim(context.engine)
    assert not mark_notice(context.engine, late, settle(late.sync, Retryable("X"), 0))
    assert mark_notice(context.engine, late, settle(late.sync, Delivered(""), 0))
    assert not mark_notice(context.engine, current, settle(current.sync, Retryable("X"), 0))
    assert ("webhook", "sent") in states(context.engine)


def test_a_notice_that_loses_three_workers_is_given_up(context):
    store(context.engine)
    for _ in range(3):
        assert len(claim(context.engine)) == 1
        make_due(context.engine)
    assert claim(context.engine) == []
    assert ("webhook", "dead") in states(context.engine)


def test_an_erased_person_is_told_of_no_more(context, box, receiver):
    store(context.engine)
    erase_person(context.engine, Person(email="ann@example.com"), by="test", key="")
    assert notify_staff(context.notices) == {}
    assert box.mails() == receiver.requests == []


def test_notices_by_a_channel_that_was_switched_off_are_skipped(context, environment):
    store(context.engine)
    quiet = {**environment, "STAFF_MAIL_TO": "", "LEAD_WEBHOOK_URL": ""}
    other = make_context(read_settings(quiet))
    assert notify_staff(other.notices) == {}
    other.close()
    assert states(context.engine) == [("mail", "skipped"), ("webhook", "skipped")]
    assert count_messages(context.engine, "staff_notices").skipped == 2


@pytest.mark.parametrize(
    ("taken", "words"),
    [("SMTP_URL", "MAIL_FROM and SMTP_URL go together"), ("LEAD_WEBHOOK_SECRET", "LEAD_WEBHOOK_URL needs")],
)
def test_a_worker_that_could_not_send_says_so_at_its_start(environment, taken, words):
    with pytest.raises(SettingsError, match=words):
        make_context(read_settings({**environment, taken: ""}))


def test_a_worker_tells_staff_with_redis_away_and_the_crm_down(
    environment, engine, box, receiver, sandbox, tmp_path
):
    sandbox.faults(outage=True)
    receipt = record_lead(engine, LEAD, notify=BOTH)
    with WorkerProcess(environment, tmp_path / "worker.log"):
        wait_for(lambda: bool(box.mails() and receiver.requests), 40, "both notices")
    assert receipt.reference in box.mails()[0]["subject"]
    assert states(engine) == [("mail", "sent"), ("webhook", "sent")]
