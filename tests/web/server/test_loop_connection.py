"""Statements on the event loop's thread: the loop goes on, limits hold, and errors are those of any connection."""

import asyncio

import pytest
from sqlalchemy.exc import OperationalError
from sqlalchemy.util.concurrency import greenlet_spawn

from leads.db import StoreUnavailable, connect_engine, run_with_retry
from tests.support.database import change
from web.server.loop_connection import LoopConnection


@pytest.fixture
def loop_engine(database_url):
    engine = connect_engine(database_url, pool=1, name="loop", answer_seconds=1.0, connection=LoopConnection)
    yield engine
    engine.dispose()


def ask(engine, statement):
    with engine.connect() as connection:
        return connection.exec_driver_sql(statement).scalar()


def test_other_requests_run_while_a_statement_does(loop_engine):
    async def beside():
        asking = asyncio.create_task(greenlet_spawn(ask, loop_engine, "SELECT 'slow' FROM pg_sleep(0.4)"))
        turns = 0
        while not asking.done():
            await asyncio.sleep(0.01)
            turns += 1
        return asking.result(), turns

    answer, turns = asyncio.run(beside())
    assert answer == "slow"
    assert turns > 10


def test_a_server_that_does_not_answer_in_time_is_given_up_and_the_next_is_asked_anew(loop_engine):
    async def asked():
        with pytest.raises(OperationalError):
            await greenlet_spawn(ask, loop_engine, "SELECT pg_sleep(5)")
        return await greenlet_spawn(ask, loop_engine, "SELECT 7")

    assert asyncio.run(asked()) == 7


def test_a_session_that_was_ended_is_replaced_without_a_word(loop_engine, engine):
    async def asked():
        await greenlet_spawn(ask, loop_engine, "SELECT 1")
        end = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name ~ '^loop '"
        await asyncio.to_thread(change, engine, end)
        return await greenlet_spawn(run_with_retry, loop_engine, lambda c: c.exec_driver_sql("SELECT 2").scalar())

    assert asyncio.run(asked()) == 2


def test_a_server_that_is_not_there_is_no_reason_to_stop(loop_engine):
    nobody = connect_engine("postgresql+psycopg://x@127.0.0.1:1/x", pool=1, name="loop", connection=LoopConnection)

    async def asked():
        with pytest.raises(StoreUnavailable):
            await greenlet_spawn(run_with_retry, nobody, lambda _: None)
        return await greenlet_spawn(ask, loop_engine, "SELECT 3")

    assert asyncio.run(asked()) == 3


def test_a_pool_of_more_than_one_is_refused_before_every_request_hangs(database_url):
    with pytest.raises(AssertionError, match="a pool of one"):
        connect_engine(database_url, pool=8, name="loop", connection=LoopConnection)
