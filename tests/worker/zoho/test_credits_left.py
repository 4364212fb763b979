"""Zoho reports credits only once half of them are used: an answer that reports none means plenty."""

from __future__ import annotations

import pytest

from worker.crm.port import CallFailed


def test_credits_are_forgotten_when_an_answer_reports_none(crm, make_client, make_lead):
    client = make_client()
    crm.faults(limits={"credits_remaining": 100})
    client.upsert([make_lead()], call_id="low")
    assert client.credits_left < 100
    crm.faults(limits={"credits_remaining": 4_999_000})
    client.upsert([make_lead()], call_id="plenty")
    assert client.credits_left is None


def test_a_failed_call_says_nothing_of_credits(crm, make_client, make_lead):
    client = make_client()
    crm.faults(limits={"credits_remaining": 100})
    client.upsert([make_lead()], call_id="low")
    left = client.credits_left
    crm.faults(server_error={"status": 502})
    with pytest.raises(CallFailed):
        client.upsert([make_lead()], call_id="failed")
    assert client.credits_left == left
