"""The verdict: what is wrong at which figure and in which colour, and what everybody is told to do."""

import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from leads.advice import COMPOSE, DEBIAN, LAUNCHER, advice_here, read_advice, typed
from leads.crm_state import FieldCheck
from leads.durations import clock
from leads.lifecycle import Reason, Status
from leads.outbox.pause import Destination
from leads.outbox.stats import Answers, Group, Refusal
from leads.outbox.stopped import Stopped
from leads.overview import Overview
from leads.tables import Kind
from leads.verdict import WATCHES, find_troubles
from worker.__main__ import operate

NOW = datetime.now(UTC)
FLOWS = Destination(
    name="zoho",
    reason=None,
    detail=None,
    until_at=None,
    failures=0,
    failing_since=None,
    changed_by=None,
    changed_at=NOW,
    trial_is_due=False,
    seen_seconds=1.0,
)
WELL = Overview(
    read_at=NOW,
    destinations=dict.fromkeys(("zoho", "visitor", "staff-mail"), FLOWS),
    worker_age=1.0,
    fields=FieldCheck([], 0, NOW),
)
FOUND = Stopped(Kind.LEAD, "402117", Status.HELD, "person", NOW, NOW)


def ago(seconds):
    return NOW - timedelta(seconds=seconds)


def waiting(destination, minutes, rows=1):
    return {
        "backlog": [Group(Kind.LEAD, "pending", rows, destination, ago(60 * minutes), NOW + timedelta(seconds=90))]
    }


def failing(destination, seconds, code="CONNECTION_LOST", **paused):
    """A destination whose newest call has failed, while a row waits for it."""
    answers = {"answers": {destination: Answers(ago(3600), ago(seconds), code)}}
    destinations = WELL.destinations | {destination: replace(FLOWS, changed_by="worker", **paused)}
    return waiting(destination, seconds / 60) | answers | {"destinations": destinations}


def paused(reason, destination="zoho"):
    each = replace(FLOWS, reason=reason, detail="a detail", changed_by="ann")
    return {"destinations": WELL.destinations | {destination: each}}


@pytest.mark.parametrize(
    ("changes", "name", "words"),
    [
        ({"storage_error": "DiskFull"}, "storage", "Database: NO ENQUIRY CAN BE STORED (DiskFull)"),
        ({"free_bytes": {"/data": 200 * 2**20}}, "disk", "Disk: FULL: 200 MB free at /data"),
        ({"worker_age": 61.0}, "workers", "due rows for 61 s"),
        ({"worker_age": None}, "workers", "due rows yet"),
        (paused(Reason.PAUSED, "visitor"), "paused", "Mail to visitors is PAUSED (paused, by ann)"),
        (paused(Reason.CREDITS), "paused", "The CRM is PAUSED (credits, by ann)"),
        (paused(Reason.CONFIGURATION), "paused", "a detail; until an operator resumes"),
        ({"refusal": ("invalid_code", 5.0)}, "paused", "REFUSED our credentials 5 s ago (auth: invalid_code)"),
        (failing("zoho", 61), "failing", "The CRM has failed for 61 s: CONNECTION_LOST, 1 lead waits, next try "),
        (failing("staff-mail", 61), "failing", "Mail to staff has failed for 61 s"),
        (failing("zoho", 61, reason=Reason.OUTAGE), "failing", "The CRM has failed for 61 s"),
        (
            failing("zoho", 61, reason=Reason.AUTH, code="TIMEOUT"),
            "failing",
            "The CRM has failed for 61 s: TIMEOUT",
        ),
        (waiting("zoho", 11), "oldest", "the oldest row to zoho for 11 min"),
        (waiting("staff-mail", 11), "oldest", "the oldest row to staff-mail for 11 min"),
        (
            {"refusals": [Refusal("staff-mail", "dead", "SMTP_550", 1, ["402117"])]},
            "refused",
            "1 to staff-mail GIVEN UP (SMTP_550): 402117",
        ),
        (
            {"refusals": [Refusal("zoho", "refused", "INVALID_DATA: Phone", 3, ["402117", "402118"])]},
            "refused",
            "3 to zoho REFUSED (INVALID_DATA: Phone): 402117, 402118, …",
        ),
        ({"held": [FOUND]}, "held", "1 WAIT FOR A PERSON and are not in the CRM (1 person): 402117"),
        ({"redis_error": "TimeoutError"}, "redis", "DOES NOT ANSWER (TimeoutError)"),
        ({"redis_error": "MISCONF"}, "redis", "REFUSES TO WRITE (MISCONF)"),
        ({"fields": FieldCheck(["Page_URL"], 0, NOW)}, "fields", "Page_URL"),
        ({"fields": FieldCheck([], 2, NOW)}, "fields", "2 of a sample"),
        ({"erasures_late": 1}, "fields", "1 erased for three days are STILL THERE"),
        ({"losing": 1}, "losing", "1 rows"),
    ],
)
def test_each_trouble_is_red_and_named_with_its_words(changes, name, words):
    (trouble,) = find_troubles(replace(WELL, **changes))
    assert (trouble.name, trouble.is_red, words in trouble.words) == (name, True, True), trouble.words


@pytest.mark.parametrize(
    ("destination", "who"),
    [
        ("zoho", "The CRM has failed for 40 s: CONNECTION_LOST, 1 lead waits"),
        ("visitor", "Mail to visitors has failed for 40 s: CONNECTION_LOST, 1 message waits"),
    ],
)
def test_a_destination_is_amber_from_its_first_failure_and_says_what_waits_and_until_when(destination, who):
    found = [
        (each.is_red, each.words, each.rows) for each in find_troubles(replace(WELL, **failing(destination, 40)))
    ]
    words = f"{who}, next try {clock(NOW + timedelta(seconds=90))} Istanbul"
    assert found == [(False, words, {"to": destination})]


def test_a_failure_for_which_nothing_waits_any_more_stays_amber_until_something_is_answered():
    (trouble,) = find_troubles(replace(WELL, **(failing("zoho", 6000) | {"backlog": []})))
    assert (trouble.is_red, trouble.words) == (
        False,
        "The CRM has failed for 100 min: CONNECTION_LOST, no leads wait",
    )


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"worker_age": 59.0},
        {"answers": {"zoho": Answers(NOW)}} | waiting("zoho", 4),
        {"free_bytes": {"/data": 2**30}},
    ],
)
def test_it_is_green_only_if_the_newest_call_was_answered_or_nothing_was_tried(changes):
    assert find_troubles(replace(WELL, **changes)) == []


def test_red_comes_before_amber():
    changes = failing("zoho", 5) | {"losing": 1}
    assert [each.name for each in find_troubles(replace(WELL, **changes))] == ["losing", "failing"]


def test_every_watch_has_its_advice_in_the_runbook_and_none_is_long():
    assert read_advice().keys() == {watch.name for watch in WATCHES}
    assert all(len(text.splitlines()) <= 5 for text in read_advice().values())


def test_what_is_advised_exists_in_every_installation():
    named = [words for text in read_advice().values() for words in re.findall(r"`([^`]+)`", text)]
    assert {words.split()[0] for words in named} <= {*operate.commands, "restart", "log", "migrate"}
    for installation, check, restart in (
        (COMPOSE, "docker compose exec worker python -m worker check", "docker compose restart valkey"),
        (DEBIAN, "clinic check", "systemctl restart valkey-server"),
        (LAUNCHER, 'make ops CMD="check"', "make run"),
    ):
        assert (typed("check", installation), typed("restart valkey", installation)) == (check, restart)
        assert all(typed(words, installation) for words in named)
    assert '`make ops CMD="check"`' in advice_here("failing")
