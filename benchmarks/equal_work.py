"""Whether the sides of P1 to P3 do the same work: asked of each before it is measured, not taken for granted."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping, Sequence
from http.client import HTTPConnection
from typing import Any
from uuid import UUID

import psycopg
from psycopg.rows import dict_row
from redis import Redis

from benchmarks.load import Served
from benchmarks.payload import body
from benchmarks.programs import BenchmarkError
from dev.servers.waiting import wait_until
from leads.idempotency import hash_key
from leads.queue import KEY_PREFIX, QUEUES

BELLS = f"{KEY_PREFIX}{QUEUES['fresh']}"
OWN = ("id", "reference", "created_at", "queued_at", "next_retry_at")  # columns that differ from row to row
PASSING = ("content-length", "date", "x-request-id")  # headers that do


def check_equal_work(sides: Sequence[Served], redis_url: str) -> None:
    """`BenchmarkError` unless every side stores the same row, knows a repeat, and sends the same headers and bell.

    The rows, with their digests, are compared column by column.
    """
    key, erased = (str(UUID(int=random.getrandbits(128), version=4)) for _ in range(2))
    compare({side.name: _ask(side, key, erased, redis_url) for side in sides})


def compare(done: Mapping[str, Mapping[str, Any]]) -> None:
    """`BenchmarkError` unless all sides, by name, did the same as the first."""
    first, expected = next(iter(done.items()))
    for name, found in done.items():
        for what, value in found.items():
            if value != expected[what]:
                raise BenchmarkError(
                    f"{name} does other work than {first}: {what} is {value}, not {expected[what]}"
                )


def _ask(side: Served, key: str, erased: str, redis_url: str) -> Mapping[str, Any]:
    """What a side does with an enquiry, its repeat, its misused key, and the key of an erased lead."""
    with (
        psycopg.connect(side.database, autocommit=True, row_factory=dict_row) as connection,
        Redis.from_url(redis_url) as redis,
    ):
        connection.execute("INSERT INTO erased_keys (key_hash) VALUES (%s)", [hash_key(erased)])
        redis.delete(BELLS)
        status, headers, receipt = _post(side, body(1), key)
        rung = wait_until(lambda: redis.llen(BELLS) > 0, 2)
        replies = [_post(side, body(number), sent) for number, sent in ((1, key), (2, key), (3, erased))]
        stored = connection.execute("SELECT * FROM leads JOIN deliveries USING (id)").fetchall()
        connection.execute("TRUNCATE leads, deliveries CASCADE")
    return {
        "the status": status,
        "the receipt": sorted(receipt),
        "the headers": {name: value for name, value in headers.items() if name not in PASSING},
        "the bell": rung,
        "the status of a repeat, another enquiry with its key, and one with an erased key": [
            reply[0] for reply in replies
        ],
        "a repeat's receipt is the first": replies[0][2] == receipt,
        "what is stored": [{name: value for name, value in row.items() if name not in OWN} for row in stored],
    }


def _post(side: Served, posted: str, key: str) -> tuple[int, dict[str, str], dict[str, Any]]:
    connection = HTTPConnection("127.0.0.1", side.ports[0], timeout=10)
    headers = {"Content-Type": "application/json", "Idempotency-Key": key, "Start-Token": side.token()}
    try:
        connection.request("POST", "/api/leads", posted, headers)
        reply = connection.getresponse()
        return reply.status, {name.lower(): value for name, value in reply.getheaders()}, json.loads(reply.read())
    finally:
        connection.close()
