"""The start token: good from the page, useless when invented, too young or too old."""

import time

import pytest

from api.limits.start_token import StartTokens
from leads.outbox.holds import Held

TOKENS = StartTokens(b"k" * 32, 3.0)


def test_a_token_is_good_after_its_time_for_a_day():
    assert TOKENS.wait_seconds > 3
    problems = {2.5: Held.TOO_FAST, 3.2: None, 86_300: None, 86_500: Held.EXPIRED, -86_500: Held.EXPIRED}
    assert {age: TOKENS.read(TOKENS.issue(age=age)).problem for age in problems} == problems
    assert len({TOKENS.read(TOKENS.issue()).nonce for _ in range(100)}) == 100


@pytest.mark.parametrize("ahead", [0.2, 60, 86_300])
def test_a_clock_that_was_set_back_or_is_behind_another_holds_nobody(ahead):
    assert TOKENS.read(TOKENS.issue(age=-ahead)).problem is None


@pytest.mark.parametrize("now", [1000.0, 1000.04, 1000.06])
def test_a_program_that_answers_at_once_is_never_taken_for_a_clock(monkeypatch, now):
    monkeypatch.setattr(time, "time", lambda: now)
    assert TOKENS.read(TOKENS.issue()).problem is Held.TOO_FAST


def test_what_this_site_did_not_sign_is_forged_and_nothing_is_told_apart():
    good = TOKENS.issue(age=60)
    theirs = StartTokens(b"x" * 32, 3.0).issue(age=60)
    for token in ("x", "..", "1795338000.0.abc", "\ud800", "é" * 300, good[:-2] + "AA", "0.0" + good[3:], theirs):
        assert TOKENS.read(token).problem is Held.FORGED
    assert TOKENS.read(None).problem is TOKENS.read("").problem is Held.NO_START
