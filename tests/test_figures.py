"""The figures that the documentation names are those of the code and of the settings' defaults."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from api.limits.rules import (
    BUSY_SHARE,
    MAX_ENQUIRIES_PER_TOKEN,
    MAX_HELD_A_DAY,
    MINUTE_SHARE,
    PAGE_FAILURES_PER_ADDRESS,
    PAGE_FAILURES_PER_HOUR,
    REFUSE_CLICKS_MULTIPLE,
    REFUSE_MULTIPLE,
)
from api.limits.start_token import WORK_MAX
from leads.destinations import PATIENCE_SECONDS
from leads.lifecycle import JITTER, LOST_LEASES_ALARM, MIN_AGE_DEAD, MIN_TRIES_DEAD, WAITS, WAITS_ALONE
from leads.outbox.gate import Reason
from leads.outbox.history import REPEAT_DAYS
from leads.outbox.holds import (
    COMMON_SHARE,
    FLOOD_AFTER_SECONDS,
    MAX_HELD_PER_CLIENT,
    MAX_OF_ONE_PERSON,
    MAX_RELEASED_PER_CLIENT,
    RELEASE_AFTER_SECONDS,
    WAVE_ROWS,
    WAVE_SECONDS,
)
from leads.outbox.release import FLOOD_SHARE
from leads.outbox.stopped import TELL_MINUTES
from leads.overview import CIRCLES_ALARM
from leads.privacy.retention import HELD_DAYS
from leads.settings import read_settings
from leads.turns import TURN_MINUTES
from leads.verdict import WATCHES
from web.kept import KEPT_SECONDS
from web.server.environ import MAX_ACCEPT_LENGTH, MAX_VALUE_LENGTH
from web.server.front import ON_LOOP_AT_ONCE
from web.server.turns import MAX_WAITING, REMEMBERED_SECONDS, WAIT_SECONDS
from worker.flower.security import FREE_FAILURES
from worker.jobs.speed import LOOK_MINUTES
from worker.jobs.trial import ARRIVAL_SECONDS
from worker.tick import HUNG_SECONDS, RELEASE_SECONDS

ROOT = Path(__file__).parents[1]
DEFAULTS = read_settings({"DATABASE_URL": "postgresql://127.0.0.1/none"})
LIMITS = {watch.name: watch.limit for watch in WATCHES}
DAY = 86_400.0
PROBES = [Reason.OUTAGE, Reason.RATE, Reason.CREDITS, Reason.AUTH, Reason.CONFIGURATION]

WORDS = {
    "third": 1 / 3,
    "half": 0.5,
    "week": 7 * DAY,
    "two": 2,
    "three": 3,
    "four": 4,
    "five": 5,
    "ten": 10,
    "twenty": 20,
}
UNITS = {"s": 1, "min": 60, "minute": 60, "minutes": 60, "h": 3600, "hours": 3600, "days": DAY, "%": 0.01}
FIGURE = re.compile(
    rf"(\d+(?:,\d{{3}})*|\b(?:{'|'.join(WORDS)})\b)(?: (?:an? )?({'|'.join(UNITS)})(?!\w))?(, (?=\d))?"
)

# A page, the sentence with the figures in brackets, and what they must be; times in seconds.
FIGURES = [
    ("docs/architecture.md", r"it must have failed (\d+ times in \d+ hours)", [MIN_TRIES_DEAD, MIN_AGE_DEAD]),
    ("docs/architecture.md", r"takes up to (\d+) due rows", [DEFAULTS.crm_batch_rows]),
    ("docs/architecture.md", r"the end of the lease \((\d+ s)\)", [DEFAULTS.crm_lease_seconds]),
    ("docs/architecture.md", r"within a wall clock of (\d+ s)", [DEFAULTS.crm_call_seconds]),
    ("docs/architecture.md", r"`retrying`: (\d.+?, ±\d+ %)", [*WAITS, MIN_AGE_DEAD, JITTER]),
    ("docs/architecture.md", r"or failed at (\d+ h of age and \d+ tries)", [MIN_AGE_DEAD, MIN_TRIES_DEAD]),
    ("docs/architecture.md", r"second loss on alone, after (.+?) \|", [*WAITS_ALONE]),
    ("docs/architecture.md", r"Messages to staff wait up to (\d+ s)", [PATIENCE_SECONDS]),
    ("docs/architecture.md", r"what every worker does every (\d+ s)", [DEFAULTS.crm_tick_seconds]),
    ("docs/architecture.md", r"enquiry of the same person within (\d+ days)", [REPEAT_DAYS * DAY]),
    ("docs/limits.md", r"more than (\d+ times) `LEADS_PER_ADDRESS` of", [REFUSE_MULTIPLE]),
    ("docs/limits.md", r"enquiries with one start token \| 1 day \| (\d+) \|", [MAX_ENQUIRIES_PER_TOKEN]),
    ("docs/limits.md", r"a (\d+)th of `FLOOD_PER_HOUR`", [MINUTE_SHARE]),
    ("docs/limits.md", r"(\d+), a 20th of `FLOOD_PER_HOUR`", [DEFAULTS.flood_per_hour / MINUTE_SHARE]),
    ("docs/limits.md", r"and in all \| 1 day \| (.+?) \|", [MAX_HELD_PER_CLIENT, MAX_HELD_A_DAY]),
    ("docs/limits.md", r"network is busy \((half) of a budget is used\)", [1 / BUSY_SHARE]),
    ("docs/limits.md", r"a number below (\d+,\d+)", [WORK_MAX]),
    ("docs/limits.md", r"`CLICKS_PER_ADDRESS` \(30\) .+? (\d+ times)", [REFUSE_CLICKS_MULTIPLE]),
    ("docs/limits.md", r"`COMPLAINTS_PER_ADDRESS` \(5\) .+? (\d+ times)", [REFUSE_MULTIPLE]),
    ("docs/limits.md", r"and all pages \| 1 h \| (.+?) \|", [PAGE_FAILURES_PER_ADDRESS, PAGE_FAILURES_PER_HOUR]),
    ("docs/limits.md", r"has a turn: (\d+) enquiries", [ON_LOOP_AT_ONCE]),
    ("docs/limits.md", r"waits for a turn, for (\w+) seconds at most", [WAIT_SECONDS]),
    ("docs/limits.md", r"within the last (half minute)", [REMEMBERED_SECONDS]),
    ("docs/limits.md", r"or beyond (\S+) that wait", [MAX_WAITING]),
    ("docs/limits.md", r"A value of more than (.+?) characters", [MAX_VALUE_LENGTH]),
    ("docs/limits.md", r"`Accept-Language`: (\d+)\)", [MAX_ACCEPT_LENGTH]),
    ("docs/operating.md", r"After (\w+) wrong logins", [FREE_FAILURES]),
    ("docs/operating.md", r"Every (\w+ minutes) one worker asks the CRM", [LOOK_MINUTES * 60]),
    ("docs/operating.md", r"is tried again every (\w+ minutes), with", [TURN_MINUTES * 60]),
    ("docs/operating.md", r"so it is after (\w+ minutes) without success", [ARRIVAL_SECONDS]),
    ("docs/operating.md", r"If none has arrived for (\w+ hours)", [LIMITS["test"]]),
    ("docs/limits.md", r"Workers look at them every (\d+ s)", [RELEASE_SECONDS]),
    ("docs/limits.md", r"the same person's enquiries are at most (\w+);?", [MAX_OF_ONE_PERSON]),
    ("docs/limits.md", r"where (more than \d+ rows .+? \d+ s)", [WAVE_ROWS, WAVE_SECONDS]),
    ("docs/limits.md", r"common to a (third) of the wave", [1 / COMMON_SHARE]),
    ("docs/limits.md", r"its address has no more than (\d+) rows", [MAX_HELD_PER_CLIENT]),
    ("docs/limits.md", r"goes to the CRM after (\d+ s)", [FLOOD_AFTER_SECONDS]),
    ("docs/limits.md", r"at most (\d+) a minute", [DEFAULTS.flood_per_hour / FLOOD_SHARE]),
    ("docs/limits.md", r"goes after (\w+ minutes)", [RELEASE_AFTER_SECONDS]),
    ("docs/limits.md", r"staff are told after (\d+ s)", [FLOOD_AFTER_SECONDS]),
    ("docs/limits.md", r"At most (\d+ rows) of a network address", [MAX_RELEASED_PER_CLIENT]),
    ("docs/limits.md", r"references, at most every (\d+ minutes)", [TELL_MINUTES * 60]),
    ("docs/limits.md", r"an address with more than (\d+) at once", [MAX_HELD_PER_CLIENT]),
    ("docs/limits.md", r"the others after a (week)", [HELD_DAYS * DAY]),
    ("docs/limits.md", r"fill at most (\d+,\d+ rows)", [MAX_HELD_A_DAY]),
    ("docs/runbook.md", r"a probe is sent every (half minute)", [Reason.OUTAGE.probe_seconds]),
    ("docs/runbook.md", r"a probe every (\d+ minutes)", [Reason.CREDITS.probe_seconds]),
    ("docs/runbook.md", r"without `resume`, within (\w+ minutes)", [Reason.CONFIGURATION.probe_seconds]),
    ("docs/runbook.md", r"it failed for (\w+ days, \d+ times)", [MIN_AGE_DEAD, MIN_TRIES_DEAD]),
    ("docs/runbook.md", r"rows came back (\w+ times) within an hour", [CIRCLES_ALARM]),
    ("docs/runbook.md", r"stands still for (half a minute)", [DEFAULTS.crm_lease_seconds / 2]),
    ("docs/runbook.md", r"rows have lost (\w+ workers)", [LOST_LEASES_ALARM]),
    ("docs/runbook.md", r"in the end every (\w+ hours)", [WAITS_ALONE[-1]]),
    ("docs/runbook.md", r"A tick that hangs for (\w+ minutes)", [HUNG_SECONDS]),
    ("docs/deployment.md", r"answers with them until (\d+ days) after", [KEPT_SECONDS]),
    (
        "docs/decisions/0004-a-gate-for-each-destination.md",
        r"at a spacing by reason: (outage .+?), pause none",
        [reason.probe_seconds for reason in PROBES],
    ),
    (
        "docs/decisions/0005-nobody-is-buried-by-evidence.md",
        r"and rarely: after (.+?), for as long",
        [*WAITS_ALONE],
    ),
    (
        "docs/decisions/0005-nobody-is-buried-by-evidence.md",
        r"or was tried (\d+ times in \d+ hours)",
        [MIN_TRIES_DEAD, MIN_AGE_DEAD],
    ),
]
SETTING = re.compile(r"(?:(\d+) times )?`([A-Z_]+)`(?: threads)? \((\d[\d,]*)(?: s)?\)")


def figures_in(words):
    """The figures; one without a unit before others, as in `2, 5, 15 min`, has the unit of the next."""
    found, unit = [], 1.0
    for number, name, comma in reversed(FIGURE.findall(words)):
        unit = UNITS[name] if name else unit if comma else 1.0
        found.append(unit * (WORDS.get(number) or float(number.replace(",", ""))))
    return found[::-1]


def text_of(page):
    return " ".join((ROOT / page).read_text().split())


@pytest.mark.parametrize(("page", "sentence", "figures"), FIGURES)
def test_a_figure_in_words_is_that_of_the_code(page, sentence, figures):
    (words,) = set(re.findall(sentence, text_of(page)))
    assert figures_in(words) == pytest.approx(figures)


def test_a_setting_that_is_named_with_a_figure_has_it_as_its_default():
    defaults = dict(re.findall(r"^#([A-Z_]+)=(\d+)$", (ROOT / ".env.example").read_text(), re.MULTILINE))
    pages = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]
    named = [found for page in pages for found in SETTING.findall(text_of(page))]
    assert len(named) >= 15
    wrong = [
        (name, figure)
        for times, name, figure in named
        if int(figure.replace(",", "")) != int(times or 1) * int(defaults[name])
    ]
    assert wrong == []


@pytest.mark.parametrize(
    ("words", "figures"),
    [
        ("2, 5, 15 min, 1 h", [120, 300, 900, 3600]),
        ("5, and 2,000", [5, 2000]),
        ("26 times in 72 hours", [26, 259_200]),
        ("half a minute", [30]),
        ("±20 %", [0.2]),
    ],
)
def test_figures_are_read_as_people_do(words, figures):
    assert figures_in(words) == pytest.approx(figures)
