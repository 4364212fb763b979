"""The verdicts, row by row of the table in docs/limits.md."""

from __future__ import annotations

import pytest

from api.limits.rules import Budgets, LeadCounts, Verdict, judge_click, judge_lead, mark_of
from api.limits.start_token import Start
from leads.outbox.holds import Held

BUDGETS = Budgets(leads_per_address=20, leads_per_person=10, clicks_per_address=30, let_through=300)
GOOD, WORKED = Start(None, "n", 60), Start(None, "n", 60, worked=True)
PASSED, REFUSED = Verdict(), Verdict(refused=True)


def lead(address=1, person=1, start=GOOD, mark=None):
    return judge_lead(BUDGETS, LeadCounts(address, person), start, mark)


@pytest.mark.parametrize(
    ("given", "mark"),
    [
        ({}, None),
        ({"token": 3}, None),
        ({"token": 4}, Held.REPLAYED),
        ({"honeypot": True}, Held.HONEYPOT),
        ({"start": Start(Held.NO_START)}, Held.NO_START),
        ({"start": Start(Held.FORGED)}, Held.FORGED),
        ({"start": Start(Held.EXPIRED, "n", 90_000), "token": 4}, Held.EXPIRED),
        ({"start": Start(Held.TOO_FAST, "n", 1)}, Held.TOO_FAST),
    ],
)
def test_what_is_against_an_enquiry_itself(given, mark):
    assert mark_of(given.get("start", GOOD), given.get("token", 1), honeypot=given.get("honeypot", False)) == mark


@pytest.mark.parametrize(
    ("given", "verdict"),
    [
        ({}, PASSED),
        ({"address": 20, "person": 10}, PASSED),
        ({"mark": Held.FORGED}, Verdict(Held.FORGED)),
        ({"address": 21, "mark": Held.NO_START}, Verdict(Held.NO_START)),
        ({"person": 11}, Verdict(Held.PERSON)),
        ({"address": 21}, Verdict(Held.ADDRESS)),
        ({"address": 21, "person": 11}, Verdict(Held.PERSON)),
        ({"address": 10_000, "start": WORKED}, PASSED),
        ({"person": 11, "start": WORKED}, Verdict(Held.PERSON)),
    ],
)
def test_an_enquiry_is_held_for_the_first_reason_that_applies(given, verdict):
    assert lead(**given) == verdict


@pytest.mark.parametrize("address", [101, 10_000])
def test_a_network_address_alone_never_refuses_a_good_token(address):
    assert lead(address=address) == Verdict(Held.ADDRESS)
    assert lead(address=100, mark=Held.REPLAYED) == Verdict(Held.REPLAYED)
    assert lead(address=address, mark=Held.REPLAYED).refused


def test_the_share_of_a_minute_is_at_least_one():
    assert [BUDGETS.let_through_in_a_minute, Budgets(1, 1, 1, 3).let_through_in_a_minute] == [15, 1]


def test_clicks_are_held_beyond_their_budget_and_refused_far_beyond():
    assert judge_click(BUDGETS, 30, honeypot=False) == PASSED
    assert judge_click(BUDGETS, 31, honeypot=False) == Verdict(Held.ADDRESS)
    assert judge_click(BUDGETS, 1, honeypot=True) == Verdict(Held.HONEYPOT)
    assert judge_click(BUDGETS, 300, honeypot=False) == Verdict(Held.ADDRESS)
    assert judge_click(BUDGETS, 301, honeypot=False) == REFUSED
