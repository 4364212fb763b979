"""Statements of the driver: rows as dicts, SQLAlchemy's errors, and a lost connection takes its pool with it."""

from __future__ import annotations

import psycopg
import pytest
from sqlalchemy.exc import DataError, InternalError, OperationalError

from leads.db import fetch, run_with_retry
from tests.support.database import spy_on

COUNT_FAILURES = "UPDATE crm_gate SET failures = %(failures)s"
PID = "SELECT pg_backend_pid() AS pid"


def ask(engine, statement, **parameters):
    with engine.connect() as connection:
        return fetch(connection, statement, parameters)


def end_sessions(engine, url):
    """End the sessions of a pool of two, both idle."""
    with engine.connect(), engine.connect():
        pass
    with psycopg.connect(url, autocommit=True) as operator:
        operator.execute(
            "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity"
            " WHERE application_name ~ '^test ' AND datname = current_database()"
        )


def test_rows_have_the_names_of_their_columns(engine):
    rows = ask(engine, "SELECT n, %(text)s::text AS text FROM generate_series(1, 2) AS n", text="50 % :off")
    assert rows == [{"n": 1, "text": "50 % :off"}, {"n": 2, "text": "50 % :off"}]


def test_a_statement_without_rows_returns_none(engine):
    assert ask(engine, COUNT_FAILURES, failures=3) == []
    assert ask(engine, "SELECT failures FROM crm_gate") == [{"failures": 3}]


def test_it_is_part_of_the_transaction(engine):
    with engine.connect().execution_options(isolation_level="READ COMMITTED") as connection:
        with connection.begin() as transaction:
            fetch(connection, COUNT_FAILURES, {"failures": 3})
            transaction.rollback()
        with connection.begin():
            fetch(connection, COUNT_FAILURES, {"failures": 4})
    assert ask(engine, "SELECT failures FROM crm_gate") == [{"failures": 4}]


def test_an_error_is_sqlalchemys_without_values_and_the_connection_stays(engine):
    with engine.connect() as connection:
        (before,) = fetch(connection, PID, {})
        with pytest.raises(DataError) as failed:
            fetch(connection, "SELECT %(name)s::text::int", {"name": "Ada"})
        assert fetch(connection, PID, {}) == [before]
    assert not failed.value.connection_invalidated
    assert "Ada" not in str(failed.value).replace(str(failed.value.orig), "")


def test_after_a_lost_connection_no_other_of_its_pool_is_used(engine, database_url):
    end_sessions(engine, database_url)
    with pytest.raises(OperationalError) as failed:
        ask(engine, PID)
    assert failed.value.connection_invalidated
    with engine.connect() as first, engine.connect() as second:
        assert fetch(first, PID, {}) != fetch(second, PID, {})


def test_a_connection_in_use_when_its_pool_went_is_closed_at_its_return(engine):
    with engine.connect() as connection:
        driver = connection.connection.driver_connection
        engine.dispose()  # as another thread does, whose connection was lost
        assert fetch(connection, PID, {})
    assert driver.closed
    with engine.connect() as connection:
        kept = connection.connection.driver_connection
    assert not kept.closed


def test_a_lost_connection_is_replaced_without_a_word(engine, database_url):
    end_sessions(engine, database_url)
    assert run_with_retry(engine, lambda connection: fetch(connection, "SELECT 1 AS n", {})) == [{"n": 1}]


def test_a_connection_that_was_closed_here_is_lost_too(engine):
    with engine.connect() as connection:
        connection.connection.driver_connection.close()
        with pytest.raises(OperationalError) as failed:
            fetch(connection, PID, {})
    assert failed.value.connection_invalidated
    assert ask(engine, PID)


def test_a_connection_that_was_interrupted_is_not_used_again(engine):
    def interrupt(_cursor, statement, _parameters):
        if statement == "SELECT 'slow'":
            raise KeyboardInterrupt

    (before,) = ask(engine, PID)
    spy_on(engine, after=interrupt)
    with pytest.raises(KeyboardInterrupt):
        ask(engine, "SELECT 'slow'")
    assert ask(engine, PID) != [before]


def test_a_server_that_became_read_only_is_left(engine, database_url):
    name = database_url.rpartition("/")[2]
    with psycopg.connect(database_url, autocommit=True) as operator:
        operator.execute(f"ALTER DATABASE {name} SET default_transaction_read_only = on")
        with engine.connect(), engine.connect():
            pass
        operator.execute(f"ALTER DATABASE {name} RESET default_transaction_read_only")
    with pytest.raises(InternalError) as failed:
        ask(engine, COUNT_FAILURES, failures=1)
    assert failed.value.connection_invalidated
    assert [ask(engine, COUNT_FAILURES, failures=1) for _ in range(3)] == [[], [], []]
