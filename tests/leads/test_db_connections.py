"""Client and server each notice that the other vanished; a lost session gives way to one that takes writes."""

from __future__ import annotations

import os
import socket

import psycopg
import pytest
from sqlalchemy import text
from sqlalchemy.exc import OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

from leads.db import StoreUnavailable, run_with_retry
from tests.support.database import change

SERVER_SETTINGS = {
    "tcp_keepalives_idle": "10",
    "tcp_keepalives_interval": "5",
    "tcp_keepalives_count": "2",
    "tcp_user_timeout": "10000",
}


@pytest.mark.parametrize(
    ("level", "option", "value"),
    [
        (socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1),
        (socket.IPPROTO_TCP, socket.TCP_KEEPIDLE, 10),
        (socket.IPPROTO_TCP, socket.TCP_KEEPINTVL, 5),
        (socket.IPPROTO_TCP, socket.TCP_KEEPCNT, 2),
        (socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, 10_000),
    ],
    ids=["keepalive", "idle", "interval", "count", "user_timeout"],
)
def test_a_server_that_vanished_is_noticed_in_seconds(engine, level, option, value):
    with engine.connect() as connection:
        number = os.dup(connection.connection.driver_connection.fileno())
        with socket.socket(fileno=number) as own_socket:
            assert own_socket.getsockopt(level, option) == value


@pytest.mark.parametrize("name", SERVER_SETTINGS)
def test_the_server_notices_a_host_that_vanished_in_seconds(engine, name):
    with engine.connect() as connection:
        assert connection.execute(text(f"SHOW {name}")).scalar_one() == SERVER_SETTINGS[name]


WAITS = {"lock_timeout": "5s", "idle_in_transaction_session_timeout": "10s", "synchronous_commit": "on"}


@pytest.mark.parametrize("name", WAITS)
def test_no_session_of_ours_waits_for_ever_or_answers_before_the_disk(engine, name):
    with engine.connect() as connection:
        assert connection.execute(text(f"SHOW {name}")).scalar_one() == WAITS[name]


def test_a_server_that_takes_no_writes_is_left(engine, database_url):
    """As after a failover: the old primary ended its sessions, and lets only readers in."""
    name = database_url.rpartition("/")[2]
    end = "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE application_name ~ '^test '"
    write = "UPDATE destinations SET failures = 0"
    with engine.connect(), engine.connect():
        pass
    with psycopg.connect(database_url, autocommit=True) as operator:
        operator.execute(f"ALTER DATABASE {name} SET default_transaction_read_only = on")
        operator.execute(f"{end} AND datname = current_database()")
        with pytest.raises(OperationalError, match="read-only"):
            change(engine, write)
        operator.execute(f"ALTER DATABASE {name} RESET default_transaction_read_only")
    for _ in range(3):
        change(engine, write)


def test_a_session_that_was_ended_is_replaced_without_a_word(engine, database_url):
    with engine.connect(), engine.connect():
        pass
    with psycopg.connect(database_url, autocommit=True) as operator:
        operator.execute(
            "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity"
            " WHERE application_name ~ '^test ' AND datname = current_database()"
        )
    with engine.connect() as one, engine.connect() as other:
        assert [connection.execute(text("SELECT 1")).scalar_one() for connection in (one, other)] == [1, 1]


def test_work_that_loses_its_session_is_done_again_on_another(engine):
    sessions = []

    def work(connection):
        sessions.append(connection.execute(text("SELECT pg_backend_pid()")).scalar_one())
        if len(sessions) == 1:
            change(engine, "SELECT pg_terminate_backend(:pid, 5000)", pid=sessions[0])
        return connection.execute(text("SELECT 1")).scalar_one()

    assert run_with_retry(engine, work) == 1
    assert len(set(sessions)) == 2


class BusyPool:
    """An engine whose first connection turns out to be lost; then no other comes free in time."""

    def __init__(self):
        lost = OperationalError("SELECT 1", {}, psycopg.OperationalError("closed"), connection_invalidated=True)
        self.errors = [lost, PoolTimeoutError("no connection came free")]

    def connect(self):
        raise self.errors.pop(0)


def test_a_pool_that_is_busy_after_a_lost_connection_is_unavailable_too():
    pool = BusyPool()
    with pytest.raises(StoreUnavailable, match="no free connection"):
        run_with_retry(pool, lambda connection: connection)
    assert pool.errors == []
