"""The targets, and whether a measurement meets them. Pure: the benchmarks' own modules measure."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from benchmarks.series import Series, number

Judged = Literal["ratio", "figure", "difference"]
Better = Literal["more", "less"]
MORE: Better = "more"
LESS: Better = "less"


@dataclass(frozen=True, slots=True)
class Bar:
    """A limit, of the ratio to the peer, of the product's own figure, or of the difference to the peer's."""

    of: Judged
    limit: float

    def text(self, *, more: bool, unit: str) -> str:
        """The limit in words."""
        word = "≥" if more else "≤"
        if self.of == "ratio":
            return f"{word} {self.limit:.2f} x"
        return f"{word} {'peer + ' if self.of == 'difference' else ''}{number(self.limit)} {unit}".rstrip()


@dataclass(frozen=True, slots=True)
class Bars:
    """What a measurement must (`least`) and should (`aim`) reach, and whether more or less is better."""

    better: Better
    least: Bar
    aim: Bar


@dataclass(frozen=True, slots=True)
class Target:
    """What is measured. Without bars it is only shown."""

    key: str
    what: str
    bars: Bars | None = None


def _bars(better: Better, of: Judged, least: float, aim: float) -> Bars:
    return Bars(better, Bar(of, least), Bar(of, aim))


_AT_LIMIT = _bars(MORE, "ratio", 0.97, 0.99)
_BESIDE_BARE = _bars(LESS, "ratio", 1.5, 1.2)
_OUTAGE = Bars(LESS, Bar("difference", 50), Bar("ratio", 1))

TARGETS = {
    target.key: target
    for target in (
        Target("P1", "accept throughput against FastAPI + SQLAlchemy async", _bars(MORE, "ratio", 3.5, 4.5)),
        Target("P2", "accept throughput against FastAPI + asyncpg", _bars(MORE, "ratio", 1.1, 1.5)),
        Target("P2b", "CPU of server and PostgreSQL per accept, peer P2's", _bars(LESS, "ratio", 0.8, 0.6)),
        Target("P3", "accept p99 at an equal rate, peer P1's", _bars(LESS, "ratio", 1, 0.5)),
        Target("P3b", "accept p99 at an equal rate, peer P2's", _bars(LESS, "ratio", 1, 0.5)),
        Target("P4", "accept p99 with Redis down", _OUTAGE),
        Target("P4b", "accept p99 with Redis frozen", _OUTAGE),
        Target("P5", "drain at the CRM's latency, 10 calls in flight, of what they allow", _AT_LIMIT),
        Target("P5c", "the same with 25 calls in flight", _AT_LIMIT),
        Target("P5b", "worker's CPU per delivered row", _BESIDE_BARE),
        Target("P6", "commit to CRM at low load, p50", _BESIDE_BARE),
        Target("P6b", "commit to CRM at low load, p99", _BESIDE_BARE),
        Target("P7", "claim and mark among 10,000,000 finished rows, WAL", _bars(LESS, "ratio", 1.1, 1)),
        Target("P7b", "the same, PostgreSQL's CPU", _bars(LESS, "ratio", 1.1, 1)),
        Target("P8", "CPU per lead, accept and deliver, PostgreSQL included", _BESIDE_BARE),
        Target("P9", "Lighthouse mobile, performance", _bars(MORE, "figure", 99, 100)),
        Target("P9b", "Lighthouse mobile, accessibility", _bars(MORE, "figure", 100, 100)),
        Target("P9c", "Lighthouse mobile, best practices", _bars(MORE, "figure", 100, 100)),
        Target("P9d", "Lighthouse mobile, SEO", _bars(MORE, "figure", 100, 100)),
        Target("P10", "largest contentful paint, simulated slow 4G", _bars(LESS, "figure", 1.8, 1.2)),
        Target("P10b", "total blocking time, simulated slow 4G", _bars(LESS, "figure", 50, 0)),
        Target("P10c", "cumulative layout shift", _bars(LESS, "figure", 0.01, 0)),
        Target("P10d", "slowest press until the next paint, slow phone", _bars(LESS, "figure", 100, 50)),
        Target("P11", "JavaScript of the first load, brotli", _bars(LESS, "figure", 80, 60)),
        Target("P11b", "CSS of the first load, brotli", _bars(LESS, "figure", 12, 10)),
        Target("P11c", "fonts of the first load", _bars(LESS, "figure", 42, 30)),
        Target("P11d", "script that answers the first press, brotli", _bars(LESS, "figure", 6, 5)),
        Target("P11e", "bytes until the largest paint, on a phone", _bars(LESS, "figure", 75, 65)),
        Target("P12", "pre-rendered page under load", _bars(MORE, "figure", 1500, 3000)),
        Target("P13", "accept throughput beside a drain, against alone", _bars(MORE, "ratio", 0.7, 0.9)),
        Target("P13b", "accept p99 beside a drain, against alone", _bars(LESS, "ratio", 2, 1.2)),
        Target("P14", "memory of the whole product, at rest", _bars(LESS, "figure", 450, 350)),
        Target("P14b", "the same, after 100,000 leads", _bars(LESS, "figure", 450, 350)),
        Target("P15", "accept p99 beside a backup", _bars(LESS, "ratio", 2, 1.2)),
        Target("P15b", "accept p99 beside an index that a migration builds", _bars(LESS, "ratio", 2, 1.2)),
        # Shown beside them, without bars.
        Target("S1", "accept p99 at half of its own saturation, peer P1's"),
        Target("S1b", "accept p99 at half of its own saturation, peer P2's"),
        Target("S2", "accept throughput, measured by autocannon and by our generator"),
        Target("S3", "accept throughput of two web processes against one"),
        Target("S4", "drain by two workers at 25 calls in flight, of what they allow"),
        Target("S4b", "drain of 10,000 rows at 10 calls in flight, of what they allow"),
        Target("S4c", "drain of 100 rows at 10 calls in flight, of what one call allows"),
        Target("S5b", "drain beside full accept load, against alone"),
        Target("S6", "leads that this machine could accept and deliver in a day"),
        Target("S9", "leads that one core could accept and deliver in a day, the whole product on it"),
        Target("S8", "drain of 20,000 rows to a CRM that answers at once"),
        Target("S7", "claim and mark, CPU among 1,000 finished rows"),
        Target("S7b", "claim and mark, CPU among 100,000 finished rows"),
        Target("S7c", "claim and mark, CPU among 1,000,000 finished rows"),
        Target("S7d", "claim and mark, CPU among 10,000,000 finished rows"),
    )
}
JUDGED = tuple(key for key, target in TARGETS.items() if target.bars)


@dataclass(frozen=True, slots=True)
class Finding:
    """A measured target: the product's figure of every round, the peer's of the same rounds, and notes on how.

    `peer` is "" if there is nothing to compare with.
    """

    target: Target
    ours: Series
    peer: str = ""
    theirs: Series | None = None
    notes: list[str] = field(default_factory=list)

    @property
    def ratio(self) -> Series | None:
        """Ours to theirs, round by round."""
        return None if self.theirs is None else self.ours.over(self.theirs)

    def value(self, of: Judged) -> float:
        """What is compared with a bar, as precise as it is shown."""
        if of == "figure":
            return self.ours.median
        if self.theirs is None:
            raise ValueError(f"{self.target.key} has no peer to be judged by")
        if of == "difference":
            return self.ours.beyond(self.theirs).median
        return round(self.ours.over(self.theirs).median, 2)

    @property
    def met(self) -> bool:
        """Whether the minimum is reached; True without one."""
        bars = self.target.bars
        return bars is None or self._meets(bars, bars.least)

    @property
    def aim_met(self) -> bool:
        """Whether the aim is reached, and with it the minimum."""
        bars = self.target.bars
        return bars is not None and self.met and self._meets(bars, bars.aim)

    @property
    def verdict(self) -> str:
        """Met or missed, and by how much."""
        bars = self.target.bars
        if bars is None:
            return "—"
        if not self.met:
            return f"MISSED by {self._short_of(bars.least)}"
        return "met, and the aim" if self.aim_met else f"met; the aim missed by {self._short_of(bars.aim)}"

    @property
    def bars(self) -> str:
        """Minimum and aim in words."""
        bars = self.target.bars
        if bars is None:
            return "—"
        more, unit = bars.better == MORE, self.ours.unit
        return f"{bars.least.text(more=more, unit=unit)} / {bars.aim.text(more=more, unit=unit)}"

    def _meets(self, bars: Bars, bar: Bar) -> bool:
        value = self.value(bar.of)
        return value >= bar.limit if bars.better == MORE else value <= bar.limit

    def _short_of(self, bar: Bar) -> str:
        gap = abs(self.value(bar.of) - bar.limit)
        if bar.of == "difference" or not bar.limit:
            return f"{number(gap)} {self.ours.unit}".rstrip()
        return f"{max(1, round(100 * gap / bar.limit))} %"
