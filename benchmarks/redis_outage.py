"""P4: accepting while Redis is down or frozen, compared with Redis available. The worker runs too."""

from __future__ import annotations

from collections.abc import Callable

from benchmarks.bench import Bench
from benchmarks.load import Answered
from benchmarks.series import Series, number
from benchmarks.targets import TARGETS, Finding

RATE = 100.0  # enquiries a second: far more than a clinic gets, far less than the site can take


def measure_redis_outage(bench: Bench) -> list[Finding]:
    """The same arrivals in each state, in turn."""
    environment = bench.product(bench.database(), bench.crm())
    site = bench.site(environment)
    bench.workers(environment)
    answers: dict[str, list[Answered]] = {"up": [], "down": [], "frozen": []}
    for turn in range(bench.rounds):
        bench.checkpoint()
        for state in list(answers)[turn % 3 :] + list(answers)[: turn % 3]:
            restore = _enter(bench, state)
            try:
                answers[state].append(bench.post(site, rate=RATE))
            finally:
                restore()
        line = ", ".join(f"{state} p99 {number(found[-1].p99)} ms" for state, found in answers.items())
        bench.say(f"round {turn + 1} of {bench.rounds}: {line}")
    series = {state: Series(tuple(answer.p99 for answer in found), "ms") for state, found in answers.items()}
    note = f"{RATE:g} enquiries a second at random moments, the worker delivering"
    return [
        Finding(TARGETS[key], series[state], "Redis available", series["up"], [note])
        for key, state in (("P4", "down"), ("P4b", "frozen"))
    ]


def _enter(bench: Bench, state: str) -> Callable[[], None]:
    """Bring Redis into the state; returns the function that restores it."""
    if state == "down":
        bench.valkey.stop()
        return bench.valkey.start
    if state == "frozen":
        bench.valkey.freeze()
        return bench.valkey.thaw
    return lambda: None
