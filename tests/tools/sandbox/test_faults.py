import pytest
import requests

from tests.tools.sandbox.conftest import lead


def results(sandbox):
    return [(call["status"], call["committed"], call["fault"]) for call in sandbox.calls(kind="api")]


@pytest.mark.parametrize(
    ("fault", "stored"),
    [("drop", False), ("outage", False), ("commit_then_drop", True), ("commit_then_cut", True)],
)
def test_a_lost_reply_is_written_down_with_what_was_stored(crm, sandbox, fault, stored):
    sandbox.faults(**{fault: {"count": 1}})
    with pytest.raises((requests.ConnectionError, requests.exceptions.ChunkedEncodingError)):
        crm.upsert(lead(1))
    assert len(sandbox.records()) == stored
    assert results(sandbox) == [(None, stored, fault)]
    assert crm.upsert(lead(1)).json()["data"][0]["action"] == ("update" if stored else "insert")
    assert sandbox.summary()["duplicate_event_ids"] == 0


@pytest.mark.parametrize("marker", ["sample2@example.com", "event-2"])
def test_a_fatal_row_fails_every_call_that_carries_it(crm, sandbox, marker):
    sandbox.faults(fatal_row={"marker": marker})
    reply = crm.upsert(lead(1), lead(2), lead(3))
    assert (reply.status_code, reply.json()["code"]) == (500, "INTERNAL_ERROR")
    assert (sandbox.records(), results(sandbox)) == ([], [(500, False, "fatal_row")])
    assert crm.upsert(lead(1), lead(3)).status_code == 200
    assert crm.upsert(lead(2)).status_code == 500


def test_the_credits_header_comes_at_half_and_the_end_is_a_429(crm, sandbox):
    assert "X-API-CREDITS-REMAINING" not in crm.upsert(lead(1)).headers
    sandbox.faults(limits={"credits_remaining": 11})
    assert crm.upsert(*(lead(n) for n in range(100))).headers["X-API-CREDITS-REMAINING"] == "1"
    assert crm.upsert(*(lead(n) for n in range(11))).status_code == 429
    assert crm("GET", "org").headers["X-API-CREDITS-REMAINING"] == "0"
    assert "24 hours" in crm("GET", "org").json()["message"]


@pytest.mark.parametrize(
    "document",
    [
        {"nonsense": True},
        {"drop": {"probability": 2}},
        {"drop": {"colour": "red"}},
        {"limits": {"email_unique": 1}},
    ],
)
def test_a_wrong_document_changes_nothing(sandbox, document):
    sandbox.faults(drop=True)
    before = sandbox.faults()
    reply = requests.put(f"{sandbox.url}/_sandbox/faults", json=document, timeout=10)
    assert (reply.status_code, reply.json()["code"]) == (400, "BAD_FAULTS")
    assert sandbox.faults() == before
