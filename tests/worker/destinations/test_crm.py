"""What became of a record between two tries is looked up, and nobody's record is overwritten unseen."""

import pytest

from leads.outbox.find import read_timeline
from leads.outbox.pause import read_destinations, resume
from tests.support.database import rows_of
from tests.support.pipeline import deliver, make_due, record, statuses
from worker.destinations.port import Call

KEY = "Website_Event_ID"


@pytest.fixture
def lose_reply(context, sandbox):
    """Store records whose rows do not know it."""

    def lose(count=1):
        ids = record(context, count)
        sandbox.faults(commit_then_drop={"count": count, "path": "upsert"})
        assert deliver(context) == ["CONNECTION_LOST"] * count
        make_due(context)
        return ids

    return lose


@pytest.mark.parametrize(
    "fault", [{"under_approval": {}}, {"in_blueprint": {"field": "Last_Name"}}, {"record_locked": {}}]
)
def test_a_record_that_the_crm_will_not_update_has_arrived(context, sandbox, lose_reply, fault):
    lose_reply(2)
    sandbox.faults(**fault)
    assert deliver(context) == ["FOUND"] * 2
    rows = rows_of(context.engine, "SELECT id::text, record_id FROM deliveries")
    assert {row["id"]: row["record_id"] for row in rows} == {found[KEY]: found["id"] for found in sandbox.records()}


def test_a_record_that_no_search_shows_yet_is_tried_again(context, sandbox, lose_reply):
    lose_reply()
    sandbox.faults(under_approval={}, limits={"search_lag_s": 600})
    assert deliver(context) == ["NOT_APPROVED"]
    make_due(context)
    sandbox.faults(limits={"search_lag_s": 0})
    assert deliver(context) == ["FOUND"]


def test_what_staff_did_meanwhile_is_not_undone(context, sandbox, lose_reply):
    """One is converted, one has another number and owner."""
    converted, changed = lose_reply(2)
    ids = {found[KEY]: found["id"] for found in sandbox.records()}
    sandbox.act("convert", ids[str(converted)])
    owner = {"id": "488800000000012009", "name": "Beryl"}
    sandbox.act("change", ids[str(changed)], Phone="+447911000000", Owner=owner)
    assert deliver(context) == ["FOUND"] * 2
    assert sandbox.summary()["duplicate_event_ids"] == 0
    (after,) = sandbox.records(**{KEY: str(changed)})
    assert (after["Phone"], after["Owner"]["name"]) == ("+447911000000", "Beryl")
    assert read_timeline(context.engine, changed)[-1]["code"] == "FOUND"


def test_nothing_is_written_when_the_look_up_took_the_lease(context, sandbox, monkeypatch):
    record(context)
    sandbox.faults(drop={"count": 1, "path": "upsert"})
    assert deliver(context) == ["CONNECTION_LOST"]
    make_due(context)
    may_begin = iter([True, False])  # the process froze in between
    monkeypatch.setattr(Call, "may_begin", lambda _: next(may_begin))
    assert deliver(context) == ["LEASE_SHORT"]
    assert sandbox.summary()["records"] == 0


@pytest.fixture
def overwritten(context, sandbox):
    """A person's second enquiry has overwritten the record of the first: the number is unique in the CRM."""
    sandbox.faults(limits={"phone_unique": True})
    (first,) = record(context, message="How much?")
    assert deliver(context) == ["SENT"]
    (second,) = record(context, message="And when?")
    assert deliver(context) == ["OVERWROTE"]
    return first, second


def test_the_first_record_that_is_overwritten_pauses_for_hours_with_the_fields_name(context, overwritten, run):
    crm = read_destinations(context.engine)["zoho"]
    assert (crm.reason, "Phone" in crm.detail) == ("configuration", True)
    assert "Phone" in run("status").output
    assert statuses(context) == {"sent": 1, "pending": 1}
    assert rows_of(context.engine, "SELECT sum(retry_count) AS tries FROM deliveries") == [{"tries": 0}]
    waits = "SELECT until_at - now() > interval '3 hours' AS is_long FROM destinations WHERE name = 'zoho'"
    assert rows_of(context.engine, waits) == [{"is_long": True}]
    record(context)
    assert deliver(context) == []


def test_once_the_field_is_mended_both_enquiries_get_their_records(context, sandbox, overwritten, run):
    sandbox.faults(limits={"phone_unique": False})
    resume(context.engine, "zoho", by="ann")
    assert deliver(context) == ["SENT"]
    run("reconcile", "--fix", "--by", "ann")
    deliver(context)
    assert {found[KEY]: found["Description"].splitlines()[0] for found in sandbox.records()} == {
        str(overwritten[0]): "How much?",
        str(overwritten[1]): "And when?",
    }
