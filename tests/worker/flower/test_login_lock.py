"""The lock of Flower's login: for whom, for how long, and what ends it."""

from __future__ import annotations

from worker.flower import security
from worker.flower.security import FREE_FAILURES, LOCK_SECONDS, MAX_LOCK_SECONDS, LoginLock


class Clock:
    now = 1000.0

    def __call__(self):
        return self.now


def locked_out(clock, failures=FREE_FAILURES):
    lock = LoginLock(clock)
    for number in range(failures):
        lock.fail("a", f"guess {number}")
    return lock


def test_each_failure_after_the_first_few_locks_for_twice_as_long_up_to_an_hour():
    clock = Clock()
    lock = locked_out(clock, FREE_FAILURES - 1)
    assert lock.seconds_left("a") == 0
    waits = []
    for number in range(9):
        lock.fail("a", f"later guess {number}")
        waits.append(lock.seconds_left("a"))
        clock.now += waits[-1]
        assert lock.seconds_left("a") == 0
    assert waits == [LOCK_SECONDS * 2**times for times in range(6)] + [MAX_LOCK_SECONDS] * 3


def test_nobody_else_is_locked():
    assert locked_out(Clock()).seconds_left("b") == 0


def test_an_open_page_that_repeats_an_old_password_is_no_guess():
    lock = LoginLock(Clock())
    for _ in range(100):
        lock.fail("a", "the old one")
    assert lock.seconds_left("a") == 0


def test_a_login_that_succeeds_is_forgiven():
    lock = locked_out(Clock(), FREE_FAILURES - 1)
    lock.succeed("a")
    lock.fail("a", "mistyped")
    assert lock.seconds_left("a") == 0


def test_guesses_from_everywhere_take_no_more_memory_than_they_may(monkeypatch):
    monkeypatch.setattr(security, "MAX_NETWORKS", 3)
    lock = locked_out(Clock())
    for network in "bcd":
        lock.fail(network, "a guess")
    assert (len(lock._networks), lock.seconds_left("a")) == (3, 0)
