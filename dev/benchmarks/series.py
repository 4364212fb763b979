"""The few statistics that the benchmarks state. Pure, without a dependency: the load's process needs them too."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil
from statistics import median
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


def percentile(ordered: Sequence[float], share: float) -> float:
    """The smallest value that `share` of the ordered values do not exceed; 0.0 of nothing."""
    if not ordered:
        return 0.0
    return ordered[max(0, ceil(share * len(ordered)) - 1)]


def number(value: float) -> str:
    """Three figures that matter, thousands with a comma."""
    if abs(value) >= 1000:
        return f"{value:,.0f}"
    places = 0 if abs(value) >= 100 else 1 if abs(value) >= 10 else 2 if abs(value) >= 0.1 else 3
    return f"{value:.{places}f}"


@dataclass(frozen=True, slots=True)
class Series:
    """One figure of every round, in the rounds' order."""

    values: tuple[float, ...]
    unit: str = ""

    @property
    def median(self) -> float:
        """What is stated."""
        return median(self.values)

    def over(self, other: Series) -> Series:
        """Round by round this figure divided by the other: what shook the machine shook both."""
        return Series(tuple(mine / theirs for mine, theirs in zip(self.values, other.values, strict=True)), "x")

    def beyond(self, other: Series) -> Series:
        """Round by round this figure less the other."""
        pairs = zip(self.values, other.values, strict=True)
        return Series(tuple(mine - theirs for mine, theirs in pairs), self.unit)

    def __str__(self) -> str:
        """Median, and the spread from the least to the most."""
        spread = f" ({number(min(self.values))} to {number(max(self.values))})" if len(self.values) > 1 else ""
        return f"{number(self.median)}{f' {self.unit}' if self.unit else ''}{spread}"
