"""Claims are exclusive, marks are fenced, success is monotone, and everything is written down."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor, wait
from time import perf_counter

import psycopg
import pytest
from sqlalchemy import text

from leads.ids import short_id
from leads.lifecycle import Deferred, Delivered, Rejected, Retryable
from leads.outbox import lease
from leads.outbox.find import find_rows, read_timeline
from leads.outbox.gate import Reason, shut_gate
from leads.outbox.holds import Held
from leads.outbox.lease import Mark, Tally, begin, claim, hurry_messages, mark, sweep
from leads.outbox.rows import NOT_SENT, Kind, Lane
from leads.outbox.selection import redrive, release
from leads.outbox.store import record_click, record_lead
from tests.support.database import change, rows_of, spy_on, store_many
from tests.support.samples import CLICK, LEAD


def take(engine, lane=Lane.FRESH, rows=100, lease=60.0, call_id="c"):
    return claim(engine, lane, rows=rows, lease_seconds=lease, call_id=call_id)


def as_mark(row, outcome):
    return Mark(row, outcome, "c")


def state(engine):
    (row,) = rows_of(engine, "SELECT * FROM leads JOIN crm_deliveries USING (id)")
    return row


def test_a_claimed_row_is_nobody_elses_until_its_lease_ends(engine):
    record_lead(engine, LEAD)
    (row,) = take(engine)
    assert row.values["surname"] == "Example"
    assert take(engine) == []
    assert state(engine)["zoho_status"] == "sending"
    assert state(engine)["next_retry_at"] == row.lease


@pytest.mark.parametrize(("kind", "store", "values"), [("lead", record_lead, LEAD), ("click", record_click, CLICK)])
def test_a_claim_reads_every_column_that_is_sent_and_no_other(engine, kind, store, values):
    store(engine, values)
    (row,) = take(engine)
    columns = {column.name for column in Kind(kind).table.columns}
    assert row.kind == kind
    assert columns & row.values.keys() == columns - NOT_SENT.keys()


def test_leads_are_claimed_before_clicks_and_lanes_do_not_mix(engine):
    record_click(engine, CLICK)
    record_lead(engine, LEAD)
    assert [row.kind for row in take(engine)] == [Kind.LEAD]
    assert [row.kind for row in take(engine)] == [Kind.CLICK]
    assert take(engine, Lane.RETRY) == []


def test_eight_claimers_share_a_thousand_rows_without_overlap(engine):
    for _ in range(1000):
        record_lead(engine, LEAD)

    def drain(number: int) -> list:
        taken = []
        while rows := take(engine, rows=7, call_id=str(number)):
            taken += [row.id for row in rows]
        return taken

    with ThreadPoolExecutor(8) as pool:
        taken = [row for part in pool.map(drain, range(8)) for row in part]
    assert len(taken) == len(set(taken)) == 1000
    assert rows_of(engine, "SELECT count(*) AS n FROM crm_attempts WHERE event = 'claimed'") == [{"n": 1000}]


@pytest.mark.parametrize(
    ("outcome", "tally", "row", "tried", "error"),
    [
        (Delivered("123"), Tally(sent=1), ("sent", 0, "123", None), False, None),
        (Delivered(""), Tally(sent=1), ("sent", 0, "old", None), False, None),
        (Retryable("LOCKED", "a"), Tally(retrying=1), ("retrying", 1, "old", "LOCKED: a"), True, "LOCKED: a"),
        (Deferred("TOO_MANY_REQUESTS"), Tally(deferred=1), ("pending", 0, "old", "before"), False, None),
        (Rejected("INVALID", "Email"), Tally(dead=1), ("dead", 1, "old", "INVALID: Email"), True, "INVALID: Email"),
    ],
)
def test_a_mark_writes_what_was_settled_and_notes_it(engine, outcome, tally, row, tried, error):
    record_lead(engine, LEAD)
    change(engine, "UPDATE deliveries SET record_id = 'old', last_error = 'before'")
    (claimed,) = take(engine)
    assert mark(engine, [Mark(claimed, outcome, "c", note="note")]) == tally
    after = state(engine)
    names = ("zoho_status", "retry_count", "zoho_record_id", "last_error")
    assert tuple(after[name] for name in names) == row
    assert (after["zoho_sent_at"] is not None, after["last_retry_at"] is not None) == (row[0] == "sent", tried)
    line, last = read_timeline(engine, claimed.id)
    assert (line["event"], last["event"]) == ("claimed", type(outcome).__name__.lower())
    waits = row[0] in {"retrying", "pending"}
    assert (last["detail"], last["next_retry_at"]) == (error or "note", after["next_retry_at"] if waits else None)


def test_of_one_call_each_row_is_marked_or_fenced_by_itself(engine):
    """Each has failed before, in another call."""
    for _ in range(2):
        record_lead(engine, LEAD)
    mark(engine, [Mark(row, Retryable("X"), "before") for row in take(engine)])
    change(engine, "UPDATE deliveries SET next_retry_at = now()")
    late, holder = marks = [as_mark(row, Retryable("X")) for row in take(engine, Lane.RETRY)]
    change(engine, "UPDATE deliveries SET next_retry_at = now() + interval '1 h' WHERE id = :id", id=late.row.id)
    mark(engine, [holder])
    for _ in range(2):
        assert mark(engine, marks) == Tally(retrying=2, fenced=1)
        events = [[entry["event"] for entry in read_timeline(engine, item.row.id)] for item in marks]
        assert events == [["claimed", "retryable", "claimed", last] for last in ("fenced", "retryable")]


def test_tallies_add_up():
    assert Tally(1, 2, 3, 4, 5) + Tally(10, 20, 30, 40, 50) == Tally(11, 22, 33, 44, 55)


def test_nothing_marked_is_nothing_written(engine):
    assert mark(engine, []) == Tally()


def test_giving_up_on_a_mark_says_that_nothing_was_marked_and_leaves_pauses_between(engine, monkeypatch):
    record_lead(engine, LEAD)
    marks = [as_mark(row, Delivered("9")) for row in take(engine)]
    monkeypatch.setattr(lease, "MARK_PAUSES", (0.0, 0.1, 0.2))
    tried = []

    def fails(*_):
        tried.append(perf_counter())
        raise psycopg.OperationalError("cut")

    spy_on(engine, before=fails)
    assert mark(engine, marks) == Tally(sent=1, fenced=1)
    first, second, third = tried
    assert (second - first, third - second) > (0.1, 0.2)


def test_a_row_that_was_tried_some_minutes_ago_says_so(engine):
    for minutes in (6, 4):
        lead = record_lead(engine, LEAD).id
        tried = "UPDATE deliveries SET status = 'retrying', last_retry_at = now() - make_interval(mins => :minutes)"
        change(engine, f"{tried} WHERE id = :id", id=lead, minutes=minutes)
    assert [row.values["was_tried"] for row in take(engine, Lane.RETRY)] == [True, False]


def test_a_message_knows_why_the_crm_refuses_its_lead(engine):
    record_lead(engine, LEAD, owed={"zoho": 0.0, "staff-mail": 0.0})
    change(engine, "UPDATE deliveries SET last_error = 'INVALID_DATA: Last_Name' WHERE destination = 'zoho'")
    change(engine, "UPDATE deliveries SET status = 'dead' WHERE destination = 'zoho'")
    (row,) = claim(engine, Lane.FRESH, rows=1, lease_seconds=60, call_id="c", destination="staff-mail")
    assert (row.values["crm_record_id"], row.values["crm_refusal"]) == (None, "INVALID_DATA")


def test_a_sweep_goes_in_steps(engine, monkeypatch):
    for _ in range(3):
        record_lead(engine, LEAD)
    take(engine, lease=0.0)
    steps, step = [], lease._take_back
    monkeypatch.setattr(lease, "_take_back", lambda *values: steps.append(step(*values)) or steps[-1])
    assert sweep(engine, rows=2) == 3
    assert steps == [2, 1]


def test_named_rows_are_claimed_alone_and_come_as_they_were_stored(engine):
    ids = [record_lead(engine, LEAD).id for _ in range(3)]
    change(engine, "UPDATE deliveries SET next_retry_at = now() - interval '1 h' WHERE id = :id", id=ids[1])
    rows = claim(engine, Lane.FRESH, rows=9, lease_seconds=60.0, call_id="c", among=ids[:2])
    assert [row.id for row in rows] == ids[:2]


@pytest.mark.parametrize(("status", "work"), [("pending", lambda engine: len(take(engine))), ("sending", sweep)])
def test_a_row_that_is_locked_holds_up_no_other(engine, status, work):
    locked, _ = (record_lead(engine, LEAD).id for _ in range(2))
    change(engine, "UPDATE deliveries SET status = :status", status=status)
    with ThreadPoolExecutor(1) as pool, engine.connect() as other:
        other.execution_options(isolation_level="READ COMMITTED").begin()
        other.execute(text("SELECT FROM deliveries WHERE id = :id FOR UPDATE"), {"id": locked})
        working = pool.submit(work, engine)
        assert wait([working], 10).done
        assert working.result() == 1


def test_a_worker_that_lost_its_lease_marks_nothing_but_a_success(engine):
    record_lead(engine, LEAD)
    (late,) = take(engine, lease=0.0)
    begin(engine, [late])
    assert sweep(engine) == 1
    assert mark(engine, [as_mark(late, Retryable("X"))]).fenced == 1
    assert state(engine)["retry_count"] == 1
    assert mark(engine, [as_mark(late, Delivered("9"))]).fenced == 0
    assert state(engine)["zoho_status"] == "sent"
    assert [entry["event"] for entry in read_timeline(engine, late.id)] == [
        "claimed",
        "lease_lost",
        "fenced",
        "delivered",
    ]


def test_a_stale_sweep_leaves_a_row_that_was_sent_meanwhile(engine):
    record_lead(engine, LEAD)
    (row,) = take(engine, lease=0.0)
    with ThreadPoolExecutor(1) as pool, engine.connect() as slow:
        slow.execution_options(isolation_level="READ COMMITTED")
        with slow.begin():
            slow.execute(text("SELECT id FROM crm_deliveries WHERE zoho_status = 'sending' FOR UPDATE"))
            marking = pool.submit(mark, engine, [as_mark(row, Delivered("9"))])
            slow.execute(text("UPDATE crm_deliveries SET zoho_status = 'retrying', retry_count = 1"))
        assert marking.result(10).fenced == 0
    assert state(engine)["zoho_status"] == "sent"


def test_redriving_and_releasing_start_a_row_anew_once(engine):
    record_lead(engine, LEAD)
    record_lead(engine, LEAD, held=Held.HONEYPOT)
    (row,) = take(engine)
    mark(engine, [Mark(row, Rejected("X"))])
    assert (redrive(engine, by="ann"), redrive(engine, by="ann")) == (1, 0)
    assert (release(engine, by="ann"), release(engine, by="ann")) == (1, 0)
    assert {row["retry_count"] for row in rows_of(engine, "SELECT retry_count FROM crm_deliveries")} == {0}
    assert len(take(engine)) == 2
    assert read_timeline(engine, row.id)[-2]["detail"] == "by ann"


def test_a_row_is_found_by_the_beginning_of_its_id_and_shows_no_person(engine):
    receipt = record_lead(engine, LEAD)
    (found,) = find_rows(engine, short_id(receipt.id))
    assert found["id"] == receipt.id
    assert not {"Ann", "Example", "ann@example.com"} & {str(value) for value in found.values()}
    assert find_rows(engine, "zzz") == []


@pytest.mark.parametrize(
    ("pile", "index"),
    [
        (Lane.FRESH.piles[0], "ix_deliveries_owed"),
        (Lane.FRESH.piles[1], "ix_deliveries_requeued"),
        (Lane.RETRY.piles[0], "ix_deliveries_owed"),
    ],
)
def test_claiming_uses_a_partial_index_and_not_the_finished_rows(engine, pile, index):
    status = "(ARRAY['sent', 'sent', 'sent', 'dead', 'pending', 'retrying'])[1 + n % 6]"
    store_many(engine, "leads", 20_000, {}, {"zoho_status": status, "requeued": "n / 6 % 2 = 1"})
    change(engine, "ANALYZE deliveries")
    with engine.connect() as connection:
        plan = "\n".join(
            connection.execute(
                text(
                    "EXPLAIN SELECT id FROM deliveries WHERE destination = 'zoho' AND kind = 'lead'"
                    f" AND {pile} AND next_retry_at <= now()"
                    " AND (lost_leases >= 2) = false ORDER BY next_retry_at LIMIT 100 FOR UPDATE SKIP LOCKED"
                )
            ).scalars()
        )
    assert index in plan
    assert "Sort" not in plan


def test_what_a_person_queued_again_stands_behind_every_new_row(engine):
    again = record_lead(engine, LEAD).id
    change(engine, "UPDATE crm_deliveries SET zoho_status = 'dead'")
    assert redrive(engine, by="ann") == 1
    click, lead = record_click(engine, CLICK), record_lead(engine, LEAD).id
    assert [[row.id for row in take(engine)] for _ in range(4)] == [[lead], [click], [again], []]


def test_a_claim_takes_nothing_once_the_gate_has_shut_and_a_probe_takes_its_row(engine):
    lead = record_lead(engine, LEAD).id
    shut_gate(engine, Reason.RATE, "TOO_MANY_REQUESTS", by="worker", seconds=20)
    assert claim(engine, Lane.FRESH, rows=9, lease_seconds=60, call_id="c", while_open=True) == []
    assert [row.id for row in take(engine)] == [lead]


def test_a_claim_takes_what_is_due_while_the_gate_is_open(engine):
    lead = record_lead(engine, LEAD).id
    (taken,) = claim(engine, Lane.FRESH, rows=9, lease_seconds=60, call_id="c", while_open=True)
    assert taken.id == lead


def test_only_new_messages_of_the_named_rows_are_hurried(engine):
    owed = {"zoho": 60.0, "staff-mail": 60.0, "visitor": 60.0}
    named, _ = (record_lead(engine, LEAD, owed=owed).id for _ in range(2))
    change(engine, "UPDATE deliveries SET status = 'retrying' WHERE destination = 'visitor'")
    hurry_messages(engine, [named])
    due = rows_of(engine, "SELECT id, destination, next_retry_at FROM deliveries WHERE next_retry_at <= now()")
    assert [(row["id"], row["destination"]) for row in due] == [(named, "staff-mail")]
    hurry_messages(engine, [named])  # what is due keeps its place
    assert due == rows_of(
        engine, "SELECT id, destination, next_retry_at FROM deliveries WHERE next_retry_at <= now()"
    )
