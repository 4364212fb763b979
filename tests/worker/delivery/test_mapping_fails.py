"""A row that our own mapping fails on holds no other row up, and says why without saying what is in it."""

from __future__ import annotations

import logging

import pytest

from leads.outbox.gate import read_gate
from leads.outbox.rows import Lane
from tests.support.database import rows_of
from tests.support.pipeline import record, statuses
from worker.crm import send as module
from worker.crm.mapping import record_of
from worker.delivery.deliver import deliver

SECRET = "Ann of Aberdeen"


@pytest.fixture
def odd_lead(delivery, monkeypatch):
    """The mapping fails on one of thirty leads, and its message quotes what the person wrote."""
    leads = record(delivery, 30)
    odd = leads[17]

    def fail_on_one(row, mapping):
        if row.id == odd:
            raise KeyError(SECRET)
        return record_of(row, mapping)

    monkeypatch.setattr(module, "record_of", fail_on_one)
    return odd


def test_the_others_are_delivered_in_the_same_claim(crm, delivery, odd_lead):
    summary = deliver(delivery.delivery, delivery.crm, Lane.FRESH)
    assert (summary.claimed, summary.sent, summary.retrying) == (30, 29, 1)
    assert [len(call) for call in crm.calls] == [29]
    assert statuses(delivery) == {"sent": 29, "retrying": 1}
    (row,) = rows_of(
        delivery.engine, "SELECT id, last_error, lost_leases FROM deliveries WHERE status = 'retrying'"
    )
    assert (row["id"], row["lost_leases"]) == (odd_lead, 0)
    assert row["last_error"].startswith("MAPPING_FAILED: KeyError in fail_on_one, line ")


def test_an_error_line_names_the_row_and_the_place_and_nothing_of_the_person(crm, delivery, odd_lead, caplog):
    deliver(delivery.delivery, delivery.crm, Lane.FRESH)
    (line,) = [record for record in caplog.records if record.levelno == logging.ERROR]
    assert str(odd_lead) in line.getMessage()
    assert "KeyError in fail_on_one" in line.getMessage()
    assert line.exc_info is None
    stored = str(rows_of(delivery.engine, "SELECT * FROM deliveries"))
    timeline = str(rows_of(delivery.engine, "SELECT * FROM attempts"))
    assert not [text for text in (caplog.text, stored, timeline) if SECRET in text]


def test_it_is_no_sign_of_an_outage(crm, delivery, odd_lead):
    deliver(delivery.delivery, delivery.crm, Lane.FRESH)
    assert read_gate(delivery.engine).failing_since is None


def test_a_batch_of_such_rows_makes_no_call(crm, delivery, monkeypatch):
    record(delivery, 3)
    monkeypatch.setattr(module, "record_of", lambda *_: {}["missing"])
    assert deliver(delivery.delivery, delivery.crm, Lane.FRESH).retrying == 3
    assert crm.calls == []
