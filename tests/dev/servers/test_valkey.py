"""The embedded Valkey: its data and port survive restarts; no eviction."""

from __future__ import annotations

import pytest
import redis

from dev.servers.valkey import EmbeddedValkey

pytestmark = pytest.mark.slow


@pytest.fixture
def server(tmp_path):
    with EmbeddedValkey(tmp_path / "valkey") as running:
        yield running


@pytest.fixture
def client(server):
    with redis.Redis.from_url(server.url) as connected:
        yield connected


def test_a_stop_and_start_keeps_keys_and_the_address(server, client):
    address = server.url
    client.set("bell", "rung")
    server.stop()
    assert not server.alive()
    server.start()
    assert server.url == address
    assert client.get("bell") == b"rung"


def test_it_starts_again_after_a_kill(server, client):
    server.kill()
    with pytest.raises(redis.ConnectionError):
        client.ping()
    server.start()
    assert client.ping()


def test_it_never_evicts_and_listens_on_loopback_only(client):
    assert client.config_get("maxmemory-policy")["maxmemory-policy"] == "noeviction"
    assert client.config_get("bind")["bind"] == "127.0.0.1"


def test_a_folder_with_spaces_works(tmp_path):
    with EmbeddedValkey(tmp_path / "a folder with spaces" / "valkey") as server:
        assert server.alive()
