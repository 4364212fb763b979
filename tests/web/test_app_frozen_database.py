"""An enquiry meets a PostgreSQL that is frozen."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from time import perf_counter

import pytest

from leads.settings import read_settings
from tests.support.freezing import frozen
from tests.support.samples import PAYLOAD
from web.app import close_app, create_app

pytestmark = pytest.mark.slow

THREADS = 4
PATIENCE = 15.0  # seconds: twice the wait for an answer, the wait for a connection, and a busy machine


def test_visitors_are_told_in_seconds_and_nothing_is_stored_twice_when_it_thaws(own_postgres):
    app = create_app(read_settings({"DATABASE_URL": own_postgres.url, "REDIS_URL": "redis://127.0.0.1:1/0"}))

    def post(number):
        started = perf_counter()
        answer = app.test_client().post("/api/leads", json=PAYLOAD, headers={"Idempotency-Key": f"press-{number}"})
        return answer, perf_counter() - started

    with ThreadPoolExecutor(THREADS) as pool:
        assert [answer.status_code for answer, _ in pool.map(post, range(THREADS))] == [201] * THREADS
        with frozen(own_postgres):
            for answer, seconds in pool.map(post, range(10, 10 + THREADS)):
                assert answer.status_code == 503
                assert int(answer.headers["Retry-After"]) > 0
                assert seconds < PATIENCE
        thawed = list(pool.map(post, range(10, 10 + THREADS)))
    assert [answer.status_code for answer, _ in thawed] == [201] * THREADS
    assert len({answer.json["id"] for answer, _ in thawed}) == THREADS
    close_app(app)
