"""/healthz and /readyz: the process lives, and it can keep an enquiry."""

from __future__ import annotations

import os
import signal
from time import perf_counter

import pytest

from dev.servers.postgres import EmbeddedPostgres
from leads.settings import read_settings
from tests.support.metrics import metrics_of
from web.app import close_app, create_app


def test_a_live_process_says_so(client):
    assert client.get("/healthz").json == {"ok": True}


def test_an_absent_redis_is_told_and_is_no_reason_to_go_away(client):
    response = client.get("/readyz")
    assert response.status_code == 200
    assert response.json == {"ready": True, "database": "up", "redis": "unavailable"}


def test_a_present_redis_is_told(make_client, valkey):
    assert make_client(REDIS_URL=valkey.url).get("/readyz").json["redis"] == "up"


@pytest.mark.slow
def test_a_frozen_database_makes_it_unready_within_its_second(tmp_path):
    with EmbeddedPostgres(tmp_path / "postgres", durable=False) as server:
        app = create_app(read_settings({"DATABASE_URL": server.url, "REDIS_URL": "redis://127.0.0.1:1/0"}))
        client = app.test_client()
        assert client.get("/readyz").status_code == 200
        os.kill(server.pid, signal.SIGSTOP)
        backends = [int(pid) for pid in children_of(server.pid)]
        for pid in backends:
            os.kill(pid, signal.SIGSTOP)
        try:
            start = perf_counter()
            assert client.get("/readyz").status_code == 503
            assert "clinic_database_up 0.0" in metrics_of(app)
            assert perf_counter() - start < 10
        finally:
            for pid in [*backends, server.pid]:
                os.kill(pid, signal.SIGCONT)
        assert client.get("/readyz").status_code == 200
        close_app(app)


def children_of(pid):
    with open(f"/proc/{pid}/task/{pid}/children") as children:  # noqa: PTH123 - procfs
        return children.read().split()
