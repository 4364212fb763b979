"""The migrations that move the state of delivery out of leads and clicks, beside a site of the version before."""

from __future__ import annotations

import pytest

from leads.outbox.lease import claim
from leads.outbox.rows import Lane
from leads.outbox.store import record_lead
from tests.support.database import change, migrate, rows_of
from tests.support.samples import LEAD

# What the version before stores and writes.
OLD_LEAD = """
INSERT INTO leads (id, name, surname, email, country_code, phone, phone_e164, zoho_status)
VALUES (gen_random_uuid(), 'Ann', :surname, 'ann@example.com', '+44', '1', '+447911123456', :status)
"""
OLD_CLICK = """
INSERT INTO whatsapp_clicks (id, unique_code, whatsapp_message, button_location)
VALUES (gen_random_uuid(), :code, 'Hi', 'x')
"""
FAILED = """
UPDATE leads SET zoho_status = 'retrying', retry_count = 3, lost_leases = 1, workers_killed = 1,
    last_error = 'X: y', last_retry_at = created_at + interval '1 min',
    next_retry_at = created_at - interval '1 min', queued_at = created_at + interval '1 s', merged_into = '7'
WHERE surname = 'Failed'
"""
SENT = """
UPDATE leads SET zoho_status = 'sent', zoho_sent_at = created_at, zoho_record_id = '9' WHERE surname = 'Sent'
"""
STATE = """
SELECT surname, zoho_status, retry_count, lost_leases, workers_killed, last_error, merged_into, zoho_record_id,
    requeued, last_retry_at - created_at = interval '1 min' AS tried, zoho_sent_at = created_at AS delivered
FROM leads JOIN deliveries USING (id) ORDER BY surname
"""


@pytest.fixture
def old_rows(engine, database_url):
    """The database as the version before left it, with a lead in each kind of state, and a click."""
    migrate(database_url, "0016", back=True)
    for surname, status in (("Failed", "pending"), ("Held", "held"), ("New", "pending"), ("Sent", "pending")):
        change(engine, OLD_LEAD, surname=surname, status=status)
    change(engine, OLD_CLICK, code="AB12C")
    change(engine, FAILED)
    change(engine, SENT)


def test_every_row_keeps_its_state(engine, database_url, old_rows):
    migrate(database_url)
    nothing = {"retry_count": 0, "lost_leases": 0, "workers_killed": 0, "last_error": None, "merged_into": None}
    nothing |= {"zoho_record_id": None, "requeued": False, "tried": None, "delivered": None}
    failed = {"retry_count": 3, "lost_leases": 1, "workers_killed": 1, "last_error": "X: y", "merged_into": "7"}
    assert rows_of(engine, STATE) == [
        {**nothing, "surname": "Failed", "zoho_status": "retrying", **failed, "requeued": True, "tried": True},
        {**nothing, "surname": "Held", "zoho_status": "held"},
        {**nothing, "surname": "New", "zoho_status": "pending"},
        {**nothing, "surname": "Sent", "zoho_status": "sent", "zoho_record_id": "9", "delivered": True},
    ]
    assert rows_of(engine, "SELECT kind, zoho_status AS s FROM deliveries WHERE kind = 'click'") == [
        {"kind": "click", "s": "pending"}
    ]


@pytest.mark.parametrize("revision", ["0017", "0018"])
def test_what_the_site_of_the_version_before_stores_meanwhile_is_delivered_too(engine, database_url, revision):
    migrate(database_url, "0016", back=True)
    migrate(database_url, revision)
    change(engine, OLD_LEAD, surname="Meanwhile", status="pending")
    change(engine, OLD_LEAD, surname="Spam", status="held")
    change(engine, OLD_CLICK, code="CD34E")
    new = record_lead(engine, {**LEAD, "surname": "Later"}).id
    migrate(database_url)
    claimed = [row for _ in range(2) for row in claim(engine, Lane.FRESH, rows=9, lease_seconds=60, call_id="c")]
    assert {row.values.get("surname") for row in claimed} == {"Meanwhile", "Later", None}
    assert new in {row.id for row in claimed}


def test_it_can_be_taken_back_with_every_state(engine, database_url, old_rows):
    query = "SELECT surname, zoho_status, retry_count, merged_into, queued_at > created_at AS requeued FROM leads"
    before = rows_of(engine, f"{query} ORDER BY surname")
    migrate(database_url)
    migrate(database_url, "0016", back=True)
    assert rows_of(engine, f"{query} ORDER BY surname") == before
