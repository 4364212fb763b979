"""Client and server each notice that the other vanished, and no pool stays on a server that became read-only."""

from __future__ import annotations

import os
import socket

import psycopg
import pytest
from sqlalchemy import text
from sqlalchemy.exc import InternalError, OperationalError
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


def can_write(engine):
    try:
        change(engine, "UPDATE crm_gate SET failures = 0")
    except InternalError:
        return False
    return True


def test_the_pool_leaves_a_server_that_became_read_only(engine, database_url):
    """Sessions that stay read-only stand for a demoted primary; new sessions reach the new one."""
    name = database_url.rpartition("/")[2]
    with psycopg.connect(database_url, autocommit=True) as operator:
        operator.execute(f"ALTER DATABASE {name} SET default_transaction_read_only = on")
        with engine.connect(), engine.connect(), engine.connect():
            pass
        operator.execute(f"ALTER DATABASE {name} RESET default_transaction_read_only")
    assert [can_write(engine) for _ in range(4)] == [False, True, True, True]


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
