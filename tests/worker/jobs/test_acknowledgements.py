"""One e-mail for each lead: stored with it, sent by the worker, retried while mail is down, never twice."""

from __future__ import annotations

import socket
import threading
from pathlib import Path
from urllib.parse import parse_qs, urlsplit
from uuid import uuid4

import pytest
import yaml

from dev.servers.state_files import free_port
from dev.visitors import GENEROUS
from leads.lifecycle import Delivered, Retryable, settle
from leads.mail.acknowledgements import MailBudgets, any_owed, claim_owed, mark_owed
from leads.outbox.holds import Held
from leads.outbox.release import release
from leads.outbox.store import record_lead
from leads.privacy.erasure import Person, erase_person
from leads.settings import read_settings
from sandbox.process import SandboxProcess
from tests.support.database import change, rows_of
from tests.support.processes import WorkerProcess, wait_for
from tests.support.samples import LEAD
from worker.context import make_context
from worker.jobs.acknowledgements import acknowledge
from worker.jobs.smtp import PHOTOS, TEXT, make_acknowledgement

MAIL = {
    "MAIL_FROM": "enquiries@clinic.example",
    "MAIL_TIMEOUT_SECONDS": "0.5",
    "MAIL_LEASE_SECONDS": "6",
    "MAIL_REPLY_TO": "desk@clinic.example",
}


BUDGETS = MailBudgets(per_mailbox=3, per_domain=1000, per_client=1000, per_hour=1000)


@pytest.fixture
def mail_port():
    return free_port()


@pytest.fixture
def environment(crm_environment, mail_port):
    return {**crm_environment, **MAIL, "SMTP_URL": f"smtp://127.0.0.1:{mail_port}", "CRM_TICK_SECONDS": "0.3"}


@pytest.fixture
def context(environment):
    context = make_context(read_settings(environment))
    yield context
    context.close()


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
        record_lead(engine, {**LEAD, "email": f"ann{n}@example.com", **values}, acknowledge=True).id
        for n in range(count)
    ]


def owed(engine):
    return rows_of(engine, "SELECT status, retry_count, last_error, lost_leases FROM acknowledgements")


def claim(engine):
    mails, _ = claim_owed(engine, rows=1, lease_seconds=60, budgets=BUDGETS)
    return mails


def make_due(engine):
    change(engine, "UPDATE acknowledgements SET next_retry_at = now() WHERE status IN ('retrying', 'sending')")


def test_a_lead_is_acknowledged_with_its_reference_and_nothing_of_the_enquiry(context, start_mail):
    box = start_mail()
    receipt = record_lead(context.engine, {**LEAD, "message": "Is it cancer?"}, acknowledge=True)
    assert acknowledge(context.mail) == {"sent": 1}
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
    assert acknowledge(context.mail) == {}
    assert not any_owed(context.engine)


def test_photos_are_asked_for_in_the_words_of_the_thank_you_page():
    page = Path(__file__).parents[3] / "frontend/content/thank-you.yaml"
    photos = yaml.safe_load(page.read_text())["thankYou"]["next"]["photos"]
    assert photos["opening"] == PHOTOS
    assert photos["text"].split(": ")[1] in " ".join(TEXT.split())


def test_a_held_lead_and_a_repeat_of_the_same_press_are_owed_nothing_now(context):
    held = record_lead(context.engine, LEAD, held=Held.HONEYPOT, acknowledge=True)
    first = record_lead(context.engine, LEAD, idempotency_key="k", request_digest=b"d" * 32, acknowledge=True)
    again = record_lead(context.engine, LEAD, idempotency_key="k", request_digest=b"d" * 32, acknowledge=True)
    assert again.id == first.id != held.id
    stored = rows_of(context.engine, "SELECT lead_id, status FROM acknowledgements")
    assert {row["lead_id"]: row["status"] for row in stored} == {first.id: "pending", held.id: "held"}
    (mail,) = claim(context.engine)
    assert mail.lead_id == first.id


def test_a_held_leads_mail_is_owed_from_its_release_on(context):
    held = [record_lead(context.engine, LEAD, held=Held.ADDRESS, acknowledge=True).id for _ in range(2)]
    change(
        context.engine,
        "UPDATE acknowledgements SET created_at = now() - interval '2 days' WHERE lead_id = :id",
        id=held[1],
    )
    assert not any_owed(context.engine)
    assert release(context.engine, by="test") == 2
    assert [mail.lead_id for mail in claim(context.engine)] == [held[0]]


def test_without_a_mail_server_nothing_is_owed_or_sent(crm_environment, engine):
    record_lead(engine, LEAD)
    assert owed(engine) == []
    context = make_context(read_settings(crm_environment))
    store(engine)
    assert acknowledge(context.mail) == {}
    assert [row["status"] for row in owed(engine)] == ["pending"]
    context.close()


def test_a_mail_server_that_is_down_costs_a_try_and_the_lifecycles_wait(context):
    store(context.engine, 3)
    assert acknowledge(context.mail) == {"retrying": 3}
    assert {(row["status"], row["retry_count"]) for row in owed(context.engine)} == {("retrying", 1)}
    (wait,) = rows_of(
        context.engine, "SELECT min(extract(epoch FROM next_retry_at - now())) AS s FROM acknowledgements"
    )
    assert 7 < wait["s"] <= 12
    assert acknowledge(context.mail) == {}


def test_a_mail_that_could_not_be_sent_for_three_days_is_given_up(context):
    store(context.engine)
    change(context.engine, "UPDATE acknowledgements SET retry_count = 25, created_at = now() - interval '73 hours'")
    assert acknowledge(context.mail) == {"dead": 1}
    assert not any_owed(context.engine)


def test_a_server_that_accepts_and_says_nothing_does_not_hold_the_worker(context, mail_port):
    store(context.engine)
    with socket.create_server(("127.0.0.1", mail_port)):
        assert acknowledge(context.mail) == {"retrying": 1}
    assert "Disconnected" in owed(context.engine)[0]["last_error"]


@pytest.mark.parametrize(("code", "status"), [(450, "retrying"), (550, "dead")])
def test_a_refused_recipient_is_retried_or_given_up_as_the_server_says(context, mail_port, code, status):
    answers = ["220 hi", "250 ok", "250 ok", f"{code} <ann0@example.com> no", "250 ok", "221 bye"]

    def serve(listener):
        connection, _ = listener.accept()
        with connection, connection.makefile("rwb") as lines:
            for answer in answers:
                lines.write(f"{answer}\r\n".encode())
                lines.flush()
                lines.readline()

    store(context.engine)
    with socket.create_server(("127.0.0.1", mail_port)) as listener:
        thread = threading.Thread(target=serve, args=(listener,))
        thread.start()
        assert acknowledge(context.mail) == {status: 1}
        thread.join(5)
    assert owed(context.engine)[0]["last_error"] == f"SMTP_{code}: recipient refused"


def test_a_late_worker_marks_nothing_but_its_success(context):
    store(context.engine)
    (late,) = claim(context.engine)
    make_due(context.engine)
    (current,) = claim(context.engine)
    assert not mark_owed(context.engine, late, settle(late.sync, Retryable("X"), 0))
    assert current.sync.lost_leases == 1
    assert mark_owed(context.engine, late, settle(late.sync, Delivered(""), 0))
    assert not mark_owed(context.engine, current, settle(current.sync, Retryable("X"), 0))
    assert [row["status"] for row in owed(context.engine)] == ["sent"]


def test_a_mail_that_loses_three_workers_is_given_up(context):
    store(context.engine)
    for _ in range(3):
        assert len(claim(context.engine)) == 1
        make_due(context.engine)
    assert claim(context.engine) == []
    assert [(row["status"], row["lost_leases"]) for row in owed(context.engine)] == [("dead", 3)]


def test_an_erased_person_gets_no_mail(context, start_mail):
    box = start_mail()
    store(context.engine)
    erase_person(context.engine, Person(email="ANN0@example.com"), by="test", key="")
    assert acknowledge(context.mail) == {}
    assert box.mails() == []


def test_an_address_beyond_ascii_and_one_with_a_line_break(context):
    message = make_acknowledgement(context.settings, lead_id=uuid4(), reference="123456", to="ann@örnek.com")
    assert message["To"] == "ann@xn--rnek-4qa.com"
    with pytest.raises(ValueError, match=r"(?i)header|linefeed"):
        make_acknowledgement(context.settings, lead_id=uuid4(), reference="1", to="a@b.co\nBcc: c@d.co")


@pytest.mark.drill
@pytest.mark.parametrize("redis", [True, False], ids=["with-redis", "redis-away"])
def test_each_lead_gets_one_mail_although_server_and_worker_died(
    engine, sandbox, environment, start_mail, valkey, tmp_path, redis
):
    """The server is down at first; a worker is killed between the server's yes and its own mark."""
    environment = environment | GENEROUS | ({"REDIS_URL": valkey.url} if redis else {})
    ids = store(engine, 30)
    with WorkerProcess(environment, tmp_path / "log1") as worker:
        wait_for(lambda: {row["status"] for row in owed(engine)} == {"retrying"}, 30, "tries in vain")
        box = start_mail()
        box.faults(latency={"ms": 400})
        make_due(engine)
        wait_for(lambda: len(box.mails()) >= 2, 30, "two mails")
        worker.kill()
    box.only_faults()
    sent = rows_of(engine, "SELECT 1 FROM acknowledgements WHERE status = 'sent'")
    assert len(sent) < len(box.mails()) < 30
    with WorkerProcess(environment, tmp_path / "log2", name="w2"):
        wait_for(lambda: {row["status"] for row in owed(engine)} == {"sent"}, 40, "all mails")
    mails = box.mails()
    assert sorted(mail["message_id"] for mail in mails) == sorted(f"<{lead}@clinic.example>" for lead in ids)
    assert sum(mail["received"] for mail in mails) == 31
    logged = (tmp_path / "log1").read_text() + (tmp_path / "log2").read_text()
    assert "@example.com" not in logged
    assert len(sandbox.records()) == 30
