"""The verdict: what is wrong at which figure, and what everybody is told to do."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from leads.advice import ADVICE
from leads.crm_state import FieldCheck
from leads.lifecycle import Reason, Status
from leads.outbox.pause import Destination
from leads.outbox.rows import Kind
from leads.outbox.stats import Group, Refusal
from leads.outbox.stopped import Stopped
from leads.overview import Overview
from leads.verdict import WATCHES, find_troubles
from worker.cli.commands import operate

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
    last_delivery_at=None,
    worker_age=1.0,
    refusal=None,
    fields=FieldCheck([], 0, NOW),
    backlog=[],
    refusals=[],
    losing=0,
    held=[],
    erasures_open=0,
    storage_error=None,
    redis_error=None,
)
PAUSED = replace(FLOWS, reason=Reason.OUTAGE, detail="TIMEOUT", changed_by="worker")
FOUND = Stopped(Kind.LEAD, "402117", Status.HELD, "person", NOW, NOW)


def waiting(destination, minutes, *, failing=False):
    since = NOW - timedelta(minutes=minutes)
    crm = replace(FLOWS, failing_since=since if failing else None)
    group = Group(Kind.LEAD, "pending", 1, destination, since)
    return {"destinations": WELL.destinations | {"zoho": crm}, "backlog": [group]}


def dead(destination):
    return {"backlog": [Group(Kind.LEAD, "dead", 1, destination)]}


@pytest.mark.parametrize(
    ("changes", "name", "words"),
    [
        ({"storage_error": "DiskFull"}, "storage", "NO ENQUIRY CAN BE STORED (DiskFull)"),
        ({"worker_age": 61.0}, "workers", "due rows for 61 s"),
        ({"worker_age": None}, "workers", "due rows yet"),
        ({"destinations": WELL.destinations | {"zoho": PAUSED}}, "paused", "PAUSED (outage, by worker)"),
        ({"refusal": ("invalid_code", 5.0)}, "paused", "REFUSED our credentials 5 s ago (auth: invalid_code)"),
        (waiting("zoho", 6, failing=True), "failing", "nothing for 6 min"),
        (waiting("zoho", 11), "oldest", "the oldest row for 11 min"),
        (dead("zoho"), "refused", "1 to zoho GIVEN UP"),
        (dead("staff-mail"), "refused", "1 to staff-mail GIVEN UP"),
        ({"refusals": [Refusal("zoho", "NO: Branch", 3)]}, "refused", "3 REFUSED by zoho (NO: Branch)"),
        ({"held": [FOUND]}, "held", "1 WAIT FOR A PERSON and are not in the CRM (1 person): 402117"),
        ({"redis_error": "TimeoutError"}, "redis", "DOES NOT ANSWER (TimeoutError)"),
        (waiting("staff-mail", 11), "messages", "one to staff-mail has waited for 11 min"),
        ({"fields": FieldCheck(["Page_URL"], 0, NOW)}, "fields", "Page_URL"),
        ({"fields": FieldCheck([], 2, NOW)}, "fields", "2 of a sample"),
        ({"losing": 1}, "losing", "1 rows"),
    ],
)
def test_each_trouble_is_named_with_its_words(changes, name, words):
    (trouble,) = find_troubles(replace(WELL, **changes)) if name != "failing" else _but_oldest(changes)
    assert (trouble.watch.name, words in trouble.words) == (name, True), trouble.words


def _but_oldest(changes):
    return [trouble for trouble in find_troubles(replace(WELL, **changes)) if trouble.watch.name != "oldest"]


@pytest.mark.parametrize("changes", [{}, dead("visitor"), waiting("zoho", 4, failing=True), {"worker_age": 59.0}])
def test_what_passes_by_itself_or_is_no_trouble_is_none(changes):
    assert find_troubles(replace(WELL, **changes)) == []


def test_a_failure_without_a_row_that_waits_is_over():
    assert find_troubles(replace(WELL, **(waiting("zoho", 60, failing=True) | {"backlog": []}))) == []


def test_the_runbook_has_each_text_word_for_word_and_no_text_is_long():
    runbook = (Path(__file__).parents[2] / "docs/runbook.md").read_text()
    assert ADVICE.keys() == {watch.name for watch in WATCHES}
    for name, text in ADVICE.items():
        _, section = runbook.split(f"\n## {name}\n")
        assert f"```text\n{text}\n```" in section.split("\n## ")[0]
        assert len(text.splitlines()) <= 5


def test_what_is_advised_exists():
    named = [words.split()[0] for text in ADVICE.values() for words in re.findall(r"`([^`]+)`", text)]
    assert set(named) <= {*operate.commands, "docker"}
