"""The benchmarks' few statistics. Pure and without dependencies, because the load generator uses them too."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from statistics import median


def percentile(ordered: Sequence[float], share: float) -> float:
    """The smallest value that `share` of the ordered values do not exceed; 0.0 if there are none."""
    if not ordered:
        return 0.0
    return ordered[max(0, ceil(share * len(ordered)) - 1)]


def number(value: float) -> str:
    """Three significant digits, thousands with a comma."""
    if value == 0:
        return "0"
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
        """The reported figure."""
        return median(self.values)

    def over(self, other: Series) -> Series:
        """This figure divided by the other, round by round: a slow minute affects both."""
        return Series(tuple(mine / theirs for mine, theirs in zip(self.values, other.values, strict=True)), "x")

    def beyond(self, other: Series) -> Series:
        """This figure minus the other, round by round."""
        pairs = zip(self.values, other.values, strict=True)
        return Series(tuple(mine - theirs for mine, theirs in pairs), self.unit)

    def __str__(self) -> str:
        """The median, and the range from minimum to maximum."""
        spread = f" ({number(min(self.values))} to {number(max(self.values))})" if len(self.values) > 1 else ""
        return f"{number(self.median)}{f' {self.unit}' if self.unit else ''}{spread}"
