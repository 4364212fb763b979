"""Floods of whole requests: strangers without a start token, with forged, used and too young ones, and taps."""

from __future__ import annotations

import http.client
import json
import random
import threading
import uuid
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from dev.visitors import Visitors
from proofs.harness import outbox
from proofs.harness.case import require
from proofs.harness.person import Person
from proofs.hostile.case import case
from proofs.hostile.target import Target
from proofs.hostile.visitor import Visitor

REQUESTS, REQUESTS_SHORT = 10_000, 600
HONEST_OF = 100  # every so many requests one is honest
THREADS = 16
TAP = "Hello from a stranger"
TOO_FAST = "too fast"  # with a token of that moment
CREATED, TOO_MANY = 201, 429
NETWORKS = 20  # of the strangers; honest visitors have one each


@dataclass(frozen=True, slots=True)
class Shot:
    """One request of the mix."""

    kind: str
    path: str
    body: bytes
    headers: dict[str, str]


@case(
    "floods.mix",
    "10,000 requests, one in a hundred genuine: every genuine enquiry goes through at once, little else does",
)
def mix(target: Target) -> str:
    """Strangers come from 20 networks behind one proxy; each person from a network of their own."""
    settings = {"TRUSTED_PROXY_HOPS": "1", "ERASURE_KEY": "b7e1c2f09d3a48e6a5c4d1f2"}
    site = target.site(settings, crowded=False)
    visitors = Visitors({"DATABASE_URL": target.database_url, **settings})
    shots = _shots(REQUESTS_SHORT if target.short else REQUESTS, visitors)
    honest = sum(shot.kind == "honest" for shot in shots)
    visits = Visitor(
        site.process.port, target.lead(), target.database_url, _headers("203.0.113.200", **visitors.headers())
    )
    with visits, ThreadPoolExecutor(THREADS, initializer=_connect, initargs=(site.process.port, visitors)) as pool:
        answers = Counter(pool.map(_fire, shots))
    while _connections:
        _connections.pop().close()
    target.require_served(visits)
    odd = {answer: times for answer, times in answers.items() if answer[1] not in {CREATED, TOO_MANY}}
    require(not odd, f"requests without an honest answer: {odd}")
    real, spam, clicks = (dict(target.rows(outbox.fates(table), message)) for table, message in TABLES)
    require(real == {"pending": honest}, f"{honest} real enquiries, but {real}")
    through = spam.pop("pending", 0)
    require(through <= len(shots) // 100, f"{through} of the strangers' enquiries went through")
    refused = sum(times for (_, status), times in answers.items() if status == TOO_MANY)
    held = ", ".join(f"{reason} {times:,}" for reason, times in sorted(spam.items()))
    mails = target.rows(outbox.MAILS_OWED)[0][0]
    return (
        f"{honest} of {honest} real enquiries at once; of {len(shots) - honest:,} others {refused:,} refused (429),"
        f" enquiries held: {held}; {through} through; taps: {clicks}; mails owed: {mails}; {visits.words}"
    )


TABLES = (("leads", "a real question"), ("leads", "spam"), ("whatsapp_clicks", TAP))
_local = threading.local()
_connections: list[http.client.HTTPConnection] = []


def _connect(port: int, visitors: Visitors) -> None:
    _local.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    _local.visitors = visitors
    _connections.append(_local.connection)


def _fire(shot: Shot) -> tuple[str, int]:
    young = {"Start-Token": _local.visitors.token(age=0.0)} if shot.kind == TOO_FAST else {}
    try:
        _local.connection.request("POST", shot.path, shot.body, shot.headers | young)
        reply = _local.connection.getresponse()
        reply.read()
    except (OSError, http.client.HTTPException):
        _local.connection.close()
        return shot.kind, 0
    return shot.kind, reply.status


def _shots(count: int, visitors: Visitors) -> list[Shot]:
    chance = random.Random(1)
    used = visitors.token()
    makers: tuple[Callable[[int], Shot], ...] = (
        lambda number: _lead("no token", number, {}, chance),
        lambda number: _lead("forged", number, {"Start-Token": f"1795338000.0.{number:012d}.AAAA"}, chance),
        lambda number: _lead("used", number, {"Start-Token": used}, chance),
        lambda number: _lead(TOO_FAST, number, {}, chance),
        lambda number: _click(number, chance),
    )
    return [
        _honest(number, visitors) if number % HONEST_OF == 0 else chance.choice(makers)(number)
        for number in range(count)
    ]


def _lead(kind: str, number: int, headers: dict[str, str], chance: random.Random) -> Shot:
    body = Person(900_000 + number).payload() | {"message": "spam"}
    return Shot(kind, "/api/leads", json.dumps(body).encode(), _headers(_network(chance), **headers))


def _honest(number: int, visitors: Visitors) -> Shot:
    body = Person(800_000 + number).payload() | {"message": "a real question"}
    address = f"198.{18 + number // 65536}.{number // 256 % 256}.{number % 256}"
    return Shot("honest", "/api/leads", json.dumps(body).encode(), _headers(address, **visitors.headers()))


def _click(number: int, chance: random.Random) -> Shot:
    return Shot(
        "tap", "/api/whatsapp-click", json.dumps(Person(number).tap(TAP)).encode(), _headers(_network(chance))
    )


def _network(chance: random.Random) -> str:
    return f"192.0.2.{chance.randrange(NETWORKS)}"


def _headers(address: str, **more: str) -> dict[str, str]:
    named = {name.replace("_", "-"): value for name, value in more.items()}
    own = {"Content-Type": "application/json", "X-Forwarded-For": address, "Idempotency-Key": str(uuid.uuid4())}
    return own | named
