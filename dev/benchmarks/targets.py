"""The targets, and whether a measurement meets them. Pure: the benchmarks' own modules measure."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from dev.benchmarks.series import number

if TYPE_CHECKING:
    from dev.benchmarks.series import Series

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
        return f"{word} {'peer + ' if self.of == 'difference' else ''}{number(self.limit)} {unit}"


@dataclass(frozen=True, slots=True)
class Target:
    """What is measured, whether more or less is better, and what it must (`least`) and should (`aim`) reach."""

    key: str
    what: str
    better: Better
    least: Bar
    aim: Bar


TARGETS = {
    target.key: target
    for target in (
        Target(
            "P1", "accept throughput against FastAPI + SQLAlchemy async", MORE, Bar("ratio", 1.2), Bar("ratio", 2)
        ),
        Target("P2", "accept throughput against FastAPI + asyncpg", MORE, Bar("ratio", 0.75), Bar("ratio", 1)),
        Target("P3", "accept p99 at half of saturation, peer P1's", LESS, Bar("ratio", 1), Bar("figure", 10)),
        Target("P3b", "accept p99 at half of saturation, peer P2's", LESS, Bar("ratio", 1), Bar("figure", 10)),
        Target("P4", "accept p99 with Redis down", LESS, Bar("difference", 50), Bar("ratio", 1)),
        Target("P4b", "accept p99 with Redis frozen", LESS, Bar("difference", 50), Bar("ratio", 1)),
        Target(
            "P5", "drain of 20,000 rows against ready-made batches", MORE, Bar("ratio", 0.8), Bar("ratio", 0.95)
        ),
        Target("P6", "commit to CRM at low load, p50", LESS, Bar("figure", 20), Bar("figure", 8)),
        Target("P6b", "commit to CRM at low load, p99", LESS, Bar("figure", 80), Bar("figure", 20)),
        Target("P7", "claim a row among 1,000,000 finished ones", LESS, Bar("ratio", 1.2), Bar("ratio", 1)),
        Target("P8", "CPU per lead, accept and deliver together", LESS, Bar("figure", 1.2), Bar("figure", 0.8)),
        Target("P12", "pre-rendered page under load", MORE, Bar("figure", 1500), Bar("figure", 3000)),
    )
}


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

    def meets(self, bar: Bar) -> bool:
        """Whether the bar is reached."""
        value = self.value(bar.of)
        return value >= bar.limit if self.target.better == MORE else value <= bar.limit

    @property
    def met(self) -> bool:
        """Whether the minimum is reached."""
        return self.meets(self.target.least)

    @property
    def verdict(self) -> str:
        """Met or missed, and by how much."""
        if not self.met:
            return f"MISSED by {self._short_of(self.target.least)}"
        if self.meets(self.target.aim):
            return "met, and the aim"
        return f"met; the aim missed by {self._short_of(self.target.aim)}"

    @property
    def bars(self) -> str:
        """Minimum and aim in words."""
        more, unit = self.target.better == MORE, self.ours.unit
        least = self.target.least.text(more=more, unit=unit)
        return f"{least} / {self.target.aim.text(more=more, unit=unit)}"

    def _short_of(self, bar: Bar) -> str:
        gap = abs(self.value(bar.of) - bar.limit)
        if bar.of == "difference":
            return f"{number(gap)} {self.ours.unit}"
        return f"{max(1, round(100 * gap / bar.limit))} %"
