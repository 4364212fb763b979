"""Which refusals shut the gate for a wrong configuration: three calls for one field, and no success between."""

from __future__ import annotations

import pytest

from leads.outbox import refusals
from leads.outbox.gate import Reason, read_gate, shut_gate
from leads.outbox.refusals import report_refusal
from leads.outbox.selection import redrive
from leads.outbox.store import record_lead
from tests.support.database import change, rows_of
from tests.support.samples import LEAD

WORDS = "MANDATORY_NOT_FOUND: Company"
LINE = """
INSERT INTO attempts (destination, kind, row_id, call_id, event, detail)
VALUES (:destination, 'lead', :id, :call, :event, :detail)
"""


@pytest.fixture
def refuse(engine):
    """Note what became of a dead lead in a call."""

    def note(call, event="rejected", detail=f"{WORDS}: required field", destination="zoho", lead=None):
        lead = lead or record_lead(engine, LEAD).id
        change(engine, "UPDATE deliveries SET status = 'dead' WHERE id = :id", id=lead)
        change(engine, LINE, id=lead, call=call, event=event, detail=detail, destination=destination)
        return lead

    return note


def report(engine, words=WORDS):
    return report_refusal(engine, words, "zoho")


def test_the_third_call_shuts_the_gate_and_the_dead_of_the_others_are_sent_again(engine, refuse):
    dead = {refuse("a.1"), refuse("a-2")}
    assert not report(engine)
    dead.add(refuse("b"))
    other = record_lead(engine, LEAD).id
    change(engine, "UPDATE deliveries SET status = 'dead' WHERE id = :id", id=other)
    assert report(engine)
    gate = read_gate(engine)
    assert (gate.reason, gate.detail, gate.changed_by) == (Reason.CONFIGURATION, WORDS, "worker")
    waiting = rows_of(engine, "SELECT id FROM deliveries WHERE status = 'pending'")
    assert {row["id"] for row in waiting} == dead


@pytest.mark.parametrize(
    "between",
    [
        {"event": "delivered"},
        {"detail": "INVALID_DATA: Company: x"},
        {"detail": "MANDATORY_NOT_FOUND: Company2: x"},
    ],
    ids=["a success", "another code", "another field"],
)
def test_what_differs_keeps_it_open(engine, refuse, between):
    refuse("z", event="delivered")
    refuse("a")
    refuse("b", **between)
    refuse("c")
    assert not report(engine)
    assert read_gate(engine).is_open


@pytest.mark.parametrize(
    "other",
    [
        {"destination": "visitor", "event": "delivered"},
        {"destination": "visitor", "detail": "SMTP_554: no"},
        {"event": "retried", "detail": "HTTP_500"},
    ],
    ids=["delivered elsewhere", "refused elsewhere", "tried again"],
)
def test_what_is_no_refusal_by_it_does_not_count(engine, refuse, other):
    refuse("a")
    refuse("x", **other)
    assert not report(engine)
    refuse("b")
    assert report(engine)


def test_only_the_newest_lines_are_looked_at(engine, refuse, monkeypatch):
    monkeypatch.setattr(refusals, "NEWEST_LINES", 2)
    refuse("z", detail="INVALID_DATA: Email: x")
    refuse("a")
    refuse("b")
    assert report(engine)


def test_a_row_that_was_sent_again_by_the_gate_is_at_fault_itself(engine, refuse):
    again = refuse("a")
    redrive(engine, by=refusals.BY_GATE, ids=[again])
    refuse("b", lead=again)
    refuse("c")
    assert not report(engine)
    refuse("d")
    assert report(engine)


def test_a_row_that_somebody_else_sent_again_counts(engine, refuse):
    again = refuse("a")
    redrive(engine, by="ann", ids=[again])
    refuse("b")
    assert report(engine)


@pytest.mark.parametrize(
    ("reason", "detail", "is_it"),
    [
        (Reason.CONFIGURATION, WORDS, True),
        (Reason.CONFIGURATION, "INVALID_DATA: Email", False),
        (Reason.OUTAGE, WORDS, False),
    ],
)
def test_a_shut_gate_excuses_what_it_was_shut_for(engine, reason, detail, is_it):
    shut_gate(engine, reason, detail, by="worker")
    assert report(engine) is is_it
