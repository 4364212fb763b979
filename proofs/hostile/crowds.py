"""Limits turned against people: each attack, and what became of a real person beside it.

A person is refused, held, or on the way to the CRM. No worker runs here: what one does every 20 s is done by
`settle_held` in a loop.
"""

from __future__ import annotations

import hashlib
import http.client
import json
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

from redis import Redis

from dev.visitors import Visitors
from leads.db import connect_engine
from leads.outbox.release import settle_held
from leads.outbox.stopped import read_held_real
from leads.settings import read_settings
from proofs.harness import outbox
from proofs.harness.case import require
from proofs.harness.person import Person
from proofs.hostile.case import case
from proofs.hostile.target import Target
from worker.tick import RELEASE_SECONDS

CREATED, OK = 201, 200
THREADS = 16
JUNK, TAPS, START_TOKENS = 940, 3000, 1001
MAX_JUNK, MAX_MAILS, MAX_SECONDS = 60, 20, 60
PEOPLE = 10
LONG = 4900  # characters of a message; with the rest a row of 25 KiB
AGE = "UPDATE {} SET {} = {} - interval '11 minutes'"


@dataclass(frozen=True, slots=True)
class Shot:
    """One request: where from, to which path, and its body. `token`: as sent; None: without."""

    address: str
    body: Mapping[str, Any]
    token: str | None = None
    path: str = "/api/leads"


class Crowd:
    """A site with the product's own budgets and an empty database, and everybody who meets there."""

    def __init__(self, target: Target, **more: str) -> None:
        self.database_url = target.servers.make_database()
        given = {
            "DATABASE_URL": self.database_url,
            "ERASURE_KEY": "b7e1c2f09d3a48e6a5c4d1f2",
            "TRUSTED_PROXY_HOPS": "1",
            "MAIL_FROM": "enquiries@clinic.example",
            **more,
        }
        with Redis.from_url(target.servers.valkey.url) as redis:
            redis.flushall()
        self.settings = read_settings(given)
        self.visitors = Visitors(given)
        self._port = target.site(given).process.port
        self.engine = connect_engine(self.settings.database_url, pool=2, name="crowds")
        self._rows = target.rows_of

    def ask(
        self, method: str, path: str, address: str, body: bytes | None = None, **headers: str
    ) -> tuple[int, Any]:
        """One request from an address; the status and the JSON of its answer."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=60)
        try:
            connection.request(method, path, body, {"X-Forwarded-For": address, **named})
            reply = connection.getresponse()
            return reply.status, json.loads(reply.read())
        finally:
            connection.close()

    def fire(self, shot: Shot) -> int:
        """Send one; the status."""
        headers = {"Content_Type": "application/json", "Idempotency_Key": str(uuid4())}
        if shot.token:
            headers["Start_Token"] = shot.token
        return self.ask("POST", shot.path, shot.address, json.dumps(shot.body).encode(), **headers)[0]

    def fire_all(self, shots: Iterable[Shot]) -> list[int]:
        """Send all, as fast as a few threads can."""
        with ThreadPoolExecutor(THREADS) as pool:
            return list(pool.map(self.fire, shots))

    def prove(self, address: str) -> tuple[int, str]:
        """Ask for a start token as a browser there does: the status, and what it would send a minute later."""
        status, start = self.ask("GET", "/api/start", address)
        token = self.visitors.token()
        if status == OK and start["work"]:
            return status, f"{token}~{_find_number(self.visitors, token)}"
        return status, token

    def fates(self, words: str, table: str = "leads") -> dict[str, int]:
        """How many rows with such a message are pending, or held for which reason."""
        return dict(self._rows(self.database_url, outbox.fates(table), f"{words}%"))

    def mails(self) -> int:
        """How many acknowledgements are owed, or would be sent."""
        return int(self._rows(self.database_url, outbox.MAILS_OWED)[0][0])

    def age(self) -> None:
        """Let eleven minutes pass for all rows."""
        for table, column in (("leads", "created_at"), ("deliveries", "queued_at")):
            self._rows(self.database_url, f"{AGE.format(table, column, column)} RETURNING 1")

    def settle(self) -> None:
        """What a worker does with held rows."""
        settle_held(self.engine, per_hour=self.settings.flood_per_hour)

    def seconds_until(self, is_done: Callable[[], bool]) -> float:
        """Settle as workers do until it is done; the seconds, a minute at most."""
        begun = time.monotonic()
        while not is_done() and time.monotonic() - begun < MAX_SECONDS:
            threading.Event().wait(min(RELEASE_SECONDS, 5.0))
            self.settle()
        return time.monotonic() - begun


@case(
    "crowds.flood",
    "940 enquiries in seconds, each of another address with a good token: at most 60 go, and 20 mails",
)
def flood(target: Target) -> str:
    """Ten real people enquire in the middle of it, five with proof of work and five who opened the page before."""
    crowd = Crowd(target)
    shots = [Shot(_address(number), _junk(number), crowd.visitors.token()) for number in range(JUNK)]
    for number in range(PEOPLE):
        person = Shot(f"198.18.0.{number}", _person(number), crowd.visitors.token())
        shots.insert((number + 1) * JUNK // (PEOPLE + 1), person)
    begun = time.monotonic()
    answers = crowd.fire_all(shots)
    seconds = time.monotonic() - begun
    require(set(answers) == {CREATED}, f"answers: {set(answers)}")
    through, mails, people = crowd.fates("Call me").get("pending", 0), crowd.mails(), crowd.fates("My question")
    require(through <= MAX_JUNK and mails <= MAX_MAILS + PEOPLE, f"{through} junk records and {mails} mails")
    proven = [
        Shot(f"198.18.1.{number}", _person(100 + number), crowd.prove(f"198.18.1.{number}")[1])
        for number in range(5)
    ]
    require(crowd.fire_all(proven) == [CREATED] * 5, "who proves work is not answered")
    at_once = crowd.fates("My question").get("pending", 0)
    require(at_once >= 5, f"of five who proved work {at_once} went at once")
    waited = crowd.seconds_until(lambda: crowd.fates("My question") == {"pending": PEOPLE + 5})
    require(crowd.fates("My question") == {"pending": PEOPLE + 5}, f"people: {crowd.fates('My question')}")
    require(crowd.fates("Call me").get("pending", 0) <= MAX_JUNK, f"junk: {crowd.fates('Call me')}")
    return (
        f"{JUNK} in {seconds:.0f} s: {through} went, {mails} mails; {PEOPLE} real people among them: {people},"
        f" all on their way after {waited:.0f} s; five with proof of work at once; junk: {crowd.fates('Call me')}"
    )


@case("crowds.person", "whoever uses a patient's mailbox or number does not get the patient held")
def person(target: Target) -> str:
    """Ten with the number from ten addresses, ten with the mailbox from one, and then the patient."""
    crowd, patient = Crowd(target, FLOOD_PER_HOUR="3000"), _person(0)
    number = {name: patient[name] for name in ("phone", "countryCode", "countryIso")}
    shots = [Shot(_address(at), _junk(at) | number, crowd.visitors.token()) for at in range(10)]
    shots += [
        Shot("192.0.2.1", _junk(at) | {"email": patient["email"]}, crowd.visitors.token()) for at in range(12)
    ]
    crowd.fire_all(shots)
    require(crowd.fire(Shot("198.18.0.1", patient, crowd.visitors.token())) == CREATED, "the patient is refused")
    require(crowd.fates("My question") == {"pending": 1}, f"the patient: {crowd.fates('My question')}")
    return f"the patient's enquiry went at once; the strangers': {crowd.fates('Call me')}"


@case(
    "crowds.shared-address", "nobody behind a shared address is refused a token or held for what others there send"
)
def shared_address(target: Target) -> str:
    """1,001 start tokens, junk without a token, and junk with good tokens, each followed by five people."""
    crowd, address = Crowd(target), "192.0.2.1"
    with ThreadPoolExecutor(THREADS) as pool:
        tokens = set(pool.map(lambda _: crowd.ask("GET", "/api/start", address)[0], range(START_TOKENS)))
    junk = crowd.fire_all(Shot(address, _junk(number)) for number in range(101))
    crowd.fire_all(Shot(address, _person(number), crowd.visitors.token()) for number in range(5))
    first = crowd.fates("My question")
    crowd.fire_all(Shot(address, _junk(200 + number), crowd.visitors.token()) for number in range(101))
    asked = [crowd.prove(address) for _ in range(5)]
    crowd.fire_all(Shot(address, _person(100 + number), token) for number, (_, token) in enumerate(asked))
    second = crowd.fates("My question")
    require(tokens == {OK} and {status for status, _ in asked} == {OK}, "a start token was refused")
    require(first == {"pending": 5}, f"people beside junk without a token: {first}")
    require(second == {"pending": 10}, f"people with proof of work beside junk with good tokens: {second}")
    return (
        f"{START_TOKENS} tokens; 10 of 10 people at once; of 101 without a token {junk.count(CREATED)} were stored"
    )


@case(
    "crowds.taps",
    "3,000 taps of 100 addresses in seconds: at most 60 go, and a real one within a minute",
    short=False,
)
def taps(target: Target) -> str:
    """None of them needs a token."""
    crowd = Crowd(target)
    crowd.fire_all(
        Shot(f"192.0.2.{number % 100}", Person(number).tap("junk"), path="/api/whatsapp-click")
        for number in range(TAPS)
    )
    own = Person(TAPS).tap("real") | {"language": "de", "timezone": "Europe/Berlin", "userAgent": "Safari"}
    require(crowd.fire(Shot("198.18.0.1", own, path="/api/whatsapp-click")) == CREATED, "a real tap is refused")
    through, table = crowd.fates("junk", "whatsapp_clicks").get("pending", 0), "whatsapp_clicks"
    require(through <= MAX_JUNK, f"{through} of {TAPS} taps went")
    waited = crowd.seconds_until(lambda: crowd.fates("real", table) == {"pending": 1})
    require(crowd.fates("real", table) == {"pending": 1}, f"the real tap: {crowd.fates('real', table)}")
    require(crowd.fates("junk", table)["pending"] <= MAX_JUNK, f"taps: {crowd.fates('junk', table)}")
    return f"{crowd.fates('junk', table)}; the real one on its way after {waited:.0f} s"


@case(
    "crowds.disk",
    "3,000 long enquiries of one address with good tokens leave 200 rows, and a person's stays",
    short=False,
)
def disk(target: Target) -> str:
    """The person has a page from before, without proof of work, and stands in the middle."""
    crowd, address = Crowd(target), "192.0.2.1"
    count = 3000
    long = {"message": f"Call me {'x' * LONG}", "currentUrl": f"https://clinic.example/{'y' * 2000}"}
    shots = [Shot(address, _junk(number) | long, crowd.visitors.token()) for number in range(count)]
    shots.insert(count // 2, Shot(address, _person(0), crowd.visitors.token()))
    answers = crowd.fire_all(shots)
    require(set(answers) == {CREATED}, f"answers: {set(answers)}")
    crowd.age()
    crowd.settle()
    junk, real = sum(crowd.fates("Call me").values()), crowd.fates("My question")
    require(junk <= 300, f"{junk} rows of the stranger are left")
    require(sum(real.values()) == 1, "the person's enquiry is gone")
    told = len(read_held_real(crowd.engine))
    return f"{count:,} stored, {junk} left; the person: {real}; staff are shown {told}"


def _find_number(visitors: Visitors, token: str) -> int:
    challenge = visitors.challenge(token)
    return next(n for n in range(2**31) if hashlib.sha256(f"{token}{n}".encode()).hexdigest() == challenge)


def _address(number: int) -> str:
    return f"203.0.{number // 250}.{number % 250}"


def _junk(number: int) -> dict[str, Any]:
    return Person(500_000 + number).payload() | {"message": "Call me"}


def _person(number: int) -> dict[str, Any]:
    """What a browser sends."""
    facts: Sequence[tuple[str, str]] = (("de", "Europe/Berlin"), ("en-GB", "Europe/London"), ("fr", "Europe/Paris"))
    language, timezone = facts[number % len(facts)]
    page = {"currentUrl": "https://clinic.example/dental-implants", "userAgent": f"Mozilla/5.0 (Phone {number})"}
    own = {"message": f"My question is number {number}", "language": language, "timezone": timezone}
    return Person(600_000 + number).payload() | page | own
