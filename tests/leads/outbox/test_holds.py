"""Held rows go by themselves after ten minutes, but for those that a person must look at."""

from pathlib import Path

import pytest

from leads.outbox import holds
from leads.outbox.holds import Held, settle_held
from leads.outbox.operate import Change
from leads.outbox.selection import Selection
from leads.outbox.stopped import read_held
from leads.outbox.store import record_click
from leads.overview import read_overview
from leads.verdict import WATCHES
from tests.support.database import change, rows_of
from tests.support.samples import CLICK, LEAD, record_lead

PATIENT = [reason for reason in Held if reason not in (Held.HONEYPOT, Held.FLOOD)]


@pytest.fixture
def hold(engine):
    """Store a lead that has been held for so many minutes."""

    def store(reason=Held.NO_START, minutes=11.0, **values):
        lead = record_lead(engine, {**LEAD, **values}, held=reason, owed={"zoho": 0.0, "visitor": 0.0}).id
        change(
            engine,
            "UPDATE deliveries SET queued_at = now() - make_interval(secs => 60 * :minutes) WHERE id = :id",
            minutes=minutes,
            id=lead,
        )
        return lead

    return store


def states(engine):
    return {row["id"]: row["zoho_status"] for row in rows_of(engine, "SELECT id, zoho_status FROM crm_deliveries")}


def waiting(engine):
    return [row.reason for row in read_held(engine)]


@pytest.mark.parametrize("reason", PATIENT, ids=str)
def test_what_honest_visitors_are_held_for_goes_after_ten_minutes(engine, hold, reason):
    ripe, young = hold(reason), hold(reason, minutes=9)
    assert settle_held(engine) == 1
    assert states(engine) == {ripe: "pending", young: "held"}
    assert waiting(engine) == []
    (event,) = rows_of(engine, "SELECT event, detail FROM crm_attempts WHERE row_id = :id", id=ripe)
    assert event == {"event": "released", "detail": "by the site: ten minutes are over"}
    assert settle_held(engine) == 0


@pytest.mark.parametrize("reason", [Held.HONEYPOT, Held.FLOOD], ids=str)
def test_what_may_be_spam_waits_for_a_person(engine, hold, reason):
    lead = hold(reason)
    assert (settle_held(engine), waiting(engine)) == (0, [reason])
    assert states(engine) == {lead: "held"}


@pytest.mark.parametrize(
    "spam", [{"message": "See HTTPS://x.example"}, {"name": "www.x.example"}, {"message": "[url=x]y"}], ids=str
)
def test_a_link_waits_for_a_person(engine, hold, spam):
    hold(**spam)
    assert (settle_held(engine), waiting(engine)) == (0, ["no-start"])


@pytest.mark.parametrize("hours", [23, 25, 24 * 30])
def test_however_long_the_workers_were_away_a_held_row_goes_or_is_told(engine, hold, hours):
    goes, stays = hold(minutes=hours * 60), hold(Held.FLOOD, minutes=hours * 60)
    assert (settle_held(engine), waiting(engine)) == (1, ["flood"])
    assert states(engine) == {goes: "pending", stays: "held"}


def test_the_alarm_stays_until_a_person_acts(engine, hold):
    first, second = hold(Held.HONEYPOT), hold(Held.HONEYPOT)
    settle_held(engine)
    change(engine, "UPDATE deliveries SET judged_at = now() - interval '3 days'")
    assert held_figure(engine) == 2
    assert delete(engine, ids=[first]) == 1
    assert held_figure(engine) == 1
    change(engine, "UPDATE deliveries SET status = 'pending' WHERE id = :id", id=second)
    assert held_figure(engine) is None


def delete(engine, **which):
    return sum(Change.DELETED.make(engine, Selection(states=("held",), **which), by="ann"))


def held_figure(engine):
    (held,) = [watch for watch in WATCHES if watch.name == "held"]
    return held.figure(read_overview(engine, Path.cwd())) or None


def test_spam_is_deleted_with_its_messages_and_its_story_alone(engine, hold):
    gone, kept = hold(Held.FLOOD), hold(Held.HONEYPOT)
    for lead in (gone, kept):
        change(engine, "INSERT INTO attempts (kind, row_id, event) VALUES ('lead', :id, 'held')", id=lead)
    sent = record_lead(engine, LEAD).id
    assert delete(engine, code="flood") == 1
    assert {row["id"] for row in rows_of(engine, "SELECT id FROM leads")} == {kept, sent}
    assert {row["id"] for row in rows_of(engine, "SELECT id FROM deliveries")} == {kept, sent}
    assert rows_of(engine, "SELECT row_id FROM attempts") == [{"row_id": kept}]
    assert delete(engine, ids=[sent]) == 0


def test_more_than_one_step_go_one_after_the_other(engine, hold, monkeypatch):
    monkeypatch.setattr(holds, "STEP_ROWS", 2)
    for _ in range(3):
        hold()
    assert [settle_held(engine) for _ in range(3)] == [2, 1, 0]


def test_taps_go_too_but_for_a_link(engine):
    record_click(engine, CLICK, held=Held.ADDRESS)
    record_click(engine, {**CLICK, "unique_code": "www.x.example"}, held=Held.ADDRESS)
    change(engine, "UPDATE deliveries SET queued_at = now() - interval '11 minutes'")
    assert (settle_held(engine), waiting(engine)) == (1, ["address"])
