"""What a comparison with the CRM reads of our rows, and which of them go back into the queue."""

from datetime import UTC, datetime, timedelta

import pytest

from leads.outbox.reconcile import read_record_ids, read_sample, read_sent, requeue_missing
from tests.support.database import change, rows_of
from tests.support.samples import LEAD, record_lead

NOON = datetime(2026, 11, 24, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)
MARK = """
UPDATE crm_deliveries SET zoho_status = :status, zoho_record_id = :record, retry_count = 2,
    lost_leases = 1, zoho_sent_at = coalesce(:at, now() - make_interval(secs => 60 * :minutes)),
    queued_at = now() - make_interval(secs => 3600 * :hours), last_retry_at = CASE WHEN :retried THEN now() END
WHERE id = :id
"""


@pytest.fixture
def sent(engine):
    """Store a lead that was sent at a time, or so many minutes ago."""

    def store(record="1", **more):
        lead = record_lead(engine, LEAD).id
        given = {"status": "sent", "at": None, "minutes": 60, "hours": 2, "retried": False, **more}
        change(engine, MARK, id=lead, record=record, **given)
        return lead

    return store


def test_the_rows_that_were_sent_since_a_time_are_read(engine, sent):
    inside = [sent(at=NOON + HOUR * part) for part in (0, 0.5)]
    sent(at=NOON - HOUR / 2)
    sent(status="pending", at=NOON)
    assert {row.id for row in read_sent(engine, since=NOON)} == {*inside}


def sample(engine, rows=9):
    return [row.id for row in read_sample(engine, rows=rows)]


def test_a_sample_is_of_a_day_and_begins_with_what_was_tried_again(engine, sent):
    tried, first_time = sent(retried=True), sent("7")
    assert sample(engine) == [tried, first_time]
    assert sample(engine, 1) == [tried]


@pytest.mark.parametrize(
    ("inside", "outside"),
    [
        ({"minutes": 24 * 60}, {"minutes": 26 * 60}),
        ({"minutes": 5.5}, {"minutes": 4.5}),
        ({"hours": 7.5 * 24}, {"hours": 8.5 * 24}),
        ({}, {"status": "pending"}),
    ],
    ids=["a day", "so that a search finds it", "the queue", "sent"],
)
def test_what_is_in_a_sample(engine, sent, inside, outside):
    found, _ = sent(**inside), sent(**outside)
    assert sample(engine) == [found]


def test_records_are_those_of_the_rows_that_were_asked_for(engine, sent):
    lead, none = sent("7"), sent(None, status="pending")
    sent("9")
    assert read_record_ids(engine, [lead, none]) == {lead: "7"}


def test_what_the_crm_does_not_have_is_sent_as_new(engine, sent):
    leads = [sent() for _ in range(5)]
    change(engine, "UPDATE deliveries SET next_retry_at = now() + interval '1 hour'")
    dead, other = sent(status="dead"), sent()
    assert [requeue_missing(engine, [*leads, dead], by="ann") for _ in range(2)] == [5, 0]
    found = {row["id"]: row for row in rows_of(engine, "SELECT *, next_retry_at <= now() AS due FROM deliveries")}
    for row in map(found.get, leads):
        assert (row["status"], row["retry_count"], row["lost_leases"], row["due"]) == ("pending", 0, 0, True)
        assert (row["sent_at"], row["record_id"]) == (None, None)
        assert row["queued_at"] > datetime.now(UTC) - HOUR
    assert (found[dead]["status"], found[other]["status"]) == ("dead", "sent")
    assert rows_of(engine, "SELECT DISTINCT event, detail FROM attempts") == [
        {"event": "requeued", "detail": "by ann: not in the CRM"}
    ]
