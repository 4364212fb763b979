"""The start token: good from the page, useless when invented, too young or too old."""

from __future__ import annotations

import time

import pytest

from api.limits.start_token import StartTokens
from leads.outbox.holds import Held

TOKENS = StartTokens(b"k" * 32, 3.0)


def test_a_token_is_good_after_its_time_for_a_day():
    assert TOKENS.read(TOKENS.issue(age=2.5)).problem is Held.TOO_FAST
    good = TOKENS.read(TOKENS.issue(age=3.2))
    assert (good.problem, len(good.nonce)) == (None, 12)
    assert TOKENS.read(TOKENS.issue(age=86_300)).problem is None
    assert TOKENS.read(TOKENS.issue(age=86_500)).problem is Held.EXPIRED
    assert TOKENS.wait_seconds > 3


@pytest.mark.parametrize("ahead", [0.2, 60, 3600, 86_300])
def test_a_clock_that_was_set_back_or_is_behind_another_holds_nobody(ahead):
    assert TOKENS.read(TOKENS.issue(age=-ahead)).problem is None


def test_a_token_of_another_day_is_expired_whichever_day_it_was():
    assert TOKENS.read(TOKENS.issue(age=-86_500)).problem is Held.EXPIRED


@pytest.mark.parametrize("now", [1000.0, 1000.04, 1000.06, 1000.099])
def test_a_program_that_answers_at_once_is_never_taken_for_a_clock(monkeypatch, now):
    monkeypatch.setattr(time, "time", lambda: now)
    assert TOKENS.read(TOKENS.issue()).problem is Held.TOO_FAST


def test_every_token_is_another_one():
    assert len({TOKENS.read(TOKENS.issue()).nonce for _ in range(100)}) == 100


@pytest.mark.parametrize(
    "token",
    [
        "x",
        "..",
        "1795338000.0.abc",
        "\ud800",
        "é" * 300,
        TOKENS.issue(age=60)[:-2] + "AA",
        "0.0" + TOKENS.issue(age=60)[3:],
        StartTokens(b"x" * 32, 3.0).issue(age=60),
    ],
    ids=range(8),
)
def test_what_this_site_did_not_sign_is_forged(token):
    assert TOKENS.read(token).problem is Held.FORGED


@pytest.mark.parametrize("token", [None, ""])
def test_no_token_is_told_apart(token):
    assert TOKENS.read(token).problem is Held.NO_START
