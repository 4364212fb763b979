"""Erasing a person: gone here at once, never sent afterwards, and what reached the CRM is deleted there."""

from __future__ import annotations

import json
import logging
from concurrent.futures import ThreadPoolExecutor

import pytest
from click.testing import CliRunner

from leads.outbox.clicks import record_click
from leads.outbox.erase import Person, erase_person, find_person
from leads.outbox.erased import list_erasures
from leads.outbox.gate import Reason, open_gate, shut_gate
from leads.outbox.kinds import Lane
from leads.outbox.record import record_lead
from leads.outbox.redrive import redrive
from leads.outbox.sweep import sweep
from leads.settings import read_settings
from tests.rows import CLICK, LEAD, change, rows_of
from tests.worker.process import wait_for
from worker.app import app
from worker.cli.commands import operate
from worker.crm import make_crm
from worker.erasing import work_off_erasures
from worker.sync import deliver
from worker.ticking import Ticker

ANN = Person(email="ANN@example.COM")
KEY = "a key of sixteen or more"


@pytest.fixture
def run(crm_environment):
    crm_environment["ERASURE_KEY"] = KEY

    def run(*words):
        return CliRunner().invoke(operate, list(words), env=crm_environment)

    return run


def erase(crm, person=ANN):
    return erase_person(crm.engine, person, by="ann", key=KEY)


def work_off(crm):
    return work_off_erasures(crm, go_on=lambda: True)


def let_the_watch_end(crm):
    change(crm.engine, "UPDATE erased_rows SET check_at = now(), watch_until = now() WHERE done_at IS NULL")


def open_rows(crm):
    return rows_of(crm.engine, "SELECT count(*) AS n FROM erased_rows WHERE done_at IS NULL")[0]["n"]


def in_recycle_bin(crm):
    return [item["id"] for page in crm.client._pages("/Leads/deleted", {"type": "recycle"}, None) for item in page]


def is_nowhere(crm, *words):
    """Whether no table holds any of the words."""
    tables = [
        row["tablename"]
        for row in rows_of(crm.engine, "SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
    ]
    stored = " ".join(
        row["whole"]
        for table in tables
        for row in rows_of(crm.engine, f"SELECT t::text AS whole FROM {table} AS t")
    ).lower()
    return not any(word.lower() in stored for word in words)


def test_a_sent_lead_goes_here_and_in_the_crm_and_nobody_elses_does(crm, sandbox):
    record_lead(crm.engine, LEAD)
    other = record_lead(
        crm.engine, {**LEAD, "email": "bob@example.com", "phone": "020 555", "phone_e164": "+31205550199"}
    ).id
    deliver(crm, Lane.FRESH)
    assert len(erase(crm).leads) == 1
    assert work_off(crm).deleted == 1
    assert [record["Website_Event_ID"] for record in sandbox.records()] == [str(other)]
    assert in_recycle_bin(crm) == []
    assert rows_of(crm.engine, "SELECT id FROM leads") == [{"id": other}]
    assert is_nowhere(crm, "ann@example.com", "+447911123456", "07911")
    let_the_watch_end(crm)
    work_off(crm)
    assert open_rows(crm) == 0


@pytest.mark.parametrize("person", [Person(email="ann@example.com"), Person(phone="+447911123456")])
@pytest.mark.parametrize("status", ["pending", "retrying", "dead", "held", "sent"])
def test_an_erased_row_of_any_state_is_never_sent_again(crm, sandbox, person, status):
    record_lead(crm.engine, LEAD)
    change(crm.engine, "UPDATE leads SET zoho_status = :status", status=status)
    assert len(erase(crm, person).leads) == 1
    redrive(crm.engine, by="bob")
    sweep(crm.engine)
    assert [deliver(crm, lane).claimed for lane in Lane] == [0, 0]
    assert sandbox.records() == []


def test_both_names_of_a_person_erase_both_kinds_of_rows(crm):
    record_lead(crm.engine, LEAD)
    record_lead(crm.engine, {**LEAD, "email": "ann@work.example"})
    record_lead(crm.engine, {**LEAD, "phone_e164": "+31205550199"})
    assert len(find_person(crm.engine, ANN).leads) == 2
    assert len(erase(crm, Person(email="ann@example.com", phone="+447911123456")).leads) == 3


def test_the_clicks_of_the_same_browser_session_go_too(crm, sandbox):
    record_lead(crm.engine, {**LEAD, "session_id": "s-1"})
    mine = record_click(crm.engine, {**CLICK, "session_id": "s-1"})
    record_click(crm.engine, {**CLICK, "unique_code": "ZZ99Z", "session_id": "s-2"})
    record_click(crm.engine, {**CLICK, "unique_code": "ZZ99Y"})
    for _ in range(2):
        deliver(crm, Lane.FRESH)
    assert erase(crm).clicks == (mine,)
    assert work_off(crm).deleted == 2
    assert sandbox.summary()["records"] == 2
    assert rows_of(crm.engine, "SELECT count(*) AS n FROM whatsapp_clicks") == [{"n": 2}]


def test_a_lead_without_a_session_takes_no_click_along(crm):
    record_lead(crm.engine, {**LEAD, "session_id": ""})
    record_click(crm.engine, {**CLICK, "session_id": ""})
    assert erase(crm).clicks == ()


@pytest.mark.parametrize(
    "fault", [{"latency": {"ms": 900, "path": "upsert"}}, {"hang": {"seconds": 3, "commit": True}}]
)
def test_a_lead_in_flight_at_that_moment_is_deleted_where_it_lands(crm, sandbox, fault):
    crm.client.probe()
    lead = record_lead(crm.engine, LEAD).id
    name, switch = next(iter(fault.items()))
    sandbox.faults(**{name: {**switch, "path": "upsert", "count": 1}})
    with ThreadPoolExecutor(1) as pool:
        delivery = pool.submit(deliver, crm, Lane.FRESH)
        wait_for(lambda: sandbox.summary()["in_flight"] == 1, 5, "the call in flight")
        assert len(erase(crm).leads) == 1
        first = work_off(crm)
        summary = delivery.result(15)
    assert (summary.claimed, summary.fenced) == (1, 1)  # the late mark marks nothing
    assert rows_of(crm.engine, "SELECT 1 FROM leads") == []
    if name == "latency":  # the look came too early: the call landed after it
        assert first.deleted == 0
        assert len(sandbox.records(Website_Event_ID=str(lead))) == 1
    assert open_rows(crm) == 1
    assert work_off(crm).looked == 0  # not before the watch ends
    let_the_watch_end(crm)
    work_off(crm)
    assert sandbox.records() == []
    assert open_rows(crm) == 0
    (row,) = list_erasures(crm.engine, most=9)
    assert (row["records_deleted"], row["open"]) == (1, 0)


def test_the_watch_outlasts_the_lease_of_a_call_in_flight(crm):
    record_lead(crm.engine, LEAD)
    change(crm.engine, "UPDATE leads SET zoho_status = 'sending', next_retry_at = now() + interval '60 s'")
    change(crm.engine, "INSERT INTO crm_attempts (kind, row_id, event) SELECT 'lead', id, 'claimed' FROM leads")
    erase(crm)
    (row,) = rows_of(crm.engine, "SELECT extract(epoch FROM watch_until - now())::int AS left FROM erased_rows")
    assert 170 < row["left"] <= 180


def test_a_record_whose_reply_was_lost_is_found_by_its_event_id(crm, sandbox):
    record_lead(crm.engine, LEAD)
    sandbox.faults(commit_then_drop={"count": 1, "path": "upsert"})
    assert deliver(crm, Lane.FRESH).retrying == 1
    erase(crm)
    assert work_off(crm).deleted == 1
    assert sandbox.records() == []


def test_a_row_that_was_never_claimed_needs_no_look_at_the_crm(crm, sandbox):
    record_lead(crm.engine, LEAD)
    erase(crm)
    assert open_rows(crm) == 0
    assert work_off(crm).looked == 0
    assert sandbox.summary()["calls"] == 0


@pytest.mark.parametrize("fault", ["commit_then_drop", "drop", "server_error", "record_locked"])
def test_an_erasure_that_broke_off_in_the_middle_is_finished_later(crm, sandbox, fault):
    record_lead(crm.engine, LEAD)
    deliver(crm, Lane.FRESH)
    erase(crm)
    if fault == "record_locked":  # the CRM answers a deletion with a code of its own
        sandbox.faults(top_level_error={"status": 400, "code": "RECORD_LOCKED", "path": "Leads/4", "count": 1})
    else:
        sandbox.faults(**{fault: {"path": "Leads/4", "count": 1}})
    broken = work_off(crm)
    assert broken.stopped
    assert broken.looked == 0
    (row,) = list_erasures(crm.engine, most=9)
    assert row["open"] == 1
    assert row["last_error"]
    assert work_off(crm).looked == 0  # not at once again
    let_the_watch_end(crm)
    assert work_off(crm).stopped is None
    assert sandbox.records() == []
    assert open_rows(crm) == 0


@pytest.mark.parametrize("known", [True, False])
def test_a_record_left_in_the_recycle_bin_is_purged_when_the_erasure_goes_on(crm, sandbox, known):
    record_lead(crm.engine, LEAD)
    deliver(crm, Lane.FRESH)
    if not known:  # as after a lost reply: only the event id leads to the record
        change(crm.engine, "UPDATE leads SET zoho_status = 'retrying', zoho_record_id = NULL")
    erase(crm)
    sandbox.faults(server_error={"path": "recycle_bin", "count": 1})
    assert work_off(crm).stopped
    assert sandbox.records() == []
    assert len(in_recycle_bin(crm)) == 1
    let_the_watch_end(crm)
    assert work_off(crm).stopped is None
    assert in_recycle_bin(crm) == []
    (row,) = list_erasures(crm.engine, most=9)
    assert (row["records_deleted"], row["open"]) == (1, 0)


def test_a_scope_that_was_not_granted_is_shown_and_tried_hourly(crm, sandbox):
    record_lead(crm.engine, LEAD)
    deliver(crm, Lane.FRESH)
    erase(crm)
    sandbox.faults(scope_mismatch={"path": "recycle_bin"})
    work_off(crm)
    (row,) = rows_of(
        crm.engine, "SELECT last_error, extract(epoch FROM check_at - now())::int AS wait FROM erased_rows"
    )
    assert "OAUTH_SCOPE_MISMATCH" in row["last_error"]
    assert row["wait"] > 3000


def test_erasing_twice_changes_nothing(crm):
    record_lead(crm.engine, LEAD)
    erase(crm)
    assert not erase(crm)
    assert len(list_erasures(crm.engine, most=9)) == 1


def test_a_person_who_writes_again_afterwards_is_a_new_enquiry(crm, sandbox):
    record_lead(crm.engine, LEAD)
    deliver(crm, Lane.FRESH)
    erase(crm)
    work_off(crm)
    record_lead(crm.engine, LEAD)
    assert deliver(crm, Lane.FRESH).sent == 1
    let_the_watch_end(crm)
    work_off(crm)
    (record,) = sandbox.records()
    assert "Repeat_Enquiry" not in record


def test_enquiries_that_share_a_record_are_erased_together(crm_environment, sandbox):
    crm = make_crm(read_settings({**crm_environment, "CRM_REPEAT": "merge"}))
    record_lead(crm.engine, LEAD)
    deliver(crm, Lane.FRESH)
    record_lead(crm.engine, {**LEAD, "phone_e164": "+31205550199"})
    deliver(crm, Lane.FRESH)
    assert sandbox.summary()["records"] == 1
    assert len(find_person(crm.engine, Person(phone="+31205550199")).leads) == 2
    assert len(erase(crm, Person(phone="+447911123456")).leads) == 2
    assert work_off(crm).deleted == 1
    assert sandbox.records() == []
    crm.close()


def test_a_shut_gate_keeps_erasures_waiting_and_the_tick_finishes_them(crm, sandbox):
    record_lead(crm.engine, LEAD)
    deliver(crm, Lane.FRESH)
    erase(crm)
    shut_gate(crm.engine, Reason.PAUSED, "holiday", by="ann")
    assert work_off(crm).stopped == "the gate is shut (paused)"
    Ticker(app, crm).tick()
    assert len(sandbox.records()) == 1
    open_gate(crm.engine, by="ann")
    Ticker(app, crm).tick()
    assert sandbox.records() == []


def test_two_workers_share_the_list(crm, sandbox):
    for _ in range(20):
        record_lead(crm.engine, LEAD)
    deliver(crm, Lane.FRESH)
    erase(crm)
    with ThreadPoolExecutor(2) as pool:
        worked = [future.result(30) for future in [pool.submit(work_off, crm) for _ in range(2)]]
    assert sum(one.deleted for one in worked) == 20
    deletions = [call for call in sandbox.calls(method="DELETE") if "/Leads/" in call["path"]]
    assert [call["status"] for call in deletions] == [200] * 20


def test_every_call_of_an_erasure_is_in_the_log_of_attempts_without_the_person(crm, sandbox):
    lead = record_lead(crm.engine, LEAD).id
    deliver(crm, Lane.FRESH)
    erase(crm)
    work_off(crm)
    noted = rows_of(crm.engine, "SELECT event, call_id, row_id FROM crm_attempts WHERE event LIKE 'erase%'")
    assert {row["call_id"] for row in noted} == {
        call["request_id"] for call in sandbox.calls(kind="api") if call["method"] in ("GET", "DELETE")
    }
    assert {row["row_id"] for row in noted} == {lead}
    assert is_nowhere(crm, "example.com", "07911", "+44")


def test_the_command_erases_and_says_so_without_saying_who(run, crm, sandbox, caplog):
    caplog.set_level(logging.DEBUG)
    record_lead(crm.engine, LEAD)
    deliver(crm, Lane.FRESH)
    assert "Would erase 1 lead and 0 clicks." in run("erase", "--email", "ann@example.com", "--dry-run").output
    assert len(sandbox.records()) == 1
    shown = run("erase", "--email", " Ann@Example.com ", "--phone", "+44 (7911) 123-456", "--by", "bob")
    assert shown.exit_code == 0, shown.output
    assert "Erased 1 lead and 0 clicks." in shown.output
    assert "CRM: 1 deleted now." in shown.output
    assert sandbox.records() == []
    again = run("erase", "--email", "ann@example.com")
    assert "Nobody like that is here" in again.output
    listed = run("erasures")
    (row,) = json.loads(run("erasures", "--json").output)
    assert (row["by"], row["leads"], row["records_deleted"], row["open"]) == ("bob", 1, 1, 1)
    for text in (shown.output, again.output, listed.output, caplog.text):
        assert "ann@" not in text.lower()
        assert "7911" not in text


def test_a_record_of_an_erasure_is_found_by_the_person_and_by_nobody_without_the_key(run, crm, crm_environment):
    record_lead(crm.engine, LEAD)
    run("erase", "--email", "ann@example.com")
    (row,) = json.loads(run("erasures", "--email", "ANN@example.com", "--json").output)
    assert row["leads"] == 1
    assert "No erasure of that person." in run("erasures", "--email", "bob@example.com").output
    crm_environment["ERASURE_KEY"] = "another key of sixteen letters"
    assert "No erasure of that person." in run("erasures", "--email", "ann@example.com").output
    crm_environment["ERASURE_KEY"] = ""
    assert run("erasures", "--email", "ann@example.com").exit_code == 1


def test_without_a_key_a_person_is_erased_all_the_same(run, crm, crm_environment):
    record_lead(crm.engine, LEAD)
    crm_environment["ERASURE_KEY"] = ""
    shown = run("erase", "--email", "ann@example.com")
    assert "ERASURE_KEY is not set" in shown.output
    assert rows_of(crm.engine, "SELECT email_hash, phone_hash FROM erasures") == [
        {"email_hash": None, "phone_hash": None}
    ]


def test_nobody_or_nonsense_is_not_erased(run):
    assert run("erase").exit_code == 2
    for words in (("--email", "ann"), ("--phone", "07911 123456"), ("--email", "%")):
        shown = run("erase", *words)
        assert shown.exit_code == 2
        assert words[1] not in shown.output.replace("+44 7911 123456", "")


def test_an_erasure_without_a_crm_leaves_its_part_to_the_workers(run, crm, crm_environment, sandbox):
    record_lead(crm.engine, LEAD)
    deliver(crm, Lane.FRESH)
    crm_environment["ZOHO_CLIENT_ID"] = ""
    assert "the CRM is not set up here" in run("erase", "--email", "ann@example.com").output
    assert work_off(crm).deleted == 1
    assert sandbox.records() == []
