"""The verdicts, row by row of the table in docs/limits.md."""

from __future__ import annotations

import pytest

from api.limits.flood import Flood
from api.limits.rules import Budgets, LeadCounts, Verdict, judge_click, judge_complaint, judge_lead
from api.limits.start_token import Start
from leads.outbox.holds import Held

BUDGETS = Budgets(leads_per_address=20, leads_per_person=10, clicks_per_address=30, complaints_per_address=5)
GOOD, QUICK = Start(None, "n", 60), Start(None, "n", 5)
PASSED, REFUSED = Verdict(), Verdict(refused=True)
NONE, RISING, FULL = Flood


def lead(address=1, person=1, token=1, start=GOOD, flood=NONE, honeypot=False):
    return judge_lead(BUDGETS, LeadCounts(address, person, token), start, flood, honeypot=honeypot)


@pytest.mark.parametrize(
    ("given", "verdict"),
    [
        ({}, PASSED),
        ({"address": 20, "person": 10, "token": 3}, PASSED),
        ({"honeypot": True}, Verdict(Held.HONEYPOT)),
        ({"start": Start(Held.NO_START)}, Verdict(Held.NO_START)),
        ({"start": Start(Held.FORGED)}, Verdict(Held.FORGED)),
        ({"start": Start(Held.EXPIRED, "n", 90_000)}, Verdict(Held.EXPIRED)),
        ({"start": Start(Held.TOO_FAST, "n", 1)}, Verdict(Held.TOO_FAST)),
        ({"token": 4}, Verdict(Held.REPLAYED)),
        ({"person": 11}, Verdict(Held.PERSON)),
        ({"address": 21}, Verdict(Held.ADDRESS)),
        ({"address": 21, "person": 11}, Verdict(Held.PERSON)),
        ({"address": 21, "start": Start(Held.NO_START)}, Verdict(Held.NO_START)),
    ],
)
def test_an_enquiry_is_held_for_the_first_reason_that_applies(given, verdict):
    assert lead(**given) == verdict


@pytest.mark.parametrize(("person", "refused"), [(50, False), (51, True)])
def test_one_persons_enquiries_are_refused_only_from_a_busy_network_or_without_a_token(person, refused):
    assert lead(person=person) == Verdict(Held.PERSON)
    assert lead(person=person, address=21).refused == refused
    assert lead(person=person, start=Start(Held.NO_START)).refused == refused


@pytest.mark.parametrize("address", [101, 10_000])
def test_a_network_address_alone_never_refuses_a_good_token(address):
    assert lead(address=address) == Verdict(Held.ADDRESS)
    assert lead(address=address, token=4) == REFUSED
    assert lead(address=address, start=Start(Held.FORGED)) == REFUSED


def test_in_a_flood_those_with_a_good_history_pass_until_it_is_full():
    assert lead(flood=RISING) == PASSED
    for suspect in ({"start": QUICK}, {"address": 2}, {"token": 2}):
        assert lead(flood=RISING, **suspect) == Verdict(Held.FLOOD)
    assert lead(flood=FULL) == Verdict(Held.FLOOD)


def test_clicks_are_held_beyond_their_budget_and_refused_far_beyond():
    assert judge_click(BUDGETS, 30, honeypot=False) == PASSED
    assert judge_click(BUDGETS, 31, honeypot=False) == Verdict(Held.ADDRESS)
    assert judge_click(BUDGETS, 1, honeypot=True) == Verdict(Held.HONEYPOT)
    assert judge_click(BUDGETS, 300, honeypot=False) == Verdict(Held.ADDRESS)
    assert judge_click(BUDGETS, 301, honeypot=False) == REFUSED


def test_complaints_are_held_beyond_their_budget_and_refused_far_beyond():
    assert judge_complaint(BUDGETS, 5, honeypot=False) == PASSED
    assert judge_complaint(BUDGETS, 6, honeypot=False) == Verdict(Held.ADDRESS)
    assert judge_complaint(BUDGETS, 1, honeypot=True) == Verdict(Held.HONEYPOT)
    assert judge_complaint(BUDGETS, 26, honeypot=False) == REFUSED
