"""P1 and P2: accepting enquiries at full speed, compared with two FastAPI applications that do the same work."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from benchmarks.bench import Bench
from benchmarks.equal_work import check_equal_work
from benchmarks.load import Answered, Served
from benchmarks.series import Series, number
from benchmarks.targets import TARGETS, Finding

PEERS = ("FastAPI + SQLAlchemy", "FastAPI + asyncpg")


def sides(bench: Bench) -> list[Served]:
    """The site and its peers, each with a database of its own, once it is sure that they do equal work."""
    served = [
        bench.site(bench.product(bench.database())),
        bench.peer(PEERS[0], "fastapi_sqlalchemy", bench.database()),
        bench.peer(PEERS[1], "fastapi_asyncpg", bench.database()),
    ]
    check_equal_work(served, bench.valkey.url)
    return served


def measure_throughput(bench: Bench) -> list[Finding]:
    """The full speed of 32 connections: rates, and what an accept costs the server and PostgreSQL."""
    ours, *peers = rounds(bench, sides(bench), bench.post, lambda answer: f"{number(answer.rate)}/s")
    findings = [
        Finding(
            TARGETS[key],
            rates(ours),
            name,
            rates(theirs),
            [
                f"32 connections; CPU ms per request {median(ours, 'cpu')} to {median(theirs, 'cpu')}",
                f"p99 ms {median(ours, 'p99')} to {median(theirs, 'p99')}",
            ],
        )
        for key, name, theirs in zip(("P1", "P2"), PEERS, peers, strict=True)
    ]
    costs = [Series(tuple(1000 * (each.cpu + each.stored) for each in side), "µs") for side in (ours, peers[1])]
    note = f"in the rounds of P2; PostgreSQL's part {median(ours, 'stored')} to {median(peers[1], 'stored')} ms"
    return [*findings, Finding(TARGETS["P2b"], costs[0], PEERS[1], costs[1], [note])]


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


def rates(answers: Sequence[Answered]) -> Series:
    """Requests per second, by round."""
    return Series(tuple(answer.rate for answer in answers), "/s")


def median(answers: Sequence[Answered], name: str) -> str:
    """The median of one of the results' figures, in words."""
    return number(Series(tuple(getattr(answer, name) for answer in answers)).median)
