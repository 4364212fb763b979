"""Staff are told of each lead once, by each channel, also while the CRM is down; never of a held one."""

from __future__ import annotations

import pytest

from leads.destinations import PATIENCE_SECONDS
from leads.settings import SettingsError
from tests.support.database import change, rows_of
from tests.support.messages import answer, last_code, states
from tests.support.pipeline import deliver
from tests.support.samples import LEAD, record_lead
from worker.context import get_context

OWED = {"zoho": 0.0, "staff-mail": 0.0, "staff-webhook": 0.0}
PATIENT = {"zoho": 0.0, "staff-mail": PATIENCE_SECONDS, "staff-webhook": PATIENCE_SECONDS}
SENT = {"staff-mail": ["SENT"], "staff-webhook": ["SENT"]}


@pytest.fixture
def environment(staff_environment):
    return staff_environment


def store(engine, count=1, *, patient=False, **values):
    """Store leads whose notices are due now, or with `patient` not before the CRM has them."""
    stored = [record_lead(engine, {**LEAD, **values}, owed=PATIENT if patient else OWED) for _ in range(count)]
    return stored[0] if count == 1 else stored


def notify(context):
    """Send what is due to staff; gives the codes of the outcomes, by destination."""
    sent = {name: deliver(context, name) for name in ("staff-mail", "staff-webhook")}
    return {name: codes for name, codes in sent.items() if codes}


def notices(engine):
    found = rows_of(engine, "SELECT * FROM deliveries WHERE destination LIKE 'staff-%' ORDER BY destination, id")
    return {row["destination"]: row for row in found}


def test_staff_are_told_once_by_each_channel_while_the_crm_has_nothing(context, box, receiver):
    receipt = store(context.engine, message="Is it cancer?")
    assert notify(context) == SENT
    (mail,), (post,) = box.mails(), receiver.requests
    assert mail["recipient"] == "sales@clinic.example"
    assert mail["subject"] == f"New enquiry {receipt.reference} from United Kingdom"
    assert post.headers["webhook-id"] == str(receipt.id)
    assert post.json["data"]["reference"] == receipt.reference
    assert post.json["data"]["record_url"] is None
    assert not [word for word in ("cancer", "Ann", "7911") if word in mail["body"] + str(post.json)]
    assert notify(context) == {}


def test_one_receiver_of_two_who_is_refused_does_not_multiply_the_others_mail(make_context, mail_port, run):
    context = make_context(STAFF_MAIL_TO="a@clinic.example, b@clinic.example")
    store(context.engine)
    answers = ["220 hi", "250 ok", "250 ok", "250 ok", "550 5.1.1 <b@clinic.example> gone", "354 go"]
    thread = answer(mail_port, *answers, "250 taken", "221 bye")
    assert deliver(context, "staff-mail") == ["SMTP_550"]
    thread.join(5)
    assert states(context.engine, "staff-mail") == {"sent": 1}
    assert last_code(context.engine, "staff-mail") == "SMTP_550"
    assert "an address of STAFF_MAIL_TO was refused 1 times within a day" in " ".join(run("status").output.split())


def test_a_dead_notice_is_redriven_without_what_else_is_dead(context, run, box):
    store(context.engine)
    change(context.engine, "UPDATE deliveries SET status = 'dead', last_error = 'HTTP_500'")
    change(context.engine, "UPDATE deliveries SET last_error = 'SMTP_550: no' WHERE destination = 'staff-mail'")
    shown = run("waiting", "--state", "dead", "--destination", "staff-mail").output
    assert "SMTP_550" in shown
    assert "zoho" not in shown
    assert "1 row redriven." in run("redrive", "--code", "SMTP_550").output
    assert (states(context.engine, "zoho"), states(context.engine, "staff-webhook")) == ({"dead": 1}, {"dead": 1})
    assert deliver(context, "staff-mail") == ["SENT"]
    assert len(box.mails()) == 1


def test_a_destination_that_does_not_exist_is_named_with_those_that_do(run):
    told = run("pause", "--destination", "fax", "--why", "x")
    assert told.exit_code == 2
    assert "fax is no destination; there are zoho, staff-mail, staff-webhook, visitor" in told.output


def test_notices_of_a_destination_that_this_worker_does_not_know_are_left_alone(context, make_context):
    """As in a rolling deployment that adds one: a newer worker sends them."""
    store(context.engine)
    other = make_context(STAFF_MAIL_TO="", LEAD_WEBHOOK_URL="")
    assert other.deliveries.destinations.keys() == {"zoho", "visitor"}
    assert states(context.engine, "staff-mail") == {"pending": 1}


@pytest.mark.parametrize(
    ("taken", "words"),
    [("SMTP_URL", "MAIL_FROM and SMTP_URL go together"), ("LEAD_WEBHOOK_SECRET", "LEAD_WEBHOOK_URL needs")],
)
def test_a_worker_that_could_not_send_says_so_at_its_start(environment, monkeypatch, taken, words):
    for name, value in (environment | {taken: "", "ERASURE_KEY": "0123456789abcdef"}).items():
        monkeypatch.setenv(name, value)
    with pytest.raises(SettingsError, match=words):
        get_context.__wrapped__()
