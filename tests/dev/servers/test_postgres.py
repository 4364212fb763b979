"""The embedded PostgreSQL: its data and port survive restarts, crashes and leftover processes."""

from __future__ import annotations

import os
from pathlib import Path
from tempfile import TemporaryDirectory

import psycopg
import pytest

from dev.servers.postgres import EmbeddedPostgres, program
from dev.servers.state_files import free_port

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


def test_a_server_is_reached_by_its_socket():
    with TemporaryDirectory() as folder, EmbeddedPostgres(Path(folder), durable=False, socket=True) as server:
        url = server.create_database("other")
        assert one(url, "SELECT current_database() || coalesce(inet_server_addr()::text, ' by a socket')") == (
            "other by a socket"
        )


def test_a_server_that_a_killed_owner_left_running_is_taken_over(server, tmp_path):
    write_row(server.url)
    left_running = server.pid
    with EmbeddedPostgres(tmp_path / "postgres", durable=False) as successor:
        assert successor.pid != left_running
        assert one(successor.url, "SELECT answer FROM kept") == 42
    assert not server.alive()


def test_a_pid_file_naming_some_other_process_does_not_stop_the_start(server):
    pid_file = server.cluster / "postmaster.pid"
    lines = pid_file.read_text().splitlines()
    server.kill()
    pid_file.write_text("\n".join([str(os.getpid()), *lines[1:]]))
    server.start()
    assert server.alive()


def test_an_unfinished_first_start_is_begun_again(tmp_path):
    unfinished = tmp_path / "postgres" / "cluster.unfinished"
    unfinished.mkdir(parents=True)
    (unfinished / "PG_VERSION").write_text("18\n")
    with EmbeddedPostgres(tmp_path / "postgres", durable=False) as server:
        assert one(server.url, "SELECT 1") == 1


def test_a_folder_too_deep_for_unix_sockets_and_with_spaces_works(tmp_path):
    folder = tmp_path / ("a deep folder" * 12) / "postgres"
    with EmbeddedPostgres(folder, durable=False) as server:
        assert one(server.url, "SELECT 1") == 1


@pytest.mark.skipif(os.geteuid() != 0, reason="only root starts it as another user")
def test_root_starts_it_in_a_folder_that_only_root_may_enter(closed):
    assert program("postgres").startswith(str(closed))
    with EmbeddedPostgres(closed / "data", durable=False) as server:
        assert one(server.url, "SELECT 1") == 1


def test_it_is_durable_unless_told_otherwise(tmp_path):
    with EmbeddedPostgres(tmp_path / "postgres") as server:
        assert one(server.url, "SHOW fsync") == "on"
        assert one(server.url, "SHOW synchronous_commit") == "on"
        assert one(server.url, "SHOW server_encoding") == "UTF8"


def test_it_listens_on_loopback_only_and_asks_for_the_password(server):
    assert one(server.url, "SHOW listen_addresses") == "127.0.0.1"
    wrong = server.url.replace(server.url.split(":")[2].split("@")[0], "wrong")
    with pytest.raises(psycopg.OperationalError, match="password authentication failed"):
        one(wrong, "SELECT 1")


def test_the_role_of_the_product_is_no_superuser(server):
    assert one(server.url, "SELECT rolsuper FROM pg_roles WHERE rolname = current_user") is False


def test_files_that_hold_the_password_are_the_owners_alone(server):
    mode = (server.folder / "password").stat().st_mode
    assert mode & 0o077 == 0


def test_a_taken_port_is_replaced_by_another(server, tmp_path):
    other = tmp_path / "other"
    other.mkdir()
    (other / "port").write_text((server.folder / "port").read_text())
    with EmbeddedPostgres(other, durable=False) as second:
        assert second.url.split(":")[3] != server.url.split(":")[3]


def test_chosen_ports_lie_below_the_range_of_outgoing_connections():
    lowest = Path("/proc/sys/net/ipv4/ip_local_port_range")
    limit = int(lowest.read_text().split()[0]) if lowest.exists() else 32_768
    assert all(free_port() < limit for _ in range(20))


def test_stopping_writes_everything_and_leaves_no_pid_file(server):
    os.kill(server.pid, 0)
    server.stop()
    assert not server.alive()
    assert not (server.cluster / "postmaster.pid").exists()
