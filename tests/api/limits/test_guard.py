"""The verdicts of docs/limits-and-security.md, with small figures: let through, held for a reason, refused."""

from __future__ import annotations

import time
from collections import Counter
from itertools import count
from uuid import UUID

import pytest

from api.limits.guard import Guard, TooMany
from api.limits.rules import DAY, HOUR, LIMITS, Limit, Limits
from api.limits.start_token import StartTokens
from leads.outbox.holds import Held

TOKENS = StartTokens(b"k" * 32, 3.0)
WIDE = Limits(*(limit._replace(most=1000) if isinstance(limit, Limit) else limit for limit in LIMITS))
HONEST = "192.0.2.1"


@pytest.fixture
def noted():
    return Counter()


@pytest.fixture
def enquire(noted):
    """Gives a function that sends an enquiry of somebody new: the reason why it is held, None, or "refused"."""

    def start(**limits):
        guard = Guard(TOKENS, b"s" * 32, lambda *what: noted.update([what]), WIDE._replace(**limits))
        numbers = count()

        def send(address=HONEST, *, token=None, age=60, key=None, honeypot=False, **person):
            number = next(numbers)
            values = {"email": f"ann{number}@example.com", "phone_e164": f"+4479111{number:05}"} | person
            token = TOKENS.issue(age=age) if token is None else token
            try:
                return guard.check_lead(values, address=address, token=token, key=key, honeypot=honeypot)
            except TooMany:
                return "refused"

        send.tap = lambda address=HONEST, **more: guard.check_click(address=address, **{"honeypot": False} | more)
        return send

    return start


def make_guard(secret=b"s" * 32):
    return Guard(TOKENS, secret, lambda *_: None)


@pytest.mark.parametrize(("days", "is_good"), [(6.9, True), (7.1, False)])
def test_a_details_token_is_good_for_seven_days(days, is_good):
    lead = UUID(int=int((time.time() - days * DAY) * 1000) << 80)
    guard = make_guard()
    assert guard.check_details(guard.details_token(lead)) == (lead if is_good else None)


def test_without_the_secret_nobody_makes_a_details_token_or_a_hash():
    lead = UUID(int=int(time.time() * 1000) << 80)
    ours, stranger = make_guard(), make_guard(b"x" * 32)
    assert ours.check_details(stranger.details_token(lead)) is None
    assert ours.hash("form", "an entry") != stranger.hash("form", "an entry")


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ({}, None),
        ({"honeypot": True}, Held.HONEYPOT),
        ({"token": ""}, Held.NO_START),
        ({"token": "x"}, Held.FORGED),
        ({"age": DAY + 60}, Held.EXPIRED),
        ({"age": 1}, Held.TOO_FAST),
    ],
)
def test_what_is_against_an_enquiry_itself(enquire, given, reason):
    assert enquire()(**given) == reason


def test_one_token_is_for_a_few_enquiries(enquire):
    send, token = enquire(token=Limit(3, DAY, Held.REPLAYED)), TOKENS.issue(age=60)
    assert [send(f"198.51.100.{n}", token=token) for n in range(4)] == [None] * 3 + ["replayed"]


@pytest.mark.parametrize(
    "same",
    [
        [{"email": email} for email in ("a.da@gmail.com", "ada@gmail.com", "ADA+1@googlemail.com")],
        [{"phone_e164": "+447911123456"}] * 3,
    ],
    ids=["mailbox", "number"],
)
def test_one_person_is_held_whatever_the_spelling_and_from_another_network_is_not(enquire, same):
    send = enquire(person=Limit(2, DAY, Held.PERSON))
    assert [send(**person) for person in same] == [None, None, "person"]
    assert send("198.51.100.1", **same[0]) is None


def test_the_addresses_of_one_ipv6_network_count_together(enquire):
    send = enquire(leads_of_address=Limit(2, HOUR, Held.ADDRESS))
    assert [send(f"2001:db8:1:2::{n}") for n in (1, 2, 3)] == [None, None, "address"]
    assert send("2001:db8:1:3::1") is None


def test_more_than_usual_from_everywhere_are_held_and_taps_have_a_limit_of_their_own(enquire):
    send = enquire(all=Limit(2, HOUR, Held.FLOOD))
    assert [send(f"198.51.100.{n}") for n in range(3)] == [None, None, "flood"]
    assert [send.tap(f"198.51.100.{n}") for n in range(3)] == [None, None, "flood"]


def test_a_tap_is_held_for_its_network_or_the_hidden_field(enquire):
    send = enquire(clicks_of_address=Limit(1, HOUR, Held.ADDRESS))
    assert [send.tap(), send.tap(), send.tap(honeypot=True)] == [None, "address", "honeypot"]


def test_many_held_ones_of_a_network_are_a_flood_and_far_more_are_refused(enquire, noted):
    send = enquire(held_of_address=Limit(2, HOUR, Held.FLOOD))
    found = [send(token="") for _ in range(8)]
    assert found == ["no-start"] * 2 + ["flood"] * 4 + ["refused"] * 2
    assert noted == {("lead", "no-start"): 2, ("lead", "flood"): 4, ("lead", "refused"): 2}
    assert send("198.51.100.1", token="") == "no-start"


def test_many_held_ones_from_everywhere_are_a_flood_and_far_more_are_refused(enquire):
    send = enquire(held=Limit(1, HOUR, Held.FLOOD))
    found = [send(f"198.51.100.{n}", token="") for n in range(4)]
    assert found == ["no-start", "flood", "flood", "refused"]


def test_the_hidden_field_stays_the_reason_in_a_flood(enquire):
    send = enquire(held=Limit(1, HOUR, Held.FLOOD))
    assert [send(honeypot=True) for _ in range(3)] == ["honeypot"] * 3


def test_what_is_held_or_refused_uses_up_nothing_of_those_who_are_let_through(enquire):
    send = enquire(
        leads_of_address=Limit(2, HOUR, Held.ADDRESS),
        all=Limit(2, HOUR, Held.FLOOD),
        held=Limit(1, HOUR, Held.FLOOD),
    )
    assert [send(token="") for _ in range(9)][-1] == "refused"
    assert [send(), send()] == [None, None]


def test_the_same_press_counts_once(enquire):
    send = enquire(leads_of_address=Limit(1, HOUR, Held.ADDRESS), held_of_address=Limit(1, HOUR, Held.FLOOD))
    assert [send(key="press", email="a@example.com") for _ in range(9)] == [None] * 9
    assert [send(key="other", email="a@example.com") for _ in range(9)] == ["address"] * 9
