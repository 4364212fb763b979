"""One e-mail for each lead: stored with it, sent by the worker, sent again while mail is down, never twice."""

from __future__ import annotations

import socket
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.parse import parse_qs, urlsplit
from uuid import uuid4

import pytest
import yaml
from leads.outbox.lease import begin, claim

from leads.call_times import CallTime, promise
from leads.outbox.holds import Held
from leads.outbox.rows import Lane
from leads.outbox.selection import release
from leads.outbox.store import record_lead
from leads.privacy.erasure import Person, erase_person
from leads.settings import read_settings
from sandbox.process import SandboxProcess
from tests.support.database import change, rows_of
from tests.support.messages import answer, last_code, make_due, send, states
from tests.support.processes import WorkerProcess, wait_for
from tests.support.samples import LEAD
from worker.destinations.smtp import PHOTOS, TEXT, make_acknowledgement

MAIL = {
    "MAIL_FROM": "enquiries@clinic.example",
    "MAIL_REPLY_TO": "desk@clinic.example",
}
OWED = {"zoho": 0.0, "visitor": 0.0}


@pytest.fixture
def environment(crm_environment, mail_port):
    return {**crm_environment, **MAIL, "SMTP_URL": f"smtp://127.0.0.1:{mail_port}", "CRM_TICK_SECONDS": "0.3"}


@pytest.fixture
def start_mail(tmp_path, mail_port):
    started = []

    def start():
        started.append(SandboxProcess.start(tmp_path / "mail", mail_port=mail_port))
        return started[-1]

    yield start
    for process in started:
        process.stop()


def store(engine, count=1, **values):
    return [
        record_lead(engine, {**LEAD, "email": f"ann{n}@example.com", **values}, owed=OWED).id for n in range(count)
    ]


def owed(engine):
    return rows_of(
        engine,
        "SELECT status, retry_count, last_error, lost_leases FROM deliveries WHERE destination = 'visitor'",
    )


def take(engine, lane=Lane.FRESH, lease=60.0):
    return claim(engine, lane, rows=1, lease_seconds=lease, call_id=uuid4().hex, destination="visitor")


def test_a_lead_is_acknowledged_with_its_reference_and_nothing_of_the_enquiry(context, start_mail):
    box = start_mail()
    receipt = record_lead(context.engine, {**LEAD, "message": "Is it cancer?"}, owed=OWED)
    assert send(context, "visitor") == {"sent": 1}
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
    assert "Auto-Submitted: auto-replied" in mail["headers"]
    assert not [word for word in ("cancer", "Ann", "Example\n", "07911", "447911") if word in mail["body"]]
    assert send(context, "visitor") == {}


def test_the_mail_says_when_the_clinic_calls_in_the_words_of_the_page(context, start_mail):
    box = start_mail()
    now = datetime.now(UTC)
    call = CallTime(now + timedelta(hours=1), now + timedelta(hours=3))
    columns = {"call_from": call.start, "call_until": call.end, "timezone": "Europe/London"}
    record_lead(context.engine, {**LEAD, **columns}, owed=OWED)
    send(context, "visitor")
    words = promise(call, accepted_at=now, now=now, timezone="Europe/London", phone=context.settings.clinic_phone)
    assert words in " ".join(box.mails()[0]["body"].split())


def test_photos_are_asked_for_in_the_words_of_the_thank_you_page():
    page = Path(__file__).parents[3] / "frontend/content/thank-you.yaml"
    photos = yaml.safe_load(page.read_text())["thankYou"]["next"]["photos"]
    assert photos["opening"] == PHOTOS
    assert photos["text"].split(": ")[1] in " ".join(TEXT.split())


def test_a_held_lead_and_a_repeat_of_the_same_press_are_owed_nothing_now(context):
    held = record_lead(context.engine, LEAD, held=Held.HONEYPOT, owed=OWED)
    first = record_lead(context.engine, LEAD, idempotency_key="k", request_digest=b"d" * 32, owed=OWED)
    again = record_lead(context.engine, LEAD, idempotency_key="k", request_digest=b"d" * 32, owed=OWED)
    assert again.id == first.id != held.id
    stored = rows_of(context.engine, "SELECT id, status FROM deliveries WHERE destination = 'visitor'")
    assert {row["id"]: row["status"] for row in stored} == {first.id: "pending", held.id: "held"}
    (mail,) = take(context.engine)
    assert mail.id == first.id


def test_a_held_leads_mail_is_owed_from_its_release_on(context):
    held = [record_lead(context.engine, LEAD, held=Held.ADDRESS, owed=OWED).id for _ in range(2)]
    change(
        context.engine,
        "UPDATE deliveries SET queued_at = now() - interval '2 days' WHERE id = :id",
        id=held[1],
    )
    assert take(context.engine) == []
    assert release(context.engine, by="test") == 2
    assert states(context.engine, "zoho") == {"pending": 2}
    assert [mail.id for mail in take(context.engine)] == [held[0]]
    assert take(context.engine) == []


def test_without_a_mail_server_nothing_is_owed(crm_environment, engine):
    with pytest.raises(KeyError):
        read_settings(crm_environment).lead_destinations["visitor"]
    record_lead(engine, LEAD)
    assert owed(engine) == []


def test_a_mail_server_that_is_down_costs_no_try(context):
    store(context.engine, 3)
    assert send(context, "visitor") == {"deferred": 3}
    assert {(row["status"], row["retry_count"]) for row in owed(context.engine)} == {("pending", 0)}
    assert last_code(context.engine, "visitor") == "ConnectionRefusedError"
    (wait,) = rows_of(
        context.engine,
        "SELECT min(extract(epoch FROM next_retry_at - now())) AS s FROM deliveries WHERE destination = 'visitor'",
    )
    assert 25 < wait["s"] <= 30
    assert send(context, "visitor") == {}


def test_a_server_that_is_down_shuts_its_own_gate_and_a_probe_opens_it(context, start_mail):
    store(context.engine, 3)
    for _ in range(5):
        assert send(context, "visitor") == {"deferred": 3}
        make_due(context.engine)
    (gate,) = rows_of(context.engine, "SELECT state, reason FROM gates WHERE destination = 'visitor'")
    assert gate == {"state": "shut", "reason": "outage"}
    assert send(context, "visitor") == {}
    assert rows_of(context.engine, "SELECT state FROM crm_gate") == [{"state": "open"}]
    start_mail()
    for _ in range(2):
        change(context.engine, "UPDATE gates SET until_at = now() WHERE until_at IS NOT NULL")
        send(context, "visitor")
    assert rows_of(context.engine, "SELECT DISTINCT state FROM gates") == [{"state": "open"}]
    send(context, "visitor")
    assert {(row["status"], row["retry_count"]) for row in owed(context.engine)} == {("sent", 0)}


def test_a_mail_that_could_not_be_sent_for_three_days_is_given_up(context, mail_port):
    store(context.engine)
    change(
        context.engine,
        "UPDATE deliveries SET retry_count = 25, queued_at = now() - interval '73 hours'"
        " WHERE destination = 'visitor'",
    )
    thread = answer(mail_port, "220 hi", "250 ok", "250 ok", "450 later", "250 ok", "221 bye")
    assert send(context, "visitor") == {"dead": 1}
    thread.join(5)


def test_a_server_that_accepts_and_says_nothing_does_not_hold_the_worker(context, mail_port, monkeypatch):
    monkeypatch.setattr("worker.destinations.smtp.REPLY_SECONDS", 0.5)
    store(context.engine)
    with socket.create_server(("127.0.0.1", mail_port)):
        assert send(context, "visitor") == {"deferred": 1}
    assert last_code(context.engine, "visitor") == "TIMEOUT"


@pytest.mark.parametrize(
    ("refused", "status"),
    [
        ("450 <ann0@example.com> later", "retrying"),
        ("550 <ann0@example.com> no", "dead"),
        ("553 <ann0@example.com> no", "dead"),
        ("554 5.1.1 <ann0@example.com> unknown", "dead"),
        ("550 5.2.1 <ann0@example.com> disabled", "dead"),
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
    assert send(context, "visitor") == {status: 1}
    thread.join(5)
    assert owed(context.engine)[0]["last_error"] == f"SMTP_{refused[:3]}: recipient refused"


def test_a_message_that_the_server_refuses_is_tried_again(context, mail_port):
    store(context.engine)
    answers = ["220 hi", "250 ok", "250 ok", "250 ok", "354 go", "554 5.7.1 looks like spam", "250 ok", "221 bye"]
    thread = answer(mail_port, *answers)
    assert send(context, "visitor") == {"retrying": 1}
    thread.join(5)
    assert last_code(context.engine, "visitor") == "SMTP_554"


def test_an_erased_person_gets_no_mail(context, start_mail):
    box = start_mail()
    store(context.engine)
    erase_person(context.engine, Person(email="ANN0@example.com"), by="test", key="")
    assert send(context, "visitor") == {}
    assert box.mails() == []


def test_a_person_who_is_erased_after_the_claim_gets_no_mail(context, start_mail, monkeypatch):
    """The message begins only while its lease holds, and an erased row has none."""
    box = start_mail()
    store(context.engine, 2)

    def erase_first(engine, rows):
        erase_person(context.engine, Person(email="ann1@example.com"), by="test", key="")
        return begin(engine, rows)

    monkeypatch.setattr("worker.delivery.deliver.begin", erase_first)
    assert send(context, "visitor") == {"sent": 1, "deferred": 1, "fenced": 1}
    assert [mail["recipient"] for mail in box.mails()] == ["ann0@example.com"]


def test_an_address_beyond_ascii_and_one_with_a_line_break(context):
    message = make_acknowledgement(
        context.settings, lead_id=uuid4(), reference="123456", to="ann@örnek.com", call=""
    )
    assert message["To"] == "ann@xn--rnek-4qa.com"
    with pytest.raises(ValueError, match=r"(?i)header|linefeed"):
        make_acknowledgement(context.settings, lead_id=uuid4(), reference="1", to="a@b.co\nBcc: c@d.co", call="")


@pytest.mark.drill
@pytest.mark.parametrize("redis", [True, False], ids=["with-redis", "redis-away"])
def test_each_lead_gets_one_mail_although_server_and_worker_died(
    engine, sandbox, environment, start_mail, valkey, tmp_path, redis
):
    """The server is down at first; a worker is killed between the server's yes and its own mark."""
    environment = environment | ({"REDIS_URL": valkey.url} if redis else {})
    ids = store(engine, 30)
    tried = "SELECT 1 FROM attempts WHERE destination = 'visitor' AND event = 'deferred'"
    with WorkerProcess(environment, tmp_path / "log1") as worker:
        wait_for(lambda: len(rows_of(engine, tried)) >= 20, 30, "tries in vain")
        box = start_mail()
        box.faults(latency={"ms": 400})
        change(engine, "UPDATE gates SET state = 'open', until_at = NULL, reason = NULL, failures = 0")
        make_due(engine)
        wait_for(lambda: len(box.mails()) >= 2, 30, "two mails")
        worker.kill()
    box.only_faults()
    sent = states(engine, "visitor").get("sent", 0)
    assert sent < len(box.mails()) < 30
    change(engine, "UPDATE deliveries SET next_retry_at = now() WHERE status = 'sending'")
    change(engine, "UPDATE call_slots SET until_at = now()")
    with WorkerProcess(environment, tmp_path / "log2", name="w2"):
        wait_for(lambda: states(engine, "visitor") == {"sent": 30}, 40, "all mails")
    mails = box.mails()
    assert sorted(mail["message_id"] for mail in mails) == sorted(f"<{lead}@clinic.example>" for lead in ids)
    assert sum(mail["received"] for mail in mails) == 31
    # Only the mail that had begun is charged with the worker's death.
    assert sorted(row["lost_leases"] for row in owed(engine)) == [0] * 29 + [1]
    logged = (tmp_path / "log1").read_text() + (tmp_path / "log2").read_text()
    assert "@example.com" not in logged
    assert len(sandbox.records()) == 30
