"""P3: how long a reply takes at an equal rate; and, without a minimum, at half of what each side can do."""

from __future__ import annotations

from collections.abc import Sequence

from benchmarks.accept import PEERS, median, rounds, sides
from benchmarks.bench import Bench
from benchmarks.load import Answered
from benchmarks.series import Series, number
from benchmarks.targets import TARGETS, Finding

RATE = 400.0  # enquiries a second
HALF = 0.5
PROBE_SECONDS = 4.0  # to find the saturation rate


def measure_equal_rate(bench: Bench) -> list[Finding]:
    """All sides at 400 enquiries a second, arriving at random."""
    answers = rounds(bench, sides(bench), lambda side: bench.post(side, rate=RATE), _shown)
    note = f"{RATE:g} enquiries a second at random moments"
    return _findings(("P3", "P3b"), answers, [note, note])


def measure_half_load(bench: Bench) -> list[Finding]:
    """Each side at half of its own maximum rate, requests arriving at random."""
    served = sides(bench)
    rates = {}
    for side in served:
        rates[side.name] = HALF * bench.post(side, seconds=PROBE_SECONDS).rate
        bench.say(f"half of saturation: {side.name} {number(rates[side.name])}/s")
    answers = rounds(bench, served, lambda side: bench.post(side, rate=rates[side.name]), _shown)
    ours, *theirs = (number(rates[side.name]) for side in served)
    notes = [f"at {ours}/s and {peer}/s, each half of its own" for peer in theirs]
    return _findings(("S1", "S1b"), answers, notes)


def _findings(keys: Sequence[str], answers: Sequence[Sequence[Answered]], notes: Sequence[str]) -> list[Finding]:
    ours, *peers = answers
    return [
        Finding(
            TARGETS[key],
            p99s(ours),
            name,
            p99s(theirs),
            [note, f"p50 ms {median(ours, 'p50')} to {median(theirs, 'p50')}"],
        )
        for key, name, theirs, note in zip(keys, PEERS, peers, notes, strict=True)
    ]


def p99s(answers: Sequence[Answered]) -> Series:
    """The 99th percentiles, by round."""
    return Series(tuple(answer.p99 for answer in answers), "ms")


def _shown(answer: Answered) -> str:
    return f"p99 {number(answer.p99)} ms"
