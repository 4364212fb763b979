"""The verdicts of docs/limits.md, with small figures: let through, held for a reason, refused."""

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
BOTNET = [f"198.51.100.{number}" for number in range(4)]


class Site:
    """Sends enquiries of new people, and taps: gives the reason why one is held, None, or "refused"."""

    def __init__(self, secret=b"s" * 32, **limits):
        self.noted, self._numbers = Counter(), count()
        self.guard = Guard(TOKENS, secret, lambda *what: self.noted.update([what]), WIDE._replace(**limits))

    def send(self, address=HONEST, *, token=None, age=60, key=None, honeypot=False, **person):
        number = next(self._numbers)
        values = {"email": f"ann{number}@example.com", "phone_e164": f"+4479111{number:05}"} | person
        token = TOKENS.issue(age=age) if token is None else token
        try:
            return self.guard.check_lead(values, address=address, token=token, key=key, honeypot=honeypot)
        except TooMany:
            return "refused"

    def tap(self, address=HONEST, *, honeypot=False):
        return self.guard.check_click(address=address, honeypot=honeypot)


@pytest.mark.parametrize(("days", "is_good"), [(6.9, True), (7.1, False)])
def test_a_details_token_is_good_for_seven_days(days, is_good):
    lead, guard = UUID(int=int((time.time() - days * DAY) * 1000) << 80), Site().guard
    assert guard.check_details(guard.details_token(lead)) == (lead if is_good else None)


def test_without_the_secret_nobody_makes_a_details_token_or_a_hash():
    lead = UUID(int=int(time.time() * 1000) << 80)
    ours, stranger = Site().guard, Site(b"x" * 32).guard
    assert ours.check_details(stranger.details_token(lead)) is None
    assert ours.hash("form", "an entry") != stranger.hash("form", "an entry")


def test_what_is_against_an_enquiry_itself():
    for given, reason in (
        ({}, None),
        ({"honeypot": True}, Held.HONEYPOT),
        ({"token": ""}, Held.NO_START),
        ({"token": "x"}, Held.FORGED),
        ({"age": DAY + 60}, Held.EXPIRED),
        ({"age": 1}, Held.TOO_FAST),
    ):
        assert Site().send(**given) == reason


def test_one_token_is_for_a_few_enquiries():
    site, token = Site(token=Limit(3, DAY, Held.REPLAYED)), TOKENS.issue(age=60)
    assert [site.send(address, token=token) for address in BOTNET] == [None] * 3 + ["replayed"]


@pytest.mark.parametrize(
    "same",
    [
        [{"email": email} for email in ("a.da@gmail.com", "ada@gmail.com", "ADA+1@googlemail.com")],
        [{"phone_e164": "+447911123456"}] * 3,
    ],
    ids=["mailbox", "number"],
)
def test_one_person_is_held_whatever_the_spelling_and_from_another_network_is_not(same):
    site = Site(person=Limit(2, DAY, Held.PERSON))
    assert [site.send(**person) for person in same] == [None, None, "person"]
    assert site.send(BOTNET[0], **same[0]) is None


def test_the_addresses_of_one_ipv6_network_count_together():
    site = Site(leads_of_address=Limit(2, HOUR, Held.ADDRESS))
    assert [site.send(f"2001:db8:1:2::{n}") for n in (1, 2, 3)] == [None, None, "address"]
    assert site.send("2001:db8:1:3::1") is None


def test_more_than_usual_from_everywhere_are_held_and_taps_have_a_limit_of_their_own():
    site = Site(all=Limit(3, HOUR, Held.FLOOD))
    assert [site.send(address) for address in BOTNET] == [None] * 3 + ["flood"]
    assert [site.tap(address) for address in BOTNET] == [None] * 3 + ["flood"]


def test_a_tap_is_held_for_its_network_or_the_hidden_field():
    site = Site(clicks_of_address=Limit(1, HOUR, Held.ADDRESS))
    assert [site.tap(), site.tap(), site.tap(honeypot=True)] == [None, "address", "honeypot"]


def test_many_held_ones_of_a_network_are_a_flood_and_far_more_are_refused():
    site = Site(held_of_address=Limit(2, HOUR, Held.FLOOD))
    assert [site.send(token="") for _ in range(8)] == ["no-start"] * 2 + ["flood"] * 4 + ["refused"] * 2
    assert site.noted == {("lead", "no-start"): 2, ("lead", "flood"): 4, ("lead", "refused"): 2}
    assert site.send(BOTNET[0], token="") == "no-start"


def test_many_held_ones_from_everywhere_are_a_flood_and_far_more_are_refused():
    site = Site(held=Limit(1, HOUR, Held.FLOOD))
    assert [site.send(address, token="") for address in BOTNET] == ["no-start", "flood", "flood", "refused"]


def test_the_hidden_field_stays_the_reason_in_a_flood():
    site = Site(held=Limit(1, HOUR, Held.FLOOD))
    assert [site.send(honeypot=True) for _ in range(3)] == ["honeypot"] * 3


def test_what_is_held_or_refused_uses_up_nothing_of_those_who_are_let_through():
    few = Limit(2, HOUR, Held.FLOOD)
    site = Site(leads_of_address=few, all=few, held=Limit(1, HOUR, Held.FLOOD))
    assert [site.send(token="") for _ in range(9)][-1] == "refused"
    assert [site.send(), site.send()] == [None, None]


def test_the_same_press_counts_once():
    one = Limit(1, HOUR, Held.ADDRESS)
    site = Site(leads_of_address=one, held_of_address=one)
    assert [site.send(key="press", email="a@example.com") for _ in range(9)] == [None] * 9
    assert [site.send(key="other", email="a@example.com") for _ in range(9)] == ["address"] * 9
