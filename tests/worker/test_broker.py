"""Whether Redis answers, as `status` and Flower tell."""

from __future__ import annotations

from types import SimpleNamespace

from fakeredis import FakeRedis, FakeServer

from worker.broker import broker_error


def test_the_probe_tells_whether_redis_answers(monkeypatch):
    server = FakeServer()
    monkeypatch.setattr("worker.broker.Redis", SimpleNamespace(from_url=lambda *_, **__: FakeRedis(server=server)))
    assert broker_error("redis://fake/0") is None
    server.connected = False
    assert broker_error("redis://fake/0") == "ConnectionError"
