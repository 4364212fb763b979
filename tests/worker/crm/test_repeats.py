"""The same person twice: both enquiries are kept, and the later one says so."""

from __future__ import annotations

from datetime import datetime
from itertools import pairwise

import pytest

from leads.outbox.claim import claim
from leads.outbox.holds import Held
from tests.support.database import rows_of
from tests.support.pipeline import crm_record, deliver, record_earlier
from tests.support.samples import LEAD, record_lead


def find_earlier(context, *ids):
    """When the people behind these leads last enquired before, by lead."""
    claimed = [claim(context.engine, "zoho", row_id, call_id="c") for row_id in ids]
    found = {row.id: row.values["earlier_enquiry_at"] for row in claimed}
    assert found.keys() == set(ids)
    return {row_id: earlier_at for row_id, earlier_at in found.items() if earlier_at}


@pytest.mark.parametrize(
    ("again", "days", "known"),
    [
        ({}, 1, True),
        ({"email": "ANN@Example.COM", "phone_e164": "+31205550199"}, 1, True),
        ({"email": "other@example.com"}, 1, True),  # the phone number is the same
        ({"email": "other@example.com", "phone_e164": "+31205550199"}, 1, False),
        ({}, 89.9, True),
        ({}, 90.1, False),
    ],
)
def test_a_repeat_within_ninety_days_is_told_by_e_mail_or_phone(context, again, days, known):
    first = record_earlier(context, days_ago=days)
    second = record_earlier(context, **again)
    found = find_earlier(context, first, second)
    (row,) = rows_of(context.engine, "SELECT created_at FROM leads WHERE id = :id", id=first)
    assert found == ({second: row["created_at"]} if known else {})


def test_two_enquiries_are_two_records_and_the_later_names_the_date_of_the_one_before(context, sandbox):
    first = record_earlier(context, days_ago=40, message="How much?")
    second = record_earlier(context, days_ago=3, message="And when?")
    third = record_earlier(context, message="Hello?")
    assert deliver(context) == ["SENT"] * 3
    records = [crm_record(sandbox, lead) for lead in (first, second, third)]
    assert len({record["id"] for record in records}) == 3
    assert [record["Description"] for record in records] == ["How much?", "And when?", "Hello?"]
    assert "Repeat_Enquiry" not in records[0]
    assert "Earlier_Enquiry_At" not in records[0]
    for before, after in pairwise(records):
        assert after["Repeat_Enquiry"] is True
        assert datetime.fromisoformat(after["Earlier_Enquiry_At"]) == datetime.fromisoformat(before["Submitted_At"])


def test_suspected_spam_is_nobodys_earlier_enquiry(context):
    record_lead(context.engine, LEAD, held=Held.HONEYPOT)
    assert find_earlier(context, record_earlier(context)) == {}
