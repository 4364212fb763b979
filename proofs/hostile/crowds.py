"""Crowds against the product's own limits, and what becomes of real people beside them."""

from __future__ import annotations

import http.client
import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

from api.limits.rules import FAR, LIMITS
from dev.visitors import Visitors
from proofs.harness import outbox
from proofs.harness.case import require
from proofs.harness.person import Person
from proofs.hostile.case import case
from proofs.hostile.target import Target

CREATED, OK, TOO_MANY = 201, 200, 429
THREADS = 16
JUNK, START_TOKENS, PEOPLE = 1_200, 1001, 5


@dataclass(frozen=True, slots=True)
class Shot:
    """One enquiry: where from, its body, and the start token as sent; None: without."""

    address: str
    body: Mapping[str, Any]
    token: str | None = None


class Crowd:
    """A site with the product's own limits and an empty database, and everybody who meets there."""

    def __init__(self, target: Target) -> None:
        self.database_url = target.servers.make_database()
        given = {
            "DATABASE_URL": self.database_url,
            "ERASURE_KEY": "b7e1c2f09d3a48e6a5c4d1f2",
            "TRUSTED_PROXY_HOPS": "1",
        }
        self.visitors = Visitors(given)
        self._port = target.site(given, crowded=False).process.port
        self._rows = target.rows_of

    def ask(self, method: str, path: str, address: str, body: bytes | None = None, **headers: str) -> int:
        """One request from an address; the status of its answer."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=60)
        try:
            connection.request(method, path, body, {"X-Forwarded-For": address, **named})
            reply = connection.getresponse()
            reply.read()
        finally:
            connection.close()
        return reply.status

    def fire_all(self, shots: Iterable[Shot]) -> Counter[int]:
        """Send all, as fast as a few threads can; the statuses."""
        with ThreadPoolExecutor(THREADS) as pool:
            return Counter(pool.map(self._fire, shots))

    def _fire(self, shot: Shot) -> int:
        headers = {"Content_Type": "application/json", "Idempotency_Key": str(uuid4())}
        if shot.token:
            headers["Start_Token"] = shot.token
        return self.ask("POST", "/api/leads", shot.address, json.dumps(shot.body).encode(), **headers)

    def fates(self, words: str) -> dict[str, int]:
        """How many enquiries with such a message are pending, or held for which reason."""
        return dict(self._rows(self.database_url, outbox.fates("leads"), f"{words}%"))


@case(
    "crowds.flood",
    "1,200 enquiries in seconds, each of another address with a good token: 300 go, 600 are held, the rest refused",
)
def flood(target: Target) -> str:
    """A visitor who comes without a token before it is over is held for that."""
    crowd = Crowd(target)
    crowd.fire_all([Shot("198.18.0.1", _person(0))])
    answers = crowd.fire_all(Shot(_address(at), _junk(at), crowd.visitors.token()) for at in range(JUNK))
    held = FAR * LIMITS.held.most - 1
    expected = {"pending": LIMITS.all.most, "flood": held}
    require(crowd.fates("Call me") == expected, f"junk: {crowd.fates('Call me')}")
    refused = JUNK - LIMITS.all.most - held
    require(answers == {CREATED: JUNK - refused, TOO_MANY: refused}, f"answers: {answers}")
    require(crowd.fates("My question") == {"no-start": 1}, f"the visitor: {crowd.fates('My question')}")
    return f"of {JUNK:,}: {crowd.fates('Call me')}, {refused} refused"


@case(
    "crowds.shared-address", "nobody behind a shared address is refused a token or held for junk that has no token"
)
def shared_address(target: Target) -> str:
    """1,001 start tokens and junk without a token, followed by five people."""
    crowd, address = Crowd(target), "192.0.2.1"
    with ThreadPoolExecutor(THREADS) as pool:
        tokens = set(pool.map(lambda _: crowd.ask("GET", "/api/start", address), range(START_TOKENS)))
    junk = crowd.fire_all(Shot(address, _junk(number)) for number in range(101))
    crowd.fire_all(Shot(address, _person(number), crowd.visitors.token()) for number in range(PEOPLE))
    require(tokens == {OK}, "a start token was refused")
    require(junk[CREATED] == FAR * LIMITS.held_of_address.most, f"junk: {junk}")
    require(crowd.fates("My question") == {"pending": PEOPLE}, f"people: {crowd.fates('My question')}")
    return (
        f"{START_TOKENS} tokens; {PEOPLE} of {PEOPLE} people at once; of 101 without a token {junk[CREATED]} stored"
    )


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
