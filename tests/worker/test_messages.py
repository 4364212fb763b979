"""Messages are rows of the same outbox: told once, whatever happens to another destination."""

import threading

import pytest

from leads.destinations import CRM, STAFF_MAIL, STAFF_WEBHOOK, VISITOR
from leads.lifecycle import Reason
from leads.outbox.claim import find_due
from leads.outbox.pause import read_destinations
from leads.settings import SettingsError
from tests.support.database import change
from tests.support.messages import EVERYBODY, answer, last_code, states
from tests.support.pipeline import crm_record, deliver
from tests.support.samples import LEAD, record_lead
from worker.context import get_context

MESSAGES = (VISITOR, STAFF_MAIL, STAFF_WEBHOOK)


@pytest.fixture
def environment(staff_environment):
    return staff_environment


def store(engine, count=1, **values):
    for number in range(count):
        stored = record_lead(engine, {**LEAD, "email": f"a{number}@example.com", **values}, owed=EVERYBODY)
    return stored


def test_visitor_and_staff_get_one_message_each_whether_the_crm_has_the_record_or_not(
    context, sandbox, box, receiver
):
    receipt = store(context.engine, message="Is it cancer?")
    assert deliver(context, *MESSAGES) == ["SENT"] * 3
    assert deliver(context, *MESSAGES) == []
    mails = {mail["recipient"]: mail for mail in box.mails()}
    assert mails.keys() == {"a0@example.com", "sales@clinic.example"}
    staff = mails["sales@clinic.example"]
    assert staff["subject"] == f"New enquiry {receipt.reference} from United Kingdom"
    (post,) = receiver.requests
    assert post.headers["webhook-id"] == str(receipt.id)
    assert (post.json["data"]["reference"], post.json["data"]["record_url"]) == (receipt.reference, None)
    assert not [word for word in ("cancer", "Ann", "7911") if word in staff["body"] + str(post.json)]
    second = store(context.engine)
    deliver(context)
    deliver(context, STAFF_WEBHOOK)
    record = crm_record(sandbox, second.id)
    assert receiver.requests[1].json["data"]["record_url"].endswith(f"/{record['id']}")


def test_a_server_that_is_down_pauses_its_own_destinations_alone(context, sandbox, receiver):
    store(context.engine, 5)
    assert deliver(context, CRM, STAFF_MAIL, STAFF_WEBHOOK).count("SENT") == 10
    paused = {name: each.reason for name, each in read_destinations(context.engine).items()}
    assert paused == {CRM: None, STAFF_MAIL: Reason.OUTAGE, STAFF_WEBHOOK: None, VISITOR: None}


def test_a_message_that_the_crm_refused_to_take_says_so(context, receiver):
    store(context.engine)
    change(context.engine, """UPDATE deliveries SET status = 'retrying', refused_at = now(),
        last_error = 'MANDATORY_NOT_FOUND: Branch', next_retry_at = now() + interval '1 h'
        WHERE destination = 'zoho'""")  # fmt: skip
    deliver(context, STAFF_WEBHOOK)
    assert receiver.requests[0].json["data"]["refusal"] == "MANDATORY_NOT_FOUND"


@pytest.mark.parametrize(
    ("first", "then", "status"),
    [
        ("250 ok", ["354 go", "250 taken", "221 bye"], "sent"),
        ("550 5.1.1 <a@clinic.example> gone", ["250 reset", "221 bye"], "retrying"),
    ],
)
def test_mail_goes_again_when_every_receiver_was_refused_and_not_when_one_was(
    make_context, mail_port, run, first, then, status
):
    context = make_context(STAFF_MAIL_TO="a@clinic.example, b@clinic.example")
    store(context.engine)
    thread = answer(mail_port, "220 hi", "250 ok", "250 ok", first, "550 5.1.1 <b@clinic.example> gone", *then)
    assert deliver(context, STAFF_MAIL) == ["SMTP_550"]
    thread.join(5)
    assert states(context.engine, STAFF_MAIL) == {status: 1}
    assert last_code(context.engine, STAFF_MAIL) == "SMTP_550"
    told = "an address of STAFF_MAIL_TO was refused 1 times within a day" in " ".join(run("status").output.split())
    assert told == (status == "sent")


def test_a_slow_destination_takes_no_more_than_its_calls(context, sandbox, receiver):
    """And others go on meanwhile."""
    receiver.silent = True
    store(context.engine, 3)
    due = [row_id for _, row_id in find_due(context.engine, [STAFF_WEBHOOK], limit=9)]
    work = context.deliveries
    busy = [threading.Thread(target=work.deliver, args=(STAFF_WEBHOOK, row_id), daemon=True) for row_id in due[:2]]
    for thread in busy:
        thread.start()
    while states(context.engine, STAFF_WEBHOOK).get("sending", 0) < 2:
        threading.Event().wait(0.02)
    assert work.deliver(STAFF_WEBHOOK, due[2]) is None
    assert deliver(context) == ["SENT"] * 3
    receiver.close()
    for thread in busy:
        thread.join()


def test_a_destination_that_does_not_exist_is_named_with_those_that_do(run):
    told = run("pause", "--destination", "fax", "--why", "x")
    assert told.exit_code == 2
    assert "fax is no destination; there are zoho, staff-mail, staff-webhook, visitor" in told.output


@pytest.mark.parametrize(
    ("taken", "words"),
    [("SMTP_URL", "MAIL_FROM and SMTP_URL go together"), ("LEAD_WEBHOOK_SECRET", "LEAD_WEBHOOK_URL needs")],
)
def test_a_worker_that_could_not_send_says_so_at_its_start(environment, monkeypatch, taken, words):
    for name, value in (environment | {taken: "", "ERASURE_KEY": "0123456789abcdef"}).items():
        monkeypatch.setenv(name, value)
    with pytest.raises(SettingsError, match=words):
        get_context.__wrapped__()
