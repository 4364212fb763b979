"""What an operator's change of rows takes along, in committed steps, and what it writes down."""

from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import text

from leads.outbox.find import read_timeline
from leads.outbox.holds import Held
from leads.outbox.operate import STEP_ROWS, Change
from leads.outbox.selection import STATES, Selection, count_rows
from tests.support.database import change, rows_of, store_many
from tests.support.samples import LEAD, record_lead

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)


EVERYTHING = Selection(states=STATES)


def redrive(engine, selection=EVERYTHING):
    return list(Change.REDRIVEN.make(engine, selection, by="ann"))


def bury(engine, count=1, *, table="leads", at=NOON, error="INVALID_DATA: Email"):
    """Store rows that were given up then, a day after they came."""
    row = {"email": "'p' || n || '@example.com'"} if table == "leads" else {"unique_code": ":at"}
    delivery = {"status": "'dead'", "retry_count": "3", "last_error": ":error"}
    times = {
        "last_retry_at": "cast(:at AS timestamptz)",
        "queued_at": "cast(:at AS timestamptz) - interval '1 day'",
    }
    store_many(engine, table, count, row, delivery | times, at=at.isoformat(), error=error)


def waiting(engine):
    (row,) = rows_of(engine, "SELECT count(*) AS n FROM deliveries WHERE status = 'pending'")
    return row["n"]


@pytest.mark.parametrize(
    ("selection", "moved"),
    [
        (Selection(), 6),
        (Selection(since=NOON), 5),
        (Selection(since=NOON + HOUR), 2),
        (Selection(since=NOON - HOUR, until=NOON), 1),
        (Selection(code="INVALID_DATA"), 5),
        (Selection(code="INVALID"), 0),
        (Selection(code="INVALID_DATA", since=NOON + HOUR), 2),
        (Selection(ids=[]), 0),
        (Selection(destination="visitor"), 0),
    ],
)
def test_a_selection_moves_exactly_its_rows(engine, selection, moved):
    for at in (NOON - HOUR, NOON, NOON + HOUR):
        bury(engine, at=at)
    bury(engine, error="BUSY: tried for days")
    for at in (NOON, NOON + HOUR):
        bury(engine, table="whatsapp_clicks", at=at)
    for status in ("pending", "sending", "sent", "held"):
        lead = record_lead(engine, LEAD).id
        change(engine, "UPDATE deliveries SET status = :status WHERE id = :id", status=status, id=lead)
    selection = replace(selection, states=("dead",))
    assert sum(group["rows"] for group in count_rows(engine, selection)) == moved
    assert sum(redrive(engine, selection)) == moved
    assert waiting(engine) == moved + 1
    assert redrive(engine, selection) == []


def test_a_redriven_row_is_as_new_and_its_story_says_who_did_it_and_why(engine):
    bury(engine)
    assert sum(Change.REDRIVEN.make(engine, EVERYTHING, by="ann", why="mended")) == 1
    (row,) = rows_of(engine, "SELECT *, now() - queued_at < interval '1 min' AS requeued FROM deliveries")
    assert (row["status"], row["retry_count"], row["lost_leases"], row["requeued"]) == ("pending", 0, 0, True)
    (line,) = read_timeline(engine, row["id"])
    assert (line["event"], line["detail"]) == ("redriven", "by ann: mended")


def test_a_row_that_waits_for_a_retry_is_due_at_once_and_keeps_its_tries(engine):
    record_lead(engine, LEAD)
    waits = "next_retry_at = now() + interval '1 hour', queued_at = now() - interval '25 hours'"
    failed = "status = 'retrying', retry_count = 7, lost_leases = 3, refused_at = now(), last_retry_at = now()"
    change(engine, f"UPDATE deliveries SET {failed}, {waits}")
    assert [redrive(engine), redrive(engine)] == [[1], []]
    (row,) = rows_of(engine, "SELECT *, queued_at < now() - interval '1 day' AS old FROM deliveries")
    assert (row["status"], row["retry_count"], row["lost_leases"], row["old"]) == ("retrying", 7, 3, True)
    assert row["refused_at"] is not None


def test_an_interrupted_redrive_has_moved_whole_steps_and_a_second_run_moves_the_rest(engine):
    bury(engine, 2 * STEP_ROWS + 5)
    steps = Change.REDRIVEN.make(engine, EVERYTHING, by="ann")
    assert next(steps) == STEP_ROWS
    steps.close()
    assert waiting(engine) == STEP_ROWS
    assert rows_of(engine, "SELECT count(*) AS n FROM attempts") == [{"n": STEP_ROWS}]
    assert redrive(engine) == [STEP_ROWS, 5]


def test_rows_that_die_again_while_it_runs_are_not_moved_a_second_time(engine):
    bury(engine, STEP_ROWS + 1)
    moved = 0
    for step in Change.REDRIVEN.make(engine, EVERYTHING, by="ann"):
        moved += step
        change(engine, "UPDATE deliveries SET status = 'dead', last_retry_at = now() WHERE status = 'pending'")
    assert moved == STEP_ROWS + 1


def test_a_row_that_is_held_fast_holds_no_other_up(engine):
    fast, _ = (record_lead(engine, LEAD).id for _ in range(2))
    change(engine, "UPDATE deliveries SET status = 'dead'")
    with ThreadPoolExecutor(1) as pool, engine.connect() as other:
        other.execution_options(isolation_level="READ COMMITTED").begin()
        other.execute(text("SELECT FROM deliveries WHERE id = :id FOR UPDATE"), {"id": fast})
        moving = pool.submit(redrive, engine)
        assert wait([moving], 10).done
        assert moving.result() == [1]
    assert rows_of(engine, "SELECT id FROM deliveries WHERE status = 'dead'") == [{"id": fast}]


@pytest.mark.parametrize(("hours", "late"), [(23, ["visitor"]), (25, [])])
def test_what_is_owed_for_a_held_lead_is_released_with_it_but_nothing_late_or_done(engine, hours, late):
    owed = {"zoho": 0.0, "visitor": 0.0, "staff-mail": 0.0}
    lead, _ = (record_lead(engine, LEAD, held=Held.FLOOD, owed=owed).id for _ in range(2))
    change(engine, "UPDATE deliveries SET queued_at = now() - make_interval(hours => :hours)", hours=hours)
    change(engine, "UPDATE deliveries SET status = 'sent' WHERE destination = 'staff-mail'")
    assert sum(Change.RELEASED.make(engine, Selection(states=STATES, ids=[lead]), by="ann")) == 1
    released = rows_of(engine, "SELECT destination FROM deliveries WHERE status = 'pending' ORDER BY 1")
    assert [row["destination"] for row in released] == [*late, "zoho"]
