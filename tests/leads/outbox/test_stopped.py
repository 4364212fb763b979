"""Rows that wait for a person, and which of them staff are told of."""

import pytest

from leads.lifecycle import Reason
from leads.outbox.holds import Held
from leads.outbox.pause import pause
from leads.outbox.stopped import NotTold, in_words, read_held, telling
from leads.outbox.store import record_click
from leads.tables import Kind
from tests.support.database import change
from tests.support.samples import CLICK, LEAD, record_lead

MAIL, HOOK = "staff-mail", "staff-webhook"
AGO = "now() - interval '{}'"


@pytest.fixture
def stop(engine):
    """Store a lead that has waited for a person for a minute; more is SQL. Gives its reference."""

    def store(held=Held.HONEYPOT, **columns):
        lead = record_lead(engine, LEAD, held=held)
        minute = AGO.format("1 minute")
        own = {"judged_at": minute} if held else {"status": "'dead'", "last_retry_at": minute}
        changed = ", ".join(f"{column} = {value}" for column, value in {**own, **columns}.items())
        change(engine, f"UPDATE deliveries SET {changed} WHERE id = :id", id=lead.id)
        return lead.reference

    return store


def tell(engine, destination=MAIL):
    with telling(engine, destination) as rows:
        return [row.reference for row in rows]


def let_pass(engine, minutes):
    for table, columns in (
        ("destinations", ["told_at"]),
        ("deliveries", ["judged_at", "last_retry_at", "refused_at"]),
    ):
        earlier = ", ".join(f"{column} = {column} - make_interval(mins => :minutes)" for column in columns)
        change(engine, f"UPDATE {table} SET {earlier}", minutes=minutes)


def test_held_rows_that_wait_for_a_person_are_listed_the_newest_first(engine, stop):
    old = stop(Held.FLOOD, judged_at=AGO.format("9 days"))
    stop(judged_at="NULL")
    stop(status="'sent'")
    stop(None)
    record_click(engine, CLICK, held=Held.FLOOD)
    change(engine, "UPDATE deliveries SET judged_at = now() WHERE kind = 'click'")
    found = read_held(engine)
    assert [(row.kind, row.reference) for row in found] == [(Kind.CLICK, CLICK["unique_code"]), (Kind.LEAD, old)]
    assert in_words([*found, *found[:1]]) == "3 flood"


def test_each_way_is_told_once_of_held_and_dead_rows(engine, stop):
    held, dead = stop(), stop(None)
    stop(None, last_retry_at=AGO.format("25 hours"))
    assert tell(engine) == [dead, held]
    let_pass(engine, 31)
    assert tell(engine) == []
    assert tell(engine, HOOK) == [dead, held]


@pytest.mark.parametrize(("minutes", "is_due"), [(29, False), (31, True)])
def test_further_ones_are_told_half_an_hour_later(engine, stop, minutes, is_due):
    stop()
    tell(engine)
    let_pass(engine, minutes)
    further = stop()
    assert tell(engine) == ([further] if is_due else [])


def test_what_could_not_be_told_is_told_by_the_next_run(engine, stop):
    held = stop()
    with pytest.raises(NotTold), telling(engine, MAIL):
        raise NotTold
    assert tell(engine) == [held]


def test_only_one_worker_tells_at_a_time(engine, stop):
    held = stop()
    with telling(engine, MAIL) as rows:
        assert [row.reference for row in rows] == [held]
        assert tell(engine) == []
        assert tell(engine, HOOK) == [held]
    assert tell(engine) == []


def test_nobody_is_told_while_their_destination_is_paused(engine, stop):
    stop()
    pause(engine, MAIL, Reason.PAUSED, "holiday", by="ann")
    assert tell(engine) == []


def test_a_refusal_is_told_at_once_and_more_of_the_same_half_an_hour_later(engine, stop):
    def refuse(error):
        ago = AGO.format("10 seconds")
        return stop(None, status="'retrying'", last_error=f"'{error}'", refused_at=ago, last_retry_at=ago)

    held = stop()
    assert tell(engine) == [held]
    let_pass(engine, 2)
    mandatory = refuse("MANDATORY_NOT_FOUND: Budget")
    assert tell(engine) == [mandatory]
    let_pass(engine, 2)
    same = refuse("MANDATORY_NOT_FOUND: Budget")
    assert tell(engine) == []
    another = refuse("MANDATORY_NOT_FOUND: City")
    assert tell(engine) == [another, same]
