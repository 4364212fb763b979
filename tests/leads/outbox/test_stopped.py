"""Rows that a person must see to, and whose turn it is to tell staff of new ones."""

from __future__ import annotations

from uuid import uuid4

import pytest

from leads.outbox.gate import Reason, shut_gate
from leads.outbox.holds import Held
from leads.outbox.rows import Kind
from leads.outbox.stopped import give_back, in_words, read_held_real, read_stopped, take_turn
from leads.outbox.store import record_click, record_lead
from leads.outbox.workers import Worker
from tests.support.database import change, rows_of, spy_on
from tests.support.samples import CLICK, LEAD

MAIL, HOOK = "staff-mail", "staff-webhook"
OWED = {"zoho": 0.0, MAIL: 0.0}


@pytest.fixture
def stop(engine):
    """Store a lead that does not go by itself; more is SQL."""

    def store(held=None, values=LEAD, **columns):
        lead = record_lead(engine, values, held=held, owed=OWED)
        columns = {"looks_real": "true", "judged_at": "now()"} | columns if held else {"status": "'dead'"} | columns
        changed = ", ".join(f"{column} = {value}" for column, value in columns.items())
        change(engine, f"UPDATE deliveries SET {changed} WHERE id = :id", id=lead.id)
        return lead.reference

    return store


def test_what_a_person_must_see_to_is_listed_the_newest_first(engine, stop):
    real = stop(Held.PERSON)
    stop(Held.PERSON, looks_real="false")
    stop(Held.PERSON, looks_real="NULL", judged_at="NULL")
    stop(Held.PERSON, status="'sent'")
    stop(Held.PERSON, queued_at="now() - interval '25 hours'")
    still_real = stop(Held.HONEYPOT, queued_at="now() - interval '23 hours'")
    dead = stop(last_retry_at="now() - interval '23 hours'", queued_at="now() - interval '4 days'")
    stop(last_retry_at="now() - interval '25 hours'")
    record_lead(engine, LEAD)
    record_click(engine, CLICK, held=Held.FORGED)
    change(engine, "UPDATE deliveries SET looks_real = true WHERE kind = 'click'")
    held = [(Kind.CLICK, CLICK["unique_code"]), (Kind.LEAD, still_real), (Kind.LEAD, real)]
    assert [(row.kind, row.reference) for row in read_held_real(engine)] == held
    stopped = read_stopped(engine)
    assert [(row.kind, row.reference) for row in stopped] == [held[0], (Kind.LEAD, dead), *held[1:]]
    assert [row.reason for row in stopped] == ["forged", "dead", "honeypot", "person"]
    assert in_words([*stopped, *stopped[1:2]]) == "2 dead, 1 forged, 1 honeypot, 1 person"


@pytest.fixture
def gates(engine):
    Worker(engine, uuid4()).note_started([MAIL, HOOK])


def told(engine, **ago):
    """Let destinations have been told so many minutes ago."""
    for name, minutes in ago.items():
        change(
            engine,
            "UPDATE gates SET told_held_at = now() - make_interval(mins => :minutes) WHERE destination = :name",
            name=name.replace("_", "-"),
            minutes=minutes,
        )


@pytest.mark.usefixtures("gates")
def test_a_turn_is_taken_once_and_can_be_given_back(engine, stop):
    assert take_turn(engine, MAIL) is None
    stop(Held.PERSON)
    turn = take_turn(engine, MAIL)
    assert (turn.destination, turn.before) == (MAIL, None)
    assert take_turn(engine, MAIL) is None
    other = take_turn(engine, HOOK)
    assert other.destination == HOOK
    give_back(engine, turn)
    assert take_turn(engine, HOOK) is None
    assert take_turn(engine, MAIL) == turn


@pytest.mark.usefixtures("gates")
@pytest.mark.parametrize(("minutes", "is_due"), [(14, False), (16, True)])
def test_staff_are_told_every_quarter_of_an_hour_at_most(engine, stop, minutes, is_due):
    stop(Held.PERSON)
    told(engine, staff_mail=minutes)
    assert bool(take_turn(engine, MAIL)) is is_due


@pytest.mark.usefixtures("gates")
def test_what_they_were_told_of_is_not_told_again(engine, stop):
    stop(Held.PERSON, judged_at="now() - interval '30 minutes'")
    stop(last_retry_at="now() - interval '30 minutes'")
    told(engine, staff_mail=20, staff_webhook=40)
    assert take_turn(engine, MAIL) is None
    assert take_turn(engine, HOOK)


@pytest.mark.usefixtures("gates")
@pytest.mark.parametrize("held", [Held.PERSON, None], ids=["held", "dead"])
def test_what_is_new_is_told(engine, stop, held):
    stop(held, **({} if held else {"last_retry_at": "now()"}))
    told(engine, staff_mail=20)
    assert take_turn(engine, MAIL)


@pytest.mark.usefixtures("gates")
def test_nobody_is_told_through_a_shut_gate(engine, stop):
    stop(Held.PERSON)
    shut_gate(engine, Reason.PAUSED, "holiday", by="ann", destination=MAIL)
    assert take_turn(engine, MAIL) is None


@pytest.mark.usefixtures("gates")
def test_nothing_that_goes_by_itself_is_told(engine, stop):
    stop(Held.PERSON, looks_real="false")
    stop(status="'sent'", last_retry_at="now()")
    assert take_turn(engine, MAIL) is None


@pytest.mark.usefixtures("gates")
def test_of_two_workers_one_has_the_turn(engine, stop):
    stop(Held.PERSON)
    spy_on(
        engine, before=lambda _, words, __: told(engine, staff_mail=0) if "told_held_at IS NOT" in words else None
    )
    assert take_turn(engine, MAIL) is None
    found = rows_of(engine, "SELECT destination FROM gates WHERE told_held_at IS NOT NULL")
    assert found == [{"destination": MAIL}]
