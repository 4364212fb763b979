"""One row, one task, one call: what becomes of leads, whatever the CRM answers."""

import threading
from dataclasses import replace
from unittest.mock import Mock

import pytest

from leads.destinations import CRM
from leads.lifecycle import Reason, Retry, Status
from leads.outbox.claim import claim, find_due
from leads.outbox.pause import pause, read_destinations
from leads.outbox.settle import record
from leads.outbox.store import change_details
from tests.support.crm import KEY, MemoryCrm, refused, server_error
from tests.support.database import change, rows_of
from tests.support.samples import LEAD, record_lead
from worker.crm.fields import ADDED, DEFAULT_FIELDS
from worker.crm.port import CallFailed, FailureClass
from worker.deliver import Deliveries
from worker.destinations import crm as adapter
from worker.destinations.crm import CrmDestination


class Line:
    """The delivery to a CRM in memory, and what happened to it."""

    def __init__(self, engine):
        self.engine, self.crm = engine, MemoryCrm()
        self.work = Deliveries(engine, {CRM: CrmDestination(self.crm, DEFAULT_FIELDS)}, threading.Event())

    def store(self, count=1):
        return [record_lead(self.engine, {**LEAD, "email": f"a{n}@example.com"}).id for n in range(count)]

    def run(self):
        """Deliver what is due, each row in a call of its own; the codes of the outcomes."""
        due = list(find_due(self.engine, [CRM], limit=99))
        results = [self.work.deliver(name, row_id) for name, row_id in due]
        return [result.outcome.code for result in results if result is not None]

    def later(self):
        change(self.engine, "UPDATE deliveries SET next_retry_at = now() WHERE status <> 'sent'")
        change(self.engine, "UPDATE destinations SET until_at = now() WHERE until_at IS NOT NULL")

    def states(self):
        rows = rows_of(self.engine, "SELECT status, retry_count AS n FROM deliveries ORDER BY id")
        return [(row["status"], row["n"]) for row in rows]

    def record(self, lead):
        return self.crm.records[str(lead)]


@pytest.fixture
def line(engine):
    return Line(engine)


def failing(failure):
    return lambda _record: failure


def well(_record):
    return None


def test_an_outage_pauses_all_costs_few_tries_and_its_end_makes_all_due(line):
    line.store(6)
    line.crm.answer = failing(server_error())
    assert line.run() == ["HTTP_500"] * 3
    for _ in range(12):  # a trial each time, which costs nothing
        assert line.run() == []
        change(line.engine, "UPDATE destinations SET until_at = now() WHERE until_at IS NOT NULL")
        assert line.run() == ["HTTP_500"]
    assert sum(tries for _, tries in line.states()) == 2
    line.crm.answer = well
    change(line.engine, "UPDATE destinations SET until_at = now() WHERE until_at IS NOT NULL")
    assert line.run() == ["SENT"]
    assert line.run() == ["SENT"] * 5
    assert len(line.crm.records) == 6


@pytest.mark.parametrize(
    ("failure", "reason"),
    [
        (FailureClass.CREDITS, "credits"),
        (FailureClass.AUTH, "auth"),
        (FailureClass.RATE, "rate"),
        (FailureClass.CONFIGURATION, "configuration"),
    ],
)
def test_what_stops_the_whole_crm_costs_no_try_and_no_second_call(line, failure, reason):
    line.store(5)
    line.crm.answer = failing(CallFailed(failure, "CODE", retry_after_seconds=600))
    assert line.run() == ["CODE"]
    assert line.states() == [("pending", 0)] * 5
    found = read_destinations(line.engine)[CRM]
    assert (found.reason, found.detail) == (reason, "CODE")
    assert line.run() == []


def test_a_row_is_sent_where_looking_for_it_is_not_allowed_and_not_where_it_is_not_answered(line):
    line.store()
    line.crm.answer = failing(server_error())
    line.run()
    line.later()
    line.crm.answer = well
    line.crm.find = Mock(side_effect=CallFailed(FailureClass.CREDITS, "SPENT"))
    assert line.run() == ["SPENT"]
    line.later()
    line.crm.find = Mock(side_effect=CallFailed(FailureClass.CONFIGURATION, "OAUTH_SCOPE_MISMATCH"))
    assert line.run() == ["SENT"]


def test_a_field_that_the_crm_refuses_moves_to_the_description_in_the_same_task(line):
    (lead,) = line.store()
    line.crm.answer = lambda record: next(
        (refused("DUPLICATE_DATA", FailureClass.DUPLICATE, name) for name in ("Phone", "Email") if name in record),
        None,
    )
    assert line.run() == ["SENT"]
    assert "Phone: " in str(line.record(lead)["Description"])
    assert rows_of(line.engine, "SELECT detail FROM attempts WHERE event = 'sent'") == [
        {"detail": "without Phone, Email"}
    ]


def test_two_mandatory_fields_one_after_the_other_bury_nobody(line):
    """With an odd row between, which is refused for something else."""
    leads = line.store(4)
    wanted = ["Branch"]

    def answer(record):
        field = "Last_Name" if record[KEY] == str(leads[1]) and wanted else next(iter(wanted), None)
        return field and refused("MANDATORY_NOT_FOUND", field=field)

    line.crm.answer = answer
    for field in ("Branch", "Consent"):
        wanted[:] = [field]
        for _ in range(10):
            line.run()
            line.later()
    assert {status for status, _ in line.states()} == {"retrying"}
    wanted.clear()
    line.run()
    assert line.states() == [("sent", 20)] * 4


def test_a_row_that_our_own_code_cannot_map_holds_no_other_up(line, monkeypatch):
    *_, broken = line.store(2)
    real = adapter.record_of
    monkeypatch.setattr(adapter, "record_of", lambda row, *how: 1 / 0 if row.id == broken else real(row, *how))
    assert sorted(line.run()) == ["ADAPTER_FAILED", "SENT"]
    (row,) = rows_of(line.engine, "SELECT last_error FROM deliveries WHERE status = 'retrying'")
    assert row["last_error"].startswith("ADAPTER_FAILED: ZeroDivisionError in ")
    assert read_destinations(line.engine)[CRM].failures == 0


def test_tasks_that_are_doubled_late_or_reordered_make_no_further_call(line):
    leads = line.store(2)
    for lead in [*reversed(leads), *leads] * 5:
        line.work.deliver(CRM, lead)
    assert len(line.crm.calls) == 2
    assert line.states() == [("sent", 0)] * 2


def test_a_process_that_froze_after_the_claim_makes_no_call(line):
    line.store()
    line.work = replace(line.work, lease_seconds=0.0)
    assert line.run() == []
    assert (line.crm.calls, line.states()) == ([], [("sending", 0)])


def test_a_process_that_stops_begins_no_call(line):
    line.store()
    line.work.stopping.set()
    assert line.run() == []
    assert line.states() == [("pending", 0)]


def test_a_destination_gets_so_many_calls_at_once_and_the_rest_stays_due(line):
    first, second = line.store(2)
    line.work._limits[CRM] = threading.BoundedSemaphore(1)  # as an adapter with `calls` has
    nested = []
    line.crm.during = lambda: nested.append(line.work.deliver(CRM, second))
    line.work.deliver(CRM, first)
    assert nested == [None]
    line.crm.during = lambda: None
    assert line.run() == ["SENT"]


# What a visitor adds --------------------------------------------------------------------------------------------


def add(line, lead, **values):
    assert change_details(line.engine, lead, values)


def test_what_is_added_is_an_update_of_the_record_alone(line):
    (lead,) = line.store()
    line.run()
    line.record(lead)["Lead_Status"] = "called"
    add(line, lead, interest="All-on-4")
    add(line, lead, already_has="X-ray")
    assert line.run() == ["UPDATED"]
    assert line.run() == []
    found = line.record(lead)
    assert (found["Treatment_Interest"], found["Already_Has"], found["Lead_Status"]) == (
        "All-on-4",
        "X-ray",
        "called",
    )
    add(line, lead, interest="All-on-4")  # the same again
    assert line.run() == []


def test_what_is_added_during_a_call_is_sent_after_it(line):
    (lead,) = line.store()
    line.crm.during = lambda: add(line, lead, interest="Crowns")
    assert line.run() == ["SENT"]
    assert line.states() == [("pending", 0)]
    line.crm.during = lambda: None
    assert line.run() == ["UPDATED"]
    assert line.states() == [("sent", 0)]


@pytest.mark.parametrize("is_paused", [False, True])
def test_what_is_added_is_sent_once_more_where_an_older_call_may_still_arrive(line, is_paused):
    (lead,) = line.store()
    row = claim(line.engine, CRM, lead, call_id="lost")
    if is_paused:
        pause(line.engine, CRM, Reason.OUTAGE, "TIMEOUT", by="worker")
        record(line.engine, row, Retry(code="TIMEOUT", answered=False), call_id="lost")
        assert line.states() == [("pending", 0)]  # the pause spends no try
    add(line, lead, interest="Crowns")
    line.later()
    assert line.run() == ["SENT"]
    (row,) = rows_of(
        line.engine, "SELECT status, extract(epoch FROM next_retry_at - now()) AS wait FROM deliveries"
    )
    assert (row["status"], round(row["wait"])) == ("pending", 120)
    line.record(lead)["Treatment_Interest"] = "older words"
    line.later()
    assert line.run() == ["UPDATED"]
    assert line.record(lead)["Treatment_Interest"] == "Crowns"
    assert line.states() == [("sent", 0)]


def test_an_update_that_fails_waits_and_newer_words_wait_no_longer_than_a_late_call(line):
    (lead,) = line.store()
    line.run()
    add(line, lead, interest="Crowns")
    line.crm.answer = failing(server_error())
    line.run()
    change(line.engine, "UPDATE deliveries SET next_retry_at = now() + interval '4 h'")
    add(line, lead, interest="Veneers")
    (row,) = rows_of(line.engine, "SELECT extract(epoch FROM next_retry_at - now()) AS wait FROM deliveries")
    assert round(row["wait"]) == 120
    line.crm.answer = well
    line.later()
    assert line.run() == ["UPDATED"]
    assert line.record(lead)["Treatment_Interest"] == "Veneers"


@pytest.mark.parametrize("status", [Status.HELD, Status.DEAD])
def test_a_row_that_does_not_go_is_not_sent_for_what_is_added(line, status):
    (lead,) = line.store()
    change(line.engine, "UPDATE deliveries SET status = :status", status=status.value)
    add(line, lead, interest="Crowns")
    assert line.run() == []


def test_what_is_added_to_a_record_that_staff_deleted_is_done(line):
    (lead,) = line.store()
    line.run()
    line.crm.answer = failing(refused("INVALID_DATA", FailureClass.GONE, "id"))
    add(line, lead, interest="Crowns")
    assert line.run() == ["GONE"]
    assert line.states() == [("sent", 0)]


def test_where_no_field_holds_it_what_is_added_makes_no_call(line):
    (lead,) = line.store()
    line.run()
    line.work.destinations[CRM] = CrmDestination(line.crm, dict.fromkeys(ADDED, ""))
    add(line, lead, interest="Crowns")
    assert line.run() == ["NOTHING_TO_ADD"]
    assert len(line.crm.calls) == 1
