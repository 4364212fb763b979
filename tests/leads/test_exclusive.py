"""One process among all does some work at a time, and one that dies leaves it to the next."""

from __future__ import annotations

from leads.exclusive import exclusively
from tests.support.database import change


def test_one_has_the_lock_of_a_name_until_its_end(engine):
    with exclusively(engine, "check") as first, exclusively(engine, "check") as second:
        assert (first, second) == (True, False)
        with exclusively(engine, "other") as other:
            assert other
    with exclusively(engine, "check") as again:
        assert again


def test_a_session_that_ends_frees_its_lock(engine):
    with exclusively(engine, "check"):
        change(engine, "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory'")
        with exclusively(engine, "check") as second:
            assert second
