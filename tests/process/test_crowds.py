"""Crowds that send whole enquiries, against the product's own limits, and real people beside them."""

import json
import random
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from uuid import uuid4

import psycopg
import pytest

from api.limits.rules import FAR, LIMITS
from tests.process.strangers import honest_visitor
from tools.visitors import Person, Visitors

pytestmark = [pytest.mark.process, pytest.mark.timeout(900)]

THREADS = 16
JUNK, REAL, SPAM, TAP = "Call me", "A real question", "spam", "Hello from a stranger"


@pytest.fixture
def site(start_site, database_url):
    """A site with the product's own limits and an empty database, behind a proxy."""
    return start_site(crowded=False, DATABASE_URL=database_url, TRUSTED_PROXY_HOPS="1")


@pytest.fixture
def fire(site):
    """Sends requests as fast as a few threads can; gives how many were answered with which status.

    A request is its kind, its address, its body, and its start token or a function that makes it at that moment.
    """

    def fire_one(shot):
        path, address, body, token = shot
        headers = {
            "Content-Type": "application/json",
            "X-Forwarded-For": address,
            "Idempotency-Key": str(uuid4()),
            "Start-Token": token() if callable(token) else token,
        }
        return site.ask("POST", path, json.dumps(body).encode(), headers).status

    def fire_all(shots):
        with ThreadPoolExecutor(THREADS) as pool:
            return Counter(pool.map(fire_one, shots))

    return fire_all


@pytest.fixture
def fates(database_url):
    """How many rows with such a message go on their way, or are held for which reason."""

    def ask(message, column="leads.message", table="leads"):
        query = f"""
SELECT coalesce(held_reason, zoho_status), count(*) FROM {table} JOIN crm_deliveries USING (id)
WHERE {column} = %s GROUP BY 1"""
        with psycopg.connect(database_url) as connection:
            return dict(connection.execute(query, [message]).fetchall())

    return ask


def body_of(number, message):
    return Person(number).payload() | {"message": message}


def lead(address, number, message, token=""):
    return ("/api/leads", address, body_of(number, message), token)


def test_a_flood_with_good_tokens_from_everywhere_goes_as_far_as_the_limit_then_is_held_then_refused(
    site, fire, fates
):
    """1,200 enquiries in seconds; a visitor who came without a token before they did is held for that alone."""
    visitors, sent = Visitors(site.given), 1200
    assert fire([lead("198.18.0.1", 1, REAL)]) == {201: 1}
    addresses = [f"203.0.{number // 250}.{number % 250}" for number in range(sent)]
    answers = fire(lead(address, 2 + at, JUNK, visitors.token) for at, address in enumerate(addresses))
    held = FAR * LIMITS.held.most - 1
    assert fates(JUNK) == {"pending": LIMITS.all.most, "flood": held}
    assert answers == {201: LIMITS.all.most + held, 429: sent - LIMITS.all.most - held}
    assert fates(REAL) == {"no-start": 1}


def test_every_genuine_enquiry_among_strangers_goes_through_at_once_and_little_else_does(
    site, fire, fates, is_long, record_property
):
    """One request in a hundred is genuine; strangers come from 20 networks, each person from one of their own."""
    visitors, chance = Visitors(site.given), random.Random(1)
    used, sent = visitors.token(), 3_000 if is_long else 600

    def stranger(number):
        address = f"192.0.2.{chance.randrange(20)}"
        tap = {"whatsappMessage": TAP, "buttonLocation": "hero", "uniqueCode": f"T{number:05d}", "sessionId": "s"}
        tokens = ("", f"1795338000.0.{number:012d}.AAAA", used, lambda: visitors.token(age=0.0))
        kinds = [lead(address, 1_000_000 + number, SPAM, token) for token in tokens]
        return chance.choice([*kinds, ("/api/whatsapp-click", address, tap, "")])

    def person(number):
        return lead(f"198.18.{number // 256}.{number % 256}", number, REAL, visitors.token())

    shots = [stranger(number) if number % 100 else person(number) for number in range(sent)]
    with honest_visitor(site.port, posts=False) as visits:
        answers = fire(shots)
    assert answers.keys() <= {201, 429}
    assert fates(REAL) == {"pending": sent // 100}
    assert fates(SPAM).get("pending", 0) <= sent // 100
    record_property("the strangers' enquiries", str(fates(SPAM)))
    record_property("their taps", str(fates(TAP, "whatsapp_message", "whatsapp_clicks")))
    assert visits.wrong == 0
    assert visits.longest <= 0.5 or not is_long
