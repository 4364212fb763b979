"""Slow neighbours: a CRM whose replies drip, and staff who are told whether the CRM answers or not."""

from datetime import datetime

import pytest

from leads.destinations import PATIENCE_SECONDS
from tests.process.ledger import violations
from tests.process.product import pause
from tools.sandbox.process import SandboxProcess
from tools.servers.state_files import free_port

pytestmark = [pytest.mark.process, pytest.mark.timeout(900)]

STAFF = "sales@clinic.example"


def test_a_reply_that_drips_is_over_within_the_call_s_time(product, record_property):
    """The CRM has stored the rows, but its replies to four calls side by side would take hours."""
    product.start_workers()
    product.sandbox.faults(drip={"count": 4, "path": "upsert", "seconds": 5.0 if product.is_long else 0.5})
    product.store(4)
    timed_out = "SELECT 1 FROM crm_attempts WHERE code = 'TIMEOUT'"
    product.wait(lambda: len(product.rows(timed_out)) == 4, 90, "the calls to end")
    found = product.rows(
        "SELECT extract(epoch FROM max(at) - min(at))::float8 AS s FROM crm_attempts"
        " GROUP BY call_id HAVING bool_or(code = 'TIMEOUT') ORDER BY s"
    )
    took, limit = [row["s"] for row in found], product.settings.crm_call_seconds
    record_property("the slowest call ended after", f"{took[-1]:.1f} s")
    assert took[0] >= limit - 0.5
    assert took[-1] <= limit + 1.5 or not product.is_long
    product.make_due()
    product.wait_delivered(60)
    assert violations(product) == []


@pytest.fixture
def mailbox(product, tmp_path):
    """The staff's mail server, which the product knows."""
    port = free_port()
    product.variables |= {
        "SMTP_URL": f"smtp://127.0.0.1:{port}",
        "MAIL_FROM": "enquiries@clinic.example",
        "STAFF_MAIL_TO": STAFF,
    }
    with SandboxProcess.start(tmp_path / "mail", mail_port=port) as process:
        yield process


def test_staff_are_told_of_each_lead_once_whether_the_crm_answers_or_not(product, mailbox, record_property):
    """Leads come one by one, first with the CRM up, then with it down: then within a minute."""
    site, leads = product.start_site(), 30 if product.is_long else 5
    product.start_workers()
    look = product.settings.look_seconds
    for crm, allowed in (("up", 2 * look), ("down", PATIENCE_SECONDS + 2 * look)):
        product.sandbox.faults(outage=crm == "down")
        before = len(product.accepted)
        for _ in range(leads):
            product.post(site, 1)
            pause(1 if product.is_long else 0.2)
        assert len(product.accepted) == before + leads
        product.wait(lambda: told(mailbox).keys() >= stored(product).keys(), PATIENCE_SECONDS + 60, "every notice")
        came = told(mailbox)
        waits = sorted(came[reference] - at for reference, at in list(stored(product).items())[before:])
        for name, seconds in (("median", waits[leads // 2]), ("slowest", waits[-1])):
            record_property(f"CRM {crm}: {name}", f"{seconds:.1f} s")
        assert waits[-1] <= allowed or not product.is_long
    product.sandbox.only_faults()
    product.wait_delivered(300)
    assert [mail["received"] for mail in mailbox.mails() if mail["recipient"] == STAFF] == [1] * 2 * leads
    assert violations(product) == []


def stored(product):
    """When each lead was stored, in seconds since the epoch, by its reference; in that order."""
    rows = product.rows("SELECT reference, extract(epoch FROM created_at)::float8 AS at FROM leads ORDER BY at")
    return {row["reference"]: row["at"] for row in rows}


def told(mailbox):
    """When the staff's mail came, by the reference in its subject."""
    return {
        next(word for word in mail["subject"].split() if word.isdigit()): datetime.fromisoformat(
            mail["at"]
        ).timestamp()
        for mail in mailbox.mails()
        if mail["recipient"] == STAFF
    }
