"""P1 to P3: accepting enquiries, compared with two FastAPI applications that do the same work."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dev.benchmarks.series import Series, number
from dev.benchmarks.targets import TARGETS, Finding

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from dev.benchmarks.bench import Answered, Bench, Served

PEERS = {"P1": "FastAPI + SQLAlchemy", "P2": "FastAPI + asyncpg"}
HALF = 0.5
PROBE_SECONDS = 4.0  # to find the saturation rate


def sides(bench: Bench) -> list[Served]:
    """The site and its peers, each with its own database on the same server."""
    return [
        bench.site(bench.product(bench.database())),
        bench.peer(PEERS["P1"], "fastapi_sqlalchemy", bench.database()),
        bench.peer(PEERS["P2"], "fastapi_asyncpg", bench.database()),
    ]


def measure_throughput(bench: Bench) -> list[Finding]:
    """P1 and P2: at the full speed of 32 connections."""
    ours, *peers = rounds(bench, sides(bench), bench.post, _by_rate)
    return [
        Finding(
            TARGETS[key],
            _rates(ours),
            PEERS[key],
            _rates(theirs),
            [
                f"32 connections; CPU ms per request {_cpu(ours)} to {_cpu(theirs)}",
                f"p99 ms {_p99(ours)} to {_p99(theirs)}",
            ],
        )
        for key, theirs in zip(PEERS, peers, strict=True)
    ]


def measure_calm(bench: Bench) -> list[Finding]:
    """P3: each at half of its own maximum rate, requests arriving at random."""
    served = sides(bench)
    rates = {}
    for side in served:
        rates[side.name] = HALF * bench.post(side, seconds=PROBE_SECONDS).rate
        bench.say(f"half of saturation: {side.name} {number(rates[side.name])}/s")
    ours, *peers = rounds(bench, served, lambda side: bench.post(side, rate=rates[side.name]), _by_p99)
    return [
        Finding(
            TARGETS[key],
            Series(tuple(answer.p99 for answer in ours), "ms"),
            side.name,
            Series(tuple(answer.p99 for answer in theirs), "ms"),
            [
                f"at {number(rates[served[0].name])}/s and {number(rates[side.name])}/s, each half of its own",
                f"p50 ms {_p50(ours)} to {_p50(theirs)}",
            ],
        )
        for key, side, theirs in zip(("P3", "P3b"), served[1:], peers, strict=True)
    ]


def rounds(
    bench: Bench, served: Sequence[Served], load: Callable[[Served], Answered], shown: Callable[[Answered], str]
) -> list[list[Answered]]:
    """Load every side in every round, rotating the order by one each time.

    Args:
        bench: prints a line per round.
        served: the sides.
        load: loads one side for a round.
        shown: a result in words, for that line.

    Returns:
        The results by side, in the order of the rounds.
    """
    answers: list[list[Answered]] = [[] for _ in served]
    for turn in range(bench.rounds):
        bench.checkpoint()
        for step in range(len(served)):
            place = (turn + step) % len(served)
            answers[place].append(load(served[place]))
        line = ", ".join(f"{side.name} {shown(answers[place][-1])}" for place, side in enumerate(served))
        bench.say(f"round {turn + 1} of {bench.rounds}: {line}")
    return answers


def _by_rate(answer: Answered) -> str:
    return f"{number(answer.rate)}/s"


def _by_p99(answer: Answered) -> str:
    return f"p99 {number(answer.p99)} ms"


def _rates(answers: Sequence[Answered]) -> Series:
    return Series(tuple(answer.rate for answer in answers), "/s")


def _cpu(answers: Sequence[Answered]) -> str:
    return number(Series(tuple(answer.cpu for answer in answers)).median)


def _p50(answers: Sequence[Answered]) -> str:
    return number(Series(tuple(answer.p50 for answer in answers)).median)


def _p99(answers: Sequence[Answered]) -> str:
    return number(Series(tuple(answer.p99 for answer in answers)).median)
