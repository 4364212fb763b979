"""One e-mail for each lead: stored with it, sent by the worker, sent again while mail is down, never twice."""

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
import yaml

from leads.call_times import CallTime, promise
from leads.outbox.budgets import is_beyond
from leads.outbox.claim import claim
from tests.support.database import change, rows_of
from tests.support.messages import answer, states
from tests.support.pipeline import deliver
from tests.support.samples import ACKNOWLEDGED, LEAD, record_lead
from worker.destinations.mail import PHOTOS, TEXT, make_acknowledgement

MAIL = {"MAIL_FROM": "enquiries@clinic.example", "MAIL_REPLY_TO": "desk@clinic.example"}
OWED = {"zoho": 0.0, "visitor": 0.0}


@pytest.fixture
def environment(crm_environment, mail_port):
    return {**crm_environment, **MAIL, "SMTP_URL": f"smtp://127.0.0.1:{mail_port}"}


def store(engine, count=1, email="ann@example.com"):
    return [record_lead(engine, {**LEAD, "email": email}, owed=OWED).id for _ in range(count)]


def test_a_lead_is_acknowledged_with_its_reference_and_what_was_chosen(context, box):
    chosen = {"interest": "All-on-4", "already_has": "X-ray, photos"}
    receipt = record_lead(context.engine, {**LEAD, **chosen}, owed=OWED)
    assert deliver(context, "visitor") == ["SENT"]
    (mail,) = box.mails()
    assert mail["recipient"] == "ann@example.com"
    assert mail["message_id"] == f"<{receipt.id}@clinic.example>"
    assert mail["subject"] == f"We have your enquiry, reference {receipt.reference}"
    assert f"Your reference: {receipt.reference}" in mail["body"]
    lines = mail["body"].splitlines()
    assert "You asked about: All-on-4" in lines
    assert "You already have: X-ray, photos" in lines
    assert "Would you rather write? Message us on WhatsApp: https://wa.me/902120000000" in lines
    chat = next(line for line in lines if line.startswith("https://wa.me/902120000000?"))
    assert parse_qs(urlsplit(chat).query) == {"text": [f"My reference is {receipt.reference}. Here are my photos."]}
    assert "Reply-To: desk@clinic.example" in mail["headers"]
    assert "Auto-Submitted: auto-generated" in mail["headers"]
    assert not [word for word in ("You wrote", "Ann", "Example\n", "07911", "447911") if word in mail["body"]]
    assert deliver(context, "visitor") == []


def test_the_mail_repeats_the_question_as_it_was_typed_and_makes_no_link_of_it(context, box):
    question = "<b>Is {call} 3.5 mm?</b>\n\nSee https://www.evil.example/x or a@b.example. " + "Please. " * 600
    record_lead(context.engine, {**LEAD, "message": question.strip()}, owed=OWED)
    assert deliver(context, "visitor") == ["SENT"]
    (mail,) = box.mails()
    quoted = [line for line in mail["body"].splitlines() if line.startswith(">")]
    assert [line.replace("\u200b", "") for line in quoted] == [
        "> <b>Is {call} 3.5 mm?</b>",
        ">",
        "> " + question.splitlines()[2].strip(),
    ]
    assert not re.search(r"://|@b|\.e", "".join(quoted))
    assert "text/html" not in mail["headers"]


def test_the_mail_says_when_the_clinic_calls_in_the_words_of_the_page(context, box):
    now = datetime.now(UTC)
    call = CallTime(now + timedelta(hours=1), now + timedelta(hours=3))
    columns = {"call_from": call.start, "call_until": call.end, "timezone": "Europe/London"}
    record_lead(context.engine, {**LEAD, **columns}, owed=OWED)
    deliver(context, "visitor")
    words = promise(call, accepted_at=now, now=now, timezone="Europe/London", phone=context.settings.clinic_phone)
    assert words in " ".join(box.mails()[0]["body"].split())


def test_photos_are_asked_for_in_the_words_of_the_thank_you_page():
    page = Path(__file__).parents[3] / "frontend/content/thank-you.yaml"
    photos = yaml.safe_load(page.read_text())["thankYou"]["next"]["photos"]
    assert photos["opening"] == PHOTOS
    assert photos["text"].split(": ")[1] in " ".join(TEXT.split())


@pytest.mark.parametrize(
    ("refused", "status"),
    [
        ("450 <ann@example.com> later", "retrying"),
        ("550 <ann@example.com> no", "skipped"),
        ("553 <ann@example.com> no", "skipped"),
        ("554 5.1.1 <ann@example.com> unknown", "skipped"),
        ("550 5.2.1 <ann@example.com> disabled", "skipped"),
        ("550 5.7.1 relaying denied", "retrying"),
        ("552 5.2.2 <ann@example.com> full", "retrying"),
        ("554 blocked", "retrying"),
    ],
)
def test_a_refusal_of_the_address_is_final_and_one_for_the_servers_own_reasons_is_not(
    context, mail_port, refused, status
):
    store(context.engine)
    thread = answer(mail_port, "220 hi", "250 ok", "250 ok", refused, "250 ok", "221 bye")
    deliver(context, "visitor")
    thread.join(5)
    assert states(context.engine, "visitor") == {status: 1}
    owed = rows_of(context.engine, "SELECT last_error FROM deliveries WHERE destination = 'visitor'")
    assert owed == [{"last_error": f"SMTP_{refused[:3]}: recipient refused"}]


def test_an_address_beyond_ascii_and_one_with_a_line_break(context):
    message = make_acknowledgement(context.settings, {**ACKNOWLEDGED, "email": "ann@örnek.com"}, call="")
    assert message["To"] == "ann@xn--rnek-4qa.com"
    with pytest.raises(ValueError, match=r"(?i)header|linefeed"):
        make_acknowledgement(context.settings, {**ACKNOWLEDGED, "email": "a@b.co\nBcc: c@d.co"}, call="")


# Their budgets: nobody is flooded through the form, and no lead is lost over it ----------------------------------


def test_a_fourth_mail_to_one_address_within_a_day_is_skipped_and_its_lead_is_delivered(context, sandbox, box):
    store(context.engine, 5)
    store(context.engine, 1, "bob@example.com")
    assert sorted(deliver(context, "visitor")) == ["LIMIT"] * 2 + ["SENT"] * 4
    assert sorted(mail["recipient"] for mail in box.mails()) == ["ann@example.com"] * 3 + ["bob@example.com"]
    (reason,) = rows_of(context.engine, "SELECT DISTINCT last_error FROM deliveries WHERE status = 'skipped'")
    assert reason["last_error"] == "LIMIT: too many e-mails for one address within a day"
    assert deliver(context) == ["SENT"] * 6
    assert len(sandbox.records()) == 6


@pytest.mark.parametrize("other", ["ann@example.com", "Ann+sale@Example.Com"])
def test_mails_of_the_same_day_count_and_those_of_the_day_before_do_not(context, box, other):
    store(context.engine, 3, other)
    deliver(context, "visitor")
    store(context.engine, 1)
    assert deliver(context, "visitor") == ["LIMIT"]
    change(context.engine, "UPDATE deliveries SET sent_at = sent_at - interval '23 hours'")
    store(context.engine, 1, other)
    assert deliver(context, "visitor") == ["LIMIT"]
    change(context.engine, "UPDATE deliveries SET sent_at = sent_at - interval '2 hours'")
    store(context.engine, 1, other)
    assert deliver(context, "visitor") == ["SENT"]


def test_of_mails_that_several_workers_send_at_once_the_earliest_count(engine):
    ids = [store(engine, 1)[0] for _ in range(5)]
    assert all(claim(engine, "visitor", row_id, call_id="c") for row_id in ids)
    assert [is_beyond(engine, row_id, "ann@example.com") for row_id in ids] == [False] * 3 + [True] * 2
