"""/metrics: what it counts, and whom it answers."""

from __future__ import annotations

import pytest

from tests.support.samples import PAYLOAD
from web.metrics.endpoint import is_private


def test_metrics_tell_what_was_stored_and_what_waits(client):
    client.post("/api/leads", json=PAYLOAD)
    client.post("/api/leads", json=PAYLOAD | {"website": "x"})
    client.post("/api/leads", json={})
    text = client.get("/metrics").text
    assert 'clinic_stored_total{kind="lead",result="accepted"} 1.0' in text
    assert 'clinic_stored_total{kind="lead",result="held"} 1.0' in text
    assert 'clinic_request_seconds_count{endpoint="leads.post_lead",status="422"} 1.0' in text
    assert 'clinic_bells_total{result="rung"}' in text
    assert 'clinic_rows{kind="lead",state="pending"}' in text
    assert 'clinic_acknowledgements{state="owed"} 0.0' in text
    assert 'clinic_acknowledgements{state="skipped"} 0.0' in text
    assert 'clinic_oldest_due_seconds{kind="lead",state="pending"}' in text
    assert 'clinic_gate_open{reason=""} 1.0' in text
    assert "clinic_database_up 1.0" in text
    assert "ada@example.com" not in text


@pytest.mark.parametrize("header", ["X-Forwarded-For", "Forwarded", "X-Real-IP", "Via"])
def test_metrics_are_not_for_the_world(client, header):
    assert client.get("/metrics", environ_overrides={"REMOTE_ADDR": "9.9.9.9"}).status_code == 403
    assert client.get("/metrics", headers={header: "10.0.0.1"}).status_code == 403
    assert client.get("/metrics", environ_overrides={"REMOTE_ADDR": "10.1.2.3"}).status_code == 200


@pytest.mark.parametrize(
    ("address", "private"),
    [("127.0.0.1", True), ("::1", True), ("10.0.0.1", True), ("8.8.8.8", False), ("", False), (None, False)],
)
def test_private_addresses_are_known(address, private):
    assert is_private(address) is private
