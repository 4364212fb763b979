"""Held rows that turn out to be varied and honest are let go by themselves; a flood is not."""

from __future__ import annotations

import pytest

from leads.outbox import holds, release
from leads.outbox.holds import MAX_HELD_PER_CLIENT, MAX_OF_ONE_PERSON, MAX_RELEASED_PER_CLIENT, WAVE_ROWS, Held
from leads.outbox.release import MAX_CONSIDERED, settle_held
from leads.outbox.selection import release as let_go
from leads.outbox.stopped import read_held_real
from leads.outbox.store import record_click, record_lead
from tests.support.database import change, rows_of, spy_on, store_many
from tests.support.samples import CLICK, LEAD

CARRIER = "203.0.113.7"


@pytest.fixture
def hold(engine):
    numbers = iter(range(10_000))

    def store(reason=Held.ADDRESS, address=CARRIER, minutes=11.0, **values):
        number = next(numbers)
        person = {
            "name": f"Ann{number}",
            "surname": f"Example{number}",
            "email": f"ann{number}@example.com",
            "phone_e164": f"+4479111{number:05d}",
            "ip_address": address,
            "user_agent": f"Phone {number}",
        }
        lead = record_lead(engine, {**LEAD, **person, **values}, held=reason).id
        aged = "UPDATE {} SET {} = now() - make_interval(secs => 60 * :minutes) WHERE id = :id"
        change(engine, aged.format("leads", "created_at"), minutes=minutes, id=lead)
        change(engine, aged.format("deliveries", "queued_at"), minutes=minutes, id=lead)
        return lead

    return store


def run(engine, per_hour=300):
    """Look through what is held; gives how many rows went."""
    return settle_held(engine, per_hour=per_hour).released


def held(engine):
    return {row["id"] for row in rows_of(engine, "SELECT id FROM crm_deliveries WHERE zoho_status = 'held'")}


def test_a_crowd_behind_one_address_is_let_go_after_ten_minutes(engine, hold):
    crowd = [hold() for _ in range(5)]
    young = hold(minutes=9)
    assert run(engine) == 5
    assert held(engine) == {young}
    rows = rows_of(
        engine,
        "SELECT zoho_status, held_reason FROM leads JOIN crm_deliveries USING (id) WHERE id = :id",
        id=crowd[0],
    )
    assert rows == [{"zoho_status": "pending", "held_reason": "address"}]
    (event,) = rows_of(engine, "SELECT event, detail FROM crm_attempts WHERE row_id = :id", id=crowd[0])
    assert event == {"event": "released", "detail": "by the site: varied"}
    assert run(engine) == 0


@pytest.mark.parametrize(
    "same",
    [
        {"email": "one@example.com"},
        {"phone_e164": "+447911123456"},
        {"name": "Eve", "surname": "Same"},
        {"message": "Buy my things"},
    ],
)
def test_rows_that_share_something_stay_held(engine, hold, same):
    pair = {hold(**same) for _ in range(2)}
    hold()
    assert run(engine) == 1
    assert held(engine) == pair


@pytest.mark.parametrize("spam", [{"message": "See https://x.example"}, {"name": "www.x.example"}])
def test_a_link_keeps_a_row_held(engine, hold, spam):
    hold(**spam)
    assert run(engine) == 0


JUDGED = "SELECT judged_at FROM deliveries WHERE id = :id"
OF_STAFF = [reason for reason in Held if reason not in holds.RELEASABLE]


@pytest.mark.parametrize("reason", OF_STAFF, ids=str)
def test_other_reasons_are_for_staff_to_judge(engine, hold, reason):
    lead = hold(reason, minutes=0.5)
    young = hold(reason, minutes=0.2)
    assert run(engine) == 0
    assert held(engine) == {lead, young}
    assert [row.reason for row in read_held_real(engine)] == [reason]
    judged = rows_of(engine, JUDGED, id=lead)
    assert judged != [{"judged_at": None}]
    run(engine)
    assert rows_of(engine, JUDGED, id=lead) == judged


def test_no_reason_holds_what_looks_real_without_a_word(engine, hold):
    """Each is let go by itself, or shown to staff."""
    for number, reason in enumerate(Held):
        hold(reason, address=f"198.51.100.{number}")
    assert run(engine) + len(read_held_real(engine)) == len(Held)


def test_what_is_not_varied_is_not_shown_as_real(engine, hold):
    for _ in range(2):
        hold(Held.HONEYPOT, email="one@example.com")
    hold(Held.FORGED, message="https://x.example")
    assert run(engine) == 0
    assert read_held_real(engine) == []


def test_what_turns_out_to_be_one_of_many_is_not_shown_as_real_any_more(engine, hold):
    hold(Held.PERSON, email="one@example.com")
    run(engine)
    assert len(read_held_real(engine)) == 1
    hold(Held.PERSON, email="one@example.com")
    run(engine)
    assert read_held_real(engine) == []


def test_one_address_is_let_go_so_many_times_an_hour_and_another_is_not_in_its_way(engine, hold):
    for _ in range(MAX_RELEASED_PER_CLIENT + 5):
        hold()
    hold(address="198.51.100.1")
    per_hour = MAX_RELEASED_PER_CLIENT + 1
    assert [run(engine, per_hour) for _ in range(2)] == [per_hour, 0]
    assert len(held(engine)) == 5
    change(engine, "UPDATE deliveries SET queued_at = queued_at - interval '61 minutes' WHERE requeued")
    assert run(engine, per_hour) == 5


@pytest.mark.parametrize("late", ["leads SET created_at", "deliveries SET queued_at"])
def test_what_was_stored_or_held_a_day_ago_is_left_to_staff(engine, hold, late):
    hold()
    change(engine, f"UPDATE {late} = now() - interval '25 hours'")
    assert run(engine) == 0


def test_one_run_considers_so_many(engine, hold, monkeypatch):
    monkeypatch.setattr(release, "MAX_CONSIDERED", 2)
    for _ in range(3):
        hold()
    assert [run(engine) for _ in range(2)] == [2, 0]


def test_what_was_released_counts_however_many_are_held(engine, hold, monkeypatch):
    monkeypatch.setattr(release, "MAX_CONSIDERED", 2)
    monkeypatch.setattr(holds, "MAX_RELEASED_PER_CLIENT", 1)
    for _ in range(3):
        hold()
    assert [run(engine) for _ in range(3)] == [1, 0, 0]


def test_the_addresses_of_one_ipv6_network_are_one(engine, hold):
    pair = {hold(address=f"2001:db8:1:2::{n}", email="one@example.com") for n in (1, 2)}
    assert run(engine) == 0
    assert held(engine) == pair


@pytest.mark.parametrize("reason", [Held.NO_START, Held.EXPIRED, Held.TOO_FAST], ids=str)
def test_pages_without_a_script_old_ones_and_quick_tabs_are_let_go_also_in_numbers(engine, hold, reason):
    for number in range(200):
        hold(reason, address=f"198.51.{number // 100}.{number % 100}")
    assert run(engine) == 200


def test_who_asks_again_in_other_words_is_let_go_and_a_program_that_does_it_is_not(engine, hold):
    person = {"email": "ada@example.com", "phone_e164": "+447911123456", "name": "Ada", "surname": "Sample"}
    for words in ("How long?", "And how much?", None)[:MAX_OF_ONE_PERSON]:
        hold(Held.NO_START, message=words, **person)
    assert run(engine) == MAX_OF_ONE_PERSON
    hold(Held.NO_START, message="And where?", **person)
    assert run(engine) == 0


def test_what_one_person_sent_twice_is_let_go_once(engine, hold):
    """A form that was sent before and after midnight has two keys."""
    person = {"email": "ada@example.com", "phone_e164": "+447911123456", "name": "Ada", "surname": "Sample"}
    first, again = (
        hold(Held.NO_START, minutes=minutes, message=words, **person)
        for minutes, words in ((12, "How long?"), (11, "how  LONG?"))
    )
    assert run(engine) == 1
    assert held(engine) == {again}
    assert run(engine) == 0
    assert first not in held(engine)


@pytest.mark.parametrize(
    "corrected",
    [{"email": "ada@exmaple.com"}, {"phone_e164": "+447911123457"}, {"name": "Adda"}],
    ids=["mailbox", "number", "name"],
)
def test_who_corrects_a_mistake_and_sends_again_is_one_person(engine, hold, corrected):
    person = {
        "email": "ada@example.com",
        "phone_e164": "+447911123456",
        "name": "Ada",
        "surname": "Sample",
        "message": "When?",
    }
    hold(Held.NO_START, **person | corrected)
    hold(Held.NO_START, **person)
    assert run(engine) == 2


def test_somebody_elses_words_or_number_are_no_correction(engine, hold):
    person = {"email": "ada@example.com", "phone_e164": "+447911123456", "name": "Ada", "surname": "Sample"}
    hold(Held.NO_START, **person)
    hold(Held.NO_START, **person | {"email": "bob@example.com", "name": "Bob"})
    assert run(engine) == 0


def test_many_rows_of_few_addresses_are_not_before_a_lone_visitor(engine, hold):
    for number in range(20):
        hold(Held.NO_START, address=f"203.0.113.{number % 2}", minutes=30)
    lone = hold(Held.NO_START, address="198.51.100.1", minutes=11)
    assert run(engine, per_hour=3) == 3
    assert lone not in held(engine)


@pytest.mark.parametrize("minutes", [40, 11], ids=["oldest", "newest"])
def test_many_addresses_are_not_before_the_oldest_and_the_newest(engine, hold, minutes):
    for number in range(20):
        hold(Held.NO_START, address=f"203.0.113.{number}", minutes=30 - number / 2)
    lone = hold(Held.NO_START, address="198.51.100.1", minutes=minutes)
    assert run(engine, per_hour=3) == 3
    assert lone not in held(engine)


def store_junk(engine, addresses, *, minutes, count=MAX_CONSIDERED + 1000):
    """Rows with a link, more than one run considers, from networks that SQL expressions give."""
    aged = f"now() - make_interval(mins => {minutes})"
    row = {
        "ip_address": addresses,
        "message": "'https://x.example'",
        "held_reason": "'address'",
        "created_at": aged,
    }
    store_many(engine, "leads", count, row, {"zoho_status": "'held'", "queued_at": aged})


@pytest.mark.slow
@pytest.mark.parametrize(
    "addresses",
    [f"'{CARRIER}'", "'2001:db8:1:2::' || to_hex(n)", "'unknown'"],
    ids=["IPv4", "one IPv6 network", "no address"],
)
@pytest.mark.parametrize("minutes", [11, 30], ids=["newer", "older"])
def test_junk_of_one_address_keeps_no_other_address_waiting(engine, hold, addresses, minutes):
    store_junk(engine, addresses, minutes=minutes)
    for number in range(5):
        hold(address=f"198.51.100.{number}", minutes=20)
    assert run(engine) == 5


@pytest.mark.slow
@pytest.mark.parametrize("minutes", [11, 30], ids=["newer", "older"])
def test_junk_of_ones_own_address_costs_a_few_runs_at_most(engine, hold, minutes):
    store_junk(engine, f"'{CARRIER}'", minutes=minutes)
    hold(minutes=20)
    assert any(run(engine) == 1 for _ in range(20))


PROGRAM = {"user_agent": "curl/8", "language": "en", "message": "Call me", "timezone": "UTC"}


def wave(hold, count=30, **says):
    """Rows of one program, from as many networks, in one moment."""
    return {
        hold(Held.FLOOD, address=f"203.0.{number // 200}.{number % 200}", minutes=0.5, **{**PROGRAM, **says})
        for number in range(count)
    }


def in_one_moment(engine):
    """Let all rows have come half a minute ago, within one stretch in which waves are looked for."""
    moment = "to_timestamp(floor(extract(epoch FROM now()) / 10) * 10 - 25)"
    change(engine, f"UPDATE leads SET created_at = {moment}")


def test_a_wave_stays_held_and_who_came_with_it_goes(engine, hold):
    junk = wave(hold)
    real = {
        hold(
            Held.FLOOD,
            address=f"198.51.100.{number}",
            minutes=0.5,
            user_agent=f"Phone {number}",
            language="en",
            timezone="Europe/Dublin",
            message=f"My question is {number}",
        )
        for number in range(10)
    }
    in_one_moment(engine)
    assert run(engine) == 10
    assert held(engine) == junk
    assert real.isdisjoint(held(engine))
    assert read_held_real(engine) == []


def test_a_few_rows_are_no_wave(engine, hold):
    wave(hold, WAVE_ROWS)
    in_one_moment(engine)
    assert run(engine) == WAVE_ROWS


def test_a_flood_of_different_people_goes_at_a_bounded_rate(engine, hold):
    hold(Held.ADDRESS)
    assert run(engine) == 1
    for number in range(60):
        hold(Held.FLOOD, address=f"203.0.113.{number}", minutes=0.5, user_agent=f"a{number}", message=f"b{number}")
    assert [run(engine) for _ in range(2)] == [20, 0]
    assert len(read_held_real(engine)) == 40
    change(engine, "UPDATE deliveries SET queued_at = queued_at - interval '1 minute' WHERE requeued")
    assert run(engine) == 20


def test_what_came_from_the_flood_itself_takes_no_room_from_those_who_were_held(engine, hold):
    for _ in range(30):
        record_lead(engine, LEAD)
    for _ in range(2):
        hold(Held.FLOOD)
    hold()
    assert run(engine, per_hour=14) == 2
    for _ in range(14):
        hold()
    assert [run(engine, per_hour=14) for _ in range(2)] == [13, 0]


def test_an_address_with_too_many_rows_loses_its_oldest_junk_and_nothing_that_looks_real(engine, hold):
    real = hold(minutes=60)
    store_junk(engine, f"'{CARRIER}'", minutes=30, count=MAX_HELD_PER_CLIENT + 50)
    newest = hold(minutes=11, message="https://x.example")
    other = hold(Held.HONEYPOT, address="198.51.100.1", message="https://x.example")
    assert settle_held(engine, per_hour=300).deleted == 52
    assert real not in held(engine)
    assert {newest, other} <= held(engine)
    assert settle_held(engine, per_hour=300).deleted == 0
    counts = "SELECT (SELECT count(*) FROM leads) AS leads, (SELECT count(*) FROM crm_deliveries) AS deliveries"
    assert rows_of(engine, counts) == [{"leads": MAX_HELD_PER_CLIENT + 1, "deliveries": MAX_HELD_PER_CLIENT + 1}]


def test_what_staff_release_meanwhile_is_not_deleted(engine, hold, monkeypatch):
    monkeypatch.setattr(holds, "MAX_HELD_PER_CLIENT", 1)
    first, _ = (hold(minutes=minutes, message="https://x.example") for minutes in (30, 20))
    spy_on(engine, before=lambda _, words, __: let_go(engine, by="ann") if "WITH gone" in words else None)
    assert settle_held(engine, per_hour=300).deleted == 0
    assert rows_of(engine, "SELECT id FROM leads WHERE id = :id", id=first)


def test_what_is_deleted_goes_with_its_messages_and_its_story_alone(engine, monkeypatch):
    monkeypatch.setattr(holds, "MAX_HELD_PER_CLIENT", 1)
    junk = {**LEAD, "message": "https://x.example", "ip_address": CARRIER}
    owed = {"zoho": 0.0, "visitor": 0.0}
    gone, kept = (record_lead(engine, junk, held=Held.ADDRESS, owed=owed).id for _ in range(2))
    for lead, minutes in ((gone, 30), (kept, 20)):
        aged = "UPDATE leads SET created_at = now() - make_interval(mins => :minutes) WHERE id = :id"
        change(engine, aged, minutes=minutes, id=lead)
        change(engine, "INSERT INTO attempts (kind, row_id, event) VALUES ('lead', :id, 'held')", id=lead)
    assert settle_held(engine, per_hour=300).deleted == 1
    assert rows_of(engine, "SELECT id FROM leads") == [{"id": kept}]
    assert rows_of(engine, "SELECT id FROM deliveries") == [{"id": kept}] * 2
    assert rows_of(engine, "SELECT row_id FROM attempts") == [{"row_id": kept}]


def test_of_one_address_no_more_rows_look_real_than_are_kept(engine, hold, monkeypatch):
    monkeypatch.setattr(holds, "MAX_HELD_PER_CLIENT", 3)
    monkeypatch.setattr(holds, "MAX_RELEASED_PER_CLIENT", 0)
    first = [hold(minutes=30 - number) for number in range(5)][:3]
    assert settle_held(engine, per_hour=300).deleted == 2
    assert held(engine) == set(first)


def test_clicks_of_different_sessions_and_a_lone_one_of_none_are_let_go(engine):
    for number, session in enumerate(["a", "b", "same", "same", None, None]):
        values = {**CLICK, "unique_code": f"AAAA{number}", "session_id": session, "ip_address": CARRIER}
        record_click(engine, values, held=Held.ADDRESS)
    record_click(engine, {**CLICK, "unique_code": "AAAA6", "ip_address": "198.51.100.1"}, held=Held.ADDRESS)
    change(engine, "UPDATE whatsapp_clicks SET created_at = now() - interval '11 minutes'")
    assert run(engine) == 3
    rows = rows_of(
        engine,
        "SELECT session_id FROM whatsapp_clicks JOIN crm_deliveries USING (id) WHERE zoho_status = 'pending'",
    )
    assert {row["session_id"] for row in rows} == {"a", "b", None}
