"""No session waits for ever; a lost one gives way to one that takes writes; one process does what is for one."""

import psycopg
import pytest
from sqlalchemy import text
from sqlalchemy.exc import OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

from leads.db import StoreUnavailable, exclusively, run_with_retry
from tests.support.database import change

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
    with engine.connect() as one, engine.connect() as other:
        ended = {one.connection.driver_connection, other.connection.driver_connection}
    with psycopg.connect(database_url, autocommit=True) as operator:
        operator.execute(
            "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity"
            " WHERE application_name ~ '^test ' AND datname = current_database()"
        )
    with engine.connect() as one, engine.connect() as other:
        assert not ended & {one.connection.driver_connection, other.connection.driver_connection}
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


def test_one_has_the_lock_of_a_name_until_its_end(engine):
    with exclusively(engine, "check") as first, exclusively(engine, "check") as second:
        assert (first, second) == (True, False)
        with exclusively(engine, "other") as other:
            assert other
    with exclusively(engine, "check") as again:
        assert again


def test_a_session_that_ends_frees_its_lock(engine):
    with exclusively(engine, "check"):
        change(engine, "SELECT pg_terminate_backend(pid, 10000) FROM pg_locks WHERE locktype = 'advisory'")
        with exclusively(engine, "check") as second:
            assert second
