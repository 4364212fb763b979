"""What became of a record between a lost reply and the next try is looked up: no row is buried, none doubled."""

from __future__ import annotations

import pytest

from leads.outbox.find import read_timeline
from leads.outbox.gate import read_gate
from leads.outbox.rows import Lane
from tests.support.database import change, rows_of
from tests.support.pipeline import make_due, record, statuses
from worker.delivery.deliver import deliver

KEY = "Website_Event_ID"
AGO = "UPDATE crm_deliveries SET last_retry_at = now() - interval '6 min'"


def lose_reply(context, sandbox, count):
    """Store records whose rows do not know it."""
    ids = record(context, count)
    sandbox.faults(commit_then_drop={"count": 1, "path": "upsert"})
    assert deliver(context.delivery, context.crm, Lane.FRESH).retrying == count
    make_due(context)
    return ids


@pytest.mark.parametrize(
    "fault", [{"under_approval": {}}, {"in_blueprint": {"field": "Last_Name"}}, {"record_locked": {}}]
)
def test_a_record_that_the_crm_will_not_update_has_arrived(context, sandbox, fault):
    lose_reply(context, sandbox, 12)
    sandbox.faults(**fault)
    assert deliver(context.delivery, context.crm, Lane.RETRY).sent == 12
    rows = rows_of(context.engine, "SELECT id::text, zoho_record_id AS record FROM crm_deliveries")
    assert {row["id"]: row["record"] for row in rows} == {found[KEY]: found["id"] for found in sandbox.records()}


def test_a_record_that_no_search_shows_yet_is_tried_again(context, sandbox):
    lose_reply(context, sandbox, 1)
    sandbox.faults(under_approval={}, limits={"search_lag_s": 600})
    assert deliver(context.delivery, context.crm, Lane.RETRY).retrying == 1
    make_due(context)
    sandbox.faults(limits={"search_lag_s": 0})
    assert deliver(context.delivery, context.crm, Lane.RETRY).sent == 1


def test_without_the_right_to_search_nobody_is_buried(context, sandbox):
    lose_reply(context, sandbox, 2)
    sandbox.faults(under_approval={}, scope_mismatch={"path": "search"})
    assert deliver(context.delivery, context.crm, Lane.RETRY).retrying == 2
    sandbox.only_faults()  # approved meanwhile
    make_due(context)
    assert deliver(context.delivery, context.crm, Lane.RETRY).sent == 2


def test_while_only_writes_fail_the_gate_shuts_and_no_try_is_spent_for_ever(context, sandbox):
    record(context, 5)
    sandbox.faults(server_error={"status": 503, "path": "upsert"})
    for _ in range(6):
        for lane in Lane:
            deliver(context.delivery, context.crm, lane)
        make_due(context)
    assert read_gate(context.engine).reason == "outage"
    assert statuses(context) == {"retrying": 5}
    sandbox.only_faults()
    for _ in range(3):
        make_due(context)
        deliver(context.delivery, context.crm, Lane.RETRY)
    assert statuses(context) == {"sent": 5}


def test_a_lead_that_sales_converted_meanwhile_makes_no_second_record(context, sandbox):
    first, *others = lose_reply(context, sandbox, 3)
    (record_id,) = [found["id"] for found in sandbox.records() if found[KEY] == str(first)]
    sandbox.convert(record_id)
    change(context.engine, AGO)
    assert deliver(context.delivery, context.crm, Lane.RETRY).sent == 3
    assert sorted(found[KEY] for found in sandbox.records()) == sorted(map(str, [first, *others]))
    (row,) = rows_of(context.engine, "SELECT zoho_record_id FROM crm_deliveries WHERE id = :id", id=first)
    assert row["zoho_record_id"] == record_id


def test_what_staff_changed_meanwhile_is_not_undone(context, sandbox):
    """A call, the right number, another owner: it stands, and the row's timeline says that it was found."""
    (lead,) = lose_reply(context, sandbox, 1)
    (found,) = sandbox.records()
    sandbox.act("change", found["id"], Phone="+447911000000", Owner={"id": "488800000000012009", "name": "Beryl"})
    change(context.engine, AGO)
    assert deliver(context.delivery, context.crm, Lane.RETRY).sent == 1
    (after,) = sandbox.records()
    assert (after["Phone"], after["Owner"]["name"]) == ("+447911000000", "Beryl")
    assert read_timeline(context.engine, lead)[-1]["code"] == "FOUND"


def test_a_record_that_staff_merged_meanwhile_is_the_row_s(context, sandbox):
    """The one that was kept has the event id, so nothing is sent, and nothing that staff chose is undone."""
    first, second = lose_reply(context, sandbox, 2)
    ids = {found[KEY]: found["id"] for found in sandbox.records()}
    sandbox.act("merge", ids[str(second)], into=ids[str(first)], take=[KEY])
    change(context.engine, AGO + " WHERE id = :id", id=second)
    change(
        context.engine, "UPDATE crm_deliveries SET next_retry_at = now() + interval '1 h' WHERE id = :id", id=first
    )
    assert deliver(context.delivery, context.crm, Lane.RETRY).sent == 1
    (row,) = rows_of(context.engine, "SELECT zoho_record_id FROM crm_deliveries WHERE id = :id", id=second)
    assert row["zoho_record_id"] == ids[str(first)]
    assert sandbox.summary()["records"] == 1


def test_without_the_search_of_small_editions_rows_arrive_once(context, sandbox):
    lose_reply(context, sandbox, 3)
    change(context.engine, AGO)
    sandbox.faults(top_level_error={"path": "search", "code": "FEATURE_NOT_SUPPORTED"})
    assert deliver(context.delivery, context.crm, Lane.RETRY).sent == 3
    assert sandbox.summary()["records"] == 3
    assert read_gate(context.engine).is_open


def test_rows_are_sent_though_no_customer_can_be_looked_for(context, sandbox):
    lose_reply(context, sandbox, 3)
    change(context.engine, AGO)
    sandbox.faults(server_error={"path": "search"})
    assert deliver(context.delivery, context.crm, Lane.RETRY).sent == 3
    assert statuses(context) == {"sent": 3}


def test_a_first_try_and_a_quick_second_one_look_for_nobody(context, sandbox):
    lose_reply(context, sandbox, 1)
    assert deliver(context.delivery, context.crm, Lane.RETRY).sent == 1
    assert sandbox.calls(path="/crm/v8/Leads/search") == []
