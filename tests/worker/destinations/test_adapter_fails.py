"""A row on which an adapter's own code fails holds no other up, and says why without saying what is in it."""

from __future__ import annotations

import logging

import pytest
from psycopg import OperationalError as PostgresGone
from sqlalchemy.exc import OperationalError

from dev.servers.state_files import free_port
from leads.outbox.gate import read_gate, report_failure
from leads.outbox.rows import Lane
from leads.outbox.store import record_lead
from leads.settings import read_settings
from sandbox.process import SandboxProcess
from tests.support.database import rows_of
from tests.support.messages import EVERYBODY, send
from tests.support.receiver import Receiver
from tests.support.samples import LEAD, WEBHOOK_SECRET
from worker.context import make_context
from worker.delivery.deliver import deliver
from worker.destinations import mail, webhook

SECRET = "Ann of Aberdeen"
FAILED = "ADAPTER_FAILED: KeyError in fail_on_one, line "


@pytest.fixture
def context(crm_environment, tmp_path):
    port = free_port()
    with SandboxProcess.start(tmp_path / "mail", mail_port=port), Receiver() as receiver:
        environment = {
            **crm_environment,
            "MAIL_FROM": "enquiries@clinic.example",
            "SMTP_URL": f"smtp://127.0.0.1:{port}",
            "STAFF_MAIL_TO": "sales@clinic.example",
            "LEAD_WEBHOOK_URL": receiver.url,
            "LEAD_WEBHOOK_SECRET": WEBHOOK_SECRET,
        }
        context = make_context(read_settings(environment))
        yield context
        context.close()


@pytest.fixture
def odd_lead(context, monkeypatch):
    """Composing fails for the third of five leads, and its message quotes what the person wrote."""
    emails = [f"ann{number}@example.com" for number in range(5)]
    _, _, odd, *_ = [record_lead(context.engine, {**LEAD, "email": email}, owed=EVERYBODY).id for email in emails]

    def fail_on_one(compose, id_of):
        def fail_on_one(*args, **more):
            if id_of(args, more) == odd:
                raise KeyError(SECRET)
            return compose(*args, **more)

        return fail_on_one

    in_more = fail_on_one(mail.make_acknowledgement, lambda _args, more: more["lead_id"])
    monkeypatch.setattr(mail, "make_acknowledgement", in_more)
    monkeypatch.setattr(mail, "notice_of", fail_on_one(mail.notice_of, lambda args, _: args[0].id))
    monkeypatch.setattr(webhook, "notice_of", fail_on_one(webhook.notice_of, lambda args, _: args[0].id))
    return odd


@pytest.mark.parametrize("name", ["visitor", "staff-mail", "staff-webhook"])
def test_the_others_are_sent_and_the_row_has_a_code(context, odd_lead, name, caplog):
    assert send(context, name) == {"sent": 4, "retrying": 1}
    (row,) = rows_of(context.engine, "SELECT id, last_error, lost_leases FROM deliveries WHERE status = 'retrying'")
    assert (row["id"], row["lost_leases"]) == (odd_lead, 0)
    assert row["last_error"].startswith(FAILED)
    (line,) = [record.getMessage() for record in caplog.records if record.levelno == logging.ERROR]
    assert (str(odd_lead) in line, SECRET in line + row["last_error"]) == (True, False)


def test_a_fault_of_several_rows_at_once_is_left_to_their_lease(context, odd_lead, monkeypatch):
    """Sent again one at a time, the row at fault is the only one that had begun."""
    monkeypatch.setattr("worker.destinations.crm.answer_of", lambda _: {}["missing"])
    with pytest.raises(KeyError):
        deliver(context.delivery, context.crm, Lane.FRESH)
    found = rows_of(context.engine, "SELECT zoho_status, began FROM crm_deliveries")
    assert found == [{"zoho_status": "sending", "began": True}] * 5


def test_a_fault_on_a_row_alone_is_no_answer_and_is_tried_again_later(crm, delivery, monkeypatch):
    record_lead(delivery.engine, LEAD)
    report_failure(delivery.engine, [], "HTTP_500")
    monkeypatch.setattr("worker.destinations.crm.answer_of", lambda _: {}["missing"])
    assert deliver(delivery.delivery, delivery.crm, Lane.FRESH).codes == {"ADAPTER_FAILED": 1}
    assert len(crm.calls) == 1
    assert read_gate(delivery.engine).failing_since is not None


def test_a_failure_of_the_database_in_a_call_costs_its_rows_nothing(context, odd_lead, monkeypatch):
    def fail(*_args, **_more):
        raise OperationalError("SELECT", {}, PostgresGone("ended"))

    monkeypatch.setattr(context.access.crm, "upsert", fail)
    report_failure(context.engine, [], "HTTP_500")
    assert deliver(context.delivery, context.crm, Lane.FRESH).deferred == 5
    found = rows_of(
        context.engine,
        "SELECT zoho_status, retry_count, lost_leases, next_retry_at > now() AS later FROM crm_deliveries",
    )
    assert found == [{"zoho_status": "pending", "retry_count": 0, "lost_leases": 0, "later": True}] * 5
    (code,) = rows_of(context.engine, "SELECT DISTINCT code FROM attempts WHERE code IS NOT NULL")
    assert code == {"code": "DATABASE_FAILED"}
    assert read_gate(context.engine).failing_since is not None
