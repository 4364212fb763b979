"""One e-mail for each lead: stored with it, sent by the worker, sent again while mail is down, never twice."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.parse import parse_qs, urlsplit
from uuid import uuid4

import pytest
import yaml

from leads.call_times import CallTime, promise
from leads.outbox.claim import find_due
from leads.outbox.holds import Held
from leads.outbox.operate import Change
from leads.outbox.selection import STATES, Selection
from tests.support.database import change, rows_of
from tests.support.messages import answer, states
from tests.support.pipeline import deliver
from tests.support.samples import LEAD, record_lead
from worker.destinations.mail import PHOTOS, TEXT, make_acknowledgement

MAIL = {
    "MAIL_FROM": "enquiries@clinic.example",
    "MAIL_REPLY_TO": "desk@clinic.example",
}
OWED = {"zoho": 0.0, "visitor": 0.0}


@pytest.fixture
def environment(crm_environment, mail_port):
    return {**crm_environment, **MAIL, "SMTP_URL": f"smtp://127.0.0.1:{mail_port}"}


def store(engine, count=1, **values):
    return [
        record_lead(engine, {**LEAD, "email": f"ann{n}@example.com", **values}, owed=OWED).id for n in range(count)
    ]


def owed(engine):
    return rows_of(
        engine,
        "SELECT status, retry_count, last_error, lost_leases FROM deliveries WHERE destination = 'visitor'",
    )


def due(engine):
    return [row_id for _, row_id in find_due(engine, ["visitor"], limit=9)]


def test_a_lead_is_acknowledged_with_its_reference_and_nothing_of_the_enquiry(context, box):
    receipt = record_lead(context.engine, {**LEAD, "message": "Is it cancer?"}, owed=OWED)
    assert deliver(context, "visitor") == ["SENT"]
    (mail,) = box.mails()
    assert mail["recipient"] == "ann@example.com"
    assert mail["message_id"] == f"<{receipt.id}@clinic.example>"
    assert mail["subject"] == f"We have your enquiry, reference {receipt.reference}"
    assert f"Your reference: {receipt.reference}" in mail["body"]
    lines = mail["body"].splitlines()
    assert "Would you rather write? Message us on WhatsApp: https://wa.me/902120000000" in lines
    chat = next(line for line in lines if line.startswith("https://wa.me/902120000000?"))
    assert parse_qs(urlsplit(chat).query) == {"text": [f"My reference is {receipt.reference}. Here are my photos."]}
    assert "Reply-To: desk@clinic.example" in mail["headers"]
    assert "Auto-Submitted: auto-generated" in mail["headers"]
    assert not [word for word in ("cancer", "Ann", "Example\n", "07911", "447911") if word in mail["body"]]
    assert deliver(context, "visitor") == []


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


def test_a_held_leads_mail_is_owed_from_its_release_on(context):
    held = [record_lead(context.engine, LEAD, held=Held.ADDRESS, owed=OWED).id for _ in range(2)]
    change(
        context.engine,
        "UPDATE deliveries SET queued_at = now() - interval '2 days' WHERE id = :id",
        id=held[1],
    )
    assert due(context.engine) == []
    assert sum(Change.RELEASED.make(context.engine, Selection(states=STATES), by="test")) == 2
    assert states(context.engine, "zoho") == {"pending": 2}
    assert due(context.engine) == [held[0]]


@pytest.mark.parametrize(
    ("refused", "status"),
    [
        ("450 <ann0@example.com> later", "retrying"),
        ("550 <ann0@example.com> no", "skipped"),
        ("553 <ann0@example.com> no", "skipped"),
        ("554 5.1.1 <ann0@example.com> unknown", "skipped"),
        ("550 5.2.1 <ann0@example.com> disabled", "skipped"),
        ("550 5.7.1 relaying denied", "retrying"),
        ("552 5.2.2 <ann0@example.com> full", "retrying"),
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
    assert owed(context.engine)[0]["last_error"] == f"SMTP_{refused[:3]}: recipient refused"


def test_an_address_beyond_ascii_and_one_with_a_line_break(context):
    message = make_acknowledgement(
        context.settings, lead_id=uuid4(), reference="123456", to="ann@örnek.com", call=""
    )
    assert message["To"] == "ann@xn--rnek-4qa.com"
    with pytest.raises(ValueError, match=r"(?i)header|linefeed"):
        make_acknowledgement(context.settings, lead_id=uuid4(), reference="1", to="a@b.co\nBcc: c@d.co", call="")
