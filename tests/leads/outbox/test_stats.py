"""The rows of each group, how many are due, and what became of attempts since the last look."""

from datetime import timedelta
from uuid import uuid4

import pytest

from leads.outbox import stats
from leads.outbox.stats import (
    Answers,
    Refusal,
    newest_attempt,
    read_answers,
    read_attempts,
    read_backlog,
    read_refusals,
)
from leads.outbox.store import record_click
from leads.tables import Kind
from tests.support.database import change, rows_of
from tests.support.samples import CLICK, LEAD, record_lead


@pytest.fixture
def store(engine):
    """Store a lead, or a click with a code; more is SQL."""

    def store(code=None, destination="zoho", **columns):
        owed = {destination: 0.0}
        if code:
            row = record_click(engine, {**CLICK, "unique_code": code})
        else:
            row = record_lead(engine, LEAD, owed=owed).id
        if columns:
            changed = ", ".join(f"{column} = {value}" for column, value in columns.items())
            change(engine, f"UPDATE deliveries SET {changed} WHERE id = :id", id=row)
        return row

    return store


def backlog(engine):
    return {(group.destination, group.kind, group.status): group for group in read_backlog(engine)}


def test_every_row_is_in_one_group(engine, store):
    statuses = ("pending", "sending", "retrying", "dead", "held", "skipped", "sent")
    for status in statuses:
        store(status=f"'{status}'")
    for code in ("AAAAA", "BBBBB"):
        store(code)
    store(destination="visitor")
    groups = backlog(engine)
    assert {key: group.rows for key, group in groups.items()} == {
        **{("zoho", Kind.LEAD, status): 1 for status in statuses},
        ("zoho", Kind.CLICK, "pending"): 2,
        ("visitor", Kind.LEAD, "pending"): 1,
    }
    assert {status for _, _, status in groups if groups["zoho", Kind.LEAD, "dead"].waits_since is None} == {
        *statuses
    }


def test_a_group_tells_since_when_its_oldest_row_has_waited(engine, store):
    for queued in (30, 60, 10):
        store(queued_at=f"date_trunc('day', now()) - interval '{queued} minutes'")
    oldest = "SELECT date_trunc('day', now()) - interval '1 hour' AS at"
    assert [{"at": backlog(engine)["zoho", Kind.LEAD, "pending"].waits_since}] == rows_of(engine, oldest)


def test_a_destination_fails_from_its_first_failure_after_the_last_answer(engine):
    assert read_answers(engine) == {}
    for event, to, code, ago in (
        ("retry", "zoho", "OLD", 50),
        ("sent", "zoho", None, 40),
        ("retry", "zoho", "RESET", 30),
        ("unavailable", "zoho", "TIMEOUT", 20),
        ("unavailable", "zoho", "TOKEN_BUDGET", 10),
        ("claimed", "zoho", None, 5),
        ("retry", "visitor", "SMTP_451", 20),
        ("refused", "visitor", "SMTP_550", 10),
    ):
        note(engine, event=event, destination=to, code=code, at=f"date_trunc('day', now()) - interval '{ago} s'")
    (day,) = rows_of(engine, "SELECT date_trunc('day', now()) AS at")
    sent_at, failing_since = (day["at"] - timedelta(seconds=ago) for ago in (40, 30))
    assert read_answers(engine) == {"zoho": Answers(sent_at, failing_since, "TIMEOUT"), "visitor": Answers()}


def test_what_is_refused_and_what_was_given_up_is_named_by_its_reason_with_the_first_few(engine, store):
    ids = [
        store(
            status="'retrying'",
            refused_at="now()",
            last_error="'INVALID_DATA: Phone'",
            queued_at=f"now() - interval '{age} s'",
        )
        for age in (4, 3, 2, 1)
    ]
    store(status="'dead'", last_error="'HTTP_500: x (no tries left after 26)'")
    store(status="'dead'", last_error="'HTTP_500: x (no tries left after 27)'")
    store(destination="visitor", status="'dead'", last_error="'SMTP_451'")
    names = {row["id"]: row["reference"] for row in rows_of(engine, "SELECT id, reference FROM leads")}
    refused, dead = read_refusals(engine)
    assert refused == Refusal("zoho", "refused", "INVALID_DATA: Phone", 4, [names[row] for row in ids[:3]])
    assert (dead.state, dead.words, dead.rows, dead.code) == ("dead", "HTTP_500: x", 2, "HTTP_500")


def note(engine, row=None, *, event="sent", code=None, kind="lead", destination="zoho", at="clock_timestamp()"):
    change(
        engine,
        "INSERT INTO attempts (destination, kind, row_id, event, code, at)"
        f" VALUES (:destination, :kind, :row, :event, :code, {at})",
        destination=destination,
        kind=kind,
        row=row or uuid4(),
        event=event,
        code=code or ("SENT" if event == "sent" else None),
    )
    return newest_attempt(engine)


def test_attempts_after_the_last_look_are_counted_by_what_became_of_them(engine):
    assert newest_attempt(engine) == 0
    before = note(engine, event="retry", code="BEFORE")
    for code in ("HTTP_500", "HTTP_500", None, None):
        note(engine, event="retry", code=code)
    last = note(engine, kind="click", destination="visitor", event="refused", code="SMTP_554")
    assert read_attempts(engine, before, settled_seconds=0) == stats.Attempts(
        last,
        [
            ("zoho", "lead", "retry", "HTTP_500", 2),
            ("zoho", "lead", "retry", "", 2),
            ("visitor", "click", "refused", "SMTP_554", 1),
        ],
        [],
    )
    assert read_attempts(engine, last, settled_seconds=0) == stats.Attempts(last, [], [])


def test_attempts_of_the_last_seconds_wait_for_those_that_are_written_beside_them(engine, store):
    lead = store()
    first = note(engine, lead, at="clock_timestamp() - interval '6 seconds'")
    last = note(engine, lead, at="clock_timestamp() - interval '4 seconds'")
    found = read_attempts(engine, 0)
    assert (found.last, found.counts, len(found.waited)) == (first, [("zoho", "lead", "sent", "SENT", 1)], 1)
    assert read_attempts(engine, first).last == first
    assert read_attempts(engine, last).last == last


def test_how_long_what_was_delivered_had_waited_is_told(engine, store):
    lead, click = store(), store("AAAAA")
    change(engine, "UPDATE leads SET created_at = now() - interval '10 minutes'")
    change(engine, "UPDATE whatsapp_clicks SET created_at = now() - interval '20 minutes'")
    before = note(engine, lead)
    note(engine, lead)
    note(engine, click, kind="click", destination="other")
    note(engine, lead, event="retry")
    note(engine)  # its lead was erased
    note(engine, lead, code="UPDATED")  # with what the visitor added
    after = note(engine, lead)
    found = read_attempts(engine, before, settled_seconds=0)
    waited = [(destination, kind, round(seconds / 60)) for destination, kind, seconds in found.waited]
    assert sorted(waited) == [("other", "click", 20), ("zoho", "lead", 10), ("zoho", "lead", 10)]
    assert found.last == after
