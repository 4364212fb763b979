"""The embedded PostgreSQL: its data and port survive restarts, crashes and leftover processes."""

import os
from pathlib import Path

import psycopg
import pytest

from tools.servers.postgres import EmbeddedPostgres, program

pytestmark = pytest.mark.slow


@pytest.fixture
def server(tmp_path):
    with EmbeddedPostgres(tmp_path / "postgres", durable=False) as running:
        yield running


@pytest.fixture
def closed(tmp_path, monkeypatch):
    """A folder that only its owner may enter, with PostgreSQL's programs below it: like a clone in /root."""
    folder = tmp_path / "closed"
    folder.mkdir(mode=0o700)
    wheel = Path(program("postgres")).parents[2]
    (folder / wheel.name).symlink_to(wheel)
    monkeypatch.syspath_prepend(folder)
    program.cache_clear()
    yield folder
    program.cache_clear()


def one(url: str, question: str):
    with psycopg.connect(url) as connection:
        return connection.execute(question).fetchone()[0]


def write_row(url: str) -> None:
    with psycopg.connect(url) as connection:
        connection.execute("CREATE TABLE kept AS SELECT 42 AS answer")


def test_a_row_survives_a_kill_and_the_address_stays(server):
    write_row(server.url)
    address = server.url
    server.kill()
    assert not server.alive()
    server.start()
    assert server.url == address
    assert one(server.url, "SELECT answer FROM kept") == 42


def test_a_server_that_a_killed_owner_left_running_is_taken_over(server, tmp_path):
    write_row(server.url)
    left_running = server.pid
    with EmbeddedPostgres(tmp_path / "postgres", durable=False) as successor:
        assert successor.pid != left_running
        assert one(successor.url, "SELECT answer FROM kept") == 42
    assert not server.alive()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root starts it as another user")
def test_root_starts_it_in_a_folder_that_only_root_may_enter(closed):
    assert program("postgres").startswith(str(closed))
    with EmbeddedPostgres(closed / "data", durable=False) as server:
        assert one(server.url, "SELECT 1") == 1


def test_it_listens_on_loopback_only_and_asks_for_the_password(server):
    assert one(server.url, "SHOW listen_addresses") == "127.0.0.1"
    wrong = server.url.replace(server.url.split(":")[2].split("@")[0], "wrong")
    with pytest.raises(psycopg.OperationalError, match="password authentication failed"):
        one(wrong, "SELECT 1")
