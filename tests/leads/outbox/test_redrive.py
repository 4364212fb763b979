"""Redriving by time and code: committed steps that can be interrupted, never ahead of new leads."""

from __future__ import annotations

import time
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from leads.outbox.rows import Kind
from leads.outbox.selection import STEP_ROWS, Selection, count_rows, redrive, redrive_steps
from leads.outbox.store import record_lead
from tests.support.database import change, rows_of, store_many
from tests.support.samples import LEAD

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)


def bury(engine, count=1, *, at=NOON, error="INVALID_DATA: Email", source=None, gclid=None):
    stored = "cast(:at AS timestamptz) - interval '1 day'"
    person = {"email": "'p' || n || '@example.com'", "phone_e164": "'+44' || n"}
    row = {**person, "created_at": stored, "utm_source": ":source", "google_gclid": ":gclid"}
    delivery = {"status": "'dead'", "retry_count": "3", "last_error": ":error", "queued_at": stored}
    delivery["last_retry_at"] = "cast(:at AS timestamptz)"
    store_many(engine, "leads", count, row, delivery, at=at, error=error, source=source, gclid=gclid)


def bury_click(engine, code, *, at=NOON, error="INVALID_DATA: Last_Name", source=None):
    row = {"unique_code": ":code", "utm_source": ":source"}
    delivery = {"status": "'dead'", "last_error": ":error", "last_retry_at": "cast(:at AS timestamptz)"}
    store_many(engine, "whatsapp_clicks", 1, row, delivery, code=code, at=at, error=error, source=source)


def waiting(engine):
    (row,) = rows_of(
        engine,
        "SELECT count(*) FILTER (WHERE kind = 'lead') AS leads, count(*) FILTER (WHERE kind = 'click') AS clicks"
        " FROM crm_deliveries WHERE zoho_status = 'pending'",
    )
    return row["leads"], row["clicks"]


@pytest.mark.parametrize(
    ("selection", "moved"),
    [
        (Selection(), (7, 2)),
        (Selection(since=NOON), (6, 2)),
        (Selection(since=NOON + HOUR), (1, 1)),
        (Selection(until=NOON), (1, 0)),
        (Selection(since=NOON - HOUR, until=NOON), (1, 0)),
        (Selection(code="INVALID_DATA"), (6, 2)),
        (Selection(code="INVALID"), (0, 0)),
        (Selection(code="WORKER_LOST"), (1, 0)),
        (Selection(code="INVALID_DATA", since=NOON + HOUR), (1, 1)),
        (Selection(ids=[]), (0, 0)),
    ],
)
def test_a_selection_moves_exactly_its_rows(engine, selection, moved):
    bury(engine, 1)
    bury(engine, at=NOON - HOUR)
    bury(engine, error="WORKER_LOST: worker lost three times")
    bury(engine, source="Google")
    bury(engine, source="google")
    bury(engine, at=NOON + HOUR, gclid="abc", source="google-ads")
    bury(engine, source="bing")
    bury_click(engine, "AB12C")
    bury_click(engine, "AB12D", at=NOON + HOUR, source="google")
    counted = dict.fromkeys(Kind, 0)
    for pile in count_rows(engine, replace(selection, states=("dead",))):
        counted[Kind(pile["kind"])] += pile["rows"]
    assert (counted[Kind.LEAD], counted[Kind.CLICK]) == moved
    selection = replace(selection, states=("dead",))
    assert sum(redrive_steps(engine, selection, by="ann")) == sum(moved)
    assert waiting(engine) == moved
    assert sum(redrive_steps(engine, selection, by="ann")) == 0


def test_a_redriven_row_is_as_new_and_its_story_says_who_did_it(engine):
    bury(engine)
    assert redrive(engine, by="ann") == 1
    (row,) = rows_of(engine, "SELECT *, now() - queued_at < interval '1 min' AS requeued FROM crm_deliveries")
    assert (row["zoho_status"], row["retry_count"], row["lost_leases"], row["requeued"]) == ("pending", 0, 0, True)
    (note,) = rows_of(engine, "SELECT row_id, event, detail FROM crm_attempts")
    assert note == {"row_id": row["id"], "event": "redriven", "detail": "by ann"}


def test_only_dead_rows_are_redriven(engine):
    for status in ("pending", "sending", "retrying", "sent", "held"):
        lead = record_lead(engine, LEAD).id
        change(engine, "UPDATE crm_deliveries SET zoho_status = :status WHERE id = :id", status=status, id=lead)
    assert redrive(engine, by="ann") == 0


def test_an_interrupted_redrive_has_moved_whole_steps_and_a_second_run_moves_the_rest(engine):
    bury(engine, 2 * STEP_ROWS + 5)
    steps = redrive_steps(engine, Selection(states=("dead",)), by="ann")
    assert next(steps) == STEP_ROWS
    steps.close()
    assert waiting(engine) == (STEP_ROWS, 0)
    assert rows_of(engine, "SELECT count(*) AS n FROM crm_attempts") == [{"n": STEP_ROWS}]
    assert list(redrive_steps(engine, Selection(states=("dead",)), by="bob")) == [STEP_ROWS, 5]
    assert rows_of(engine, "SELECT detail, count(*) AS n FROM crm_attempts GROUP BY 1 ORDER BY 1") == [
        {"detail": "by ann", "n": STEP_ROWS},
        {"detail": "by bob", "n": STEP_ROWS + 5},
    ]


def test_rows_that_die_again_while_it_runs_are_not_moved_a_second_time(engine):
    bury(engine, STEP_ROWS + 1)
    moved = 0
    for step in redrive_steps(engine, Selection(states=("dead",)), by="ann"):
        moved += step
        change(
            engine,
            "UPDATE crm_deliveries SET zoho_status = 'dead', last_retry_at = now() WHERE zoho_status = 'pending'",
        )
    assert moved == STEP_ROWS + 1


@pytest.mark.slow
def test_fifty_thousand_rows_are_redriven_in_a_minute(engine, record_property):
    bury(engine, 50_000)
    started = time.monotonic()
    assert redrive(engine, by="ann") == 50_000
    took = time.monotonic() - started
    record_property("seconds", round(took, 1))
    assert took < 60
