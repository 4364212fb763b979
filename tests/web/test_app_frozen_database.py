"""A PostgreSQL that is frozen, not down: its kernel still takes what is sent, and no answer comes."""

from __future__ import annotations

import os
import signal
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter

import pytest

from dev.servers.postgres import EmbeddedPostgres
from leads.settings import read_settings
from proofs.harness.product import migrate
from tests.support.samples import PAYLOAD
from web.app import close_app, create_app

pytestmark = pytest.mark.slow

THREADS = 4
PATIENCE = 15.0  # seconds: twice the wait for an answer, the wait for a connection, and a busy machine


@pytest.fixture
def server(tmp_path):
    with EmbeddedPostgres(tmp_path / "postgres", durable=False) as server:
        migrate(server.url)
        yield server


@contextmanager
def frozen(server):
    """The postmaster and every process under it, stopped in the middle of what they do."""
    os.kill(server.pid, signal.SIGSTOP)
    children = Path(f"/proc/{server.pid}/task/{server.pid}/children").read_text().split()
    family = [*map(int, children), server.pid]
    for pid in family:
        os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        for pid in family:
            os.kill(pid, signal.SIGCONT)


def test_visitors_are_told_in_seconds_and_nothing_is_stored_twice_when_it_thaws(server):
    app = create_app(read_settings({"DATABASE_URL": server.url, "REDIS_URL": "redis://127.0.0.1:1/0"}))

    def post(number):
        started = perf_counter()
        answer = app.test_client().post("/api/leads", json=PAYLOAD, headers={"Idempotency-Key": f"press-{number}"})
        return answer, perf_counter() - started

    with ThreadPoolExecutor(THREADS) as pool:
        assert [answer.status_code for answer, _ in pool.map(post, range(THREADS))] == [201] * THREADS
        with frozen(server):
            for answer, seconds in pool.map(post, range(10, 10 + THREADS)):
                assert answer.status_code == 503
                assert int(answer.headers["Retry-After"]) > 0
                assert seconds < PATIENCE
        thawed = list(pool.map(post, range(10, 10 + THREADS)))
    assert [answer.status_code for answer, _ in thawed] == [201] * THREADS
    assert len({answer.json["id"] for answer, _ in thawed}) == THREADS
    close_app(app)
