"""The picture of the last hour, day or week: rows stored, delivered and waiting, as SVG without scripts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from leads.outbox.flow import Flow

# The scale stands at the right end, where now is: narrow screens show that end.
WIDTH, HEIGHT, RIGHT, BOTTOM, TOP = 1200, 200, 44, 24, 12


@dataclass(frozen=True, slots=True)
class Span:
    """A time that a picture shows. unit: of its scale, with its seconds; every: so many steps have a label."""

    words: str
    steps: int
    step_seconds: float
    step_words: str
    every: int
    unit: str
    unit_seconds: float


# By hours.
SPANS = {
    "1": Span("the last hour", 60, 60.0, "by minutes", 10, "min", 60.0),
    "24": Span("the last day", 48, 1800.0, "by half hours", 8, "h", 3600.0),
    "168": Span("the last week", 84, 7200.0, "by two hours", 12, "d", 86_400.0),
}


def chart(flow: Sequence[Flow], span: Span) -> str:
    """Return the picture: two bars for each step of time, and a line of what waited."""
    highest = _round_up(max(1, *(max(step.arrived, step.delivered, step.waiting) for step in flow)))
    slot = (WIDTH - RIGHT) / len(flow)

    def y(count: int) -> float:
        return HEIGHT - BOTTOM - count / highest * (HEIGHT - BOTTOM - TOP)

    parts = [
        f'<line class="grid" x1="0" x2="{WIDTH - RIGHT}" y1="{y(tick):.1f}" y2="{y(tick):.1f}"/>'
        f'<text x="{WIDTH - RIGHT + 6}" y="{y(tick) + 4:.1f}">{tick}</text>'
        for tick in sorted({0, highest // 2, highest})
    ]
    points = []
    for index, step in enumerate(flow):
        x = index * slot
        for name, count, offset in (("arrived", step.arrived, 0.12), ("delivered", step.delivered, 0.5)):
            if count:
                top = y(count)
                parts.append(
                    f'<rect class="{name}" x="{x + offset * slot:.1f}" y="{top:.1f}" width="{slot * 0.36:.1f}"'
                    f' height="{HEIGHT - BOTTOM - top:.1f}"/>'
                )
        points.append(f"{x + slot / 2:.1f},{y(step.waiting):.1f}")
        if step.ago % span.every == 0:
            label = "now" if step.ago == 0 else f"-{step.ago * span.step_seconds / span.unit_seconds:g} {span.unit}"
            parts.append(f'<text x="{x + slot / 2:.1f}" y="{HEIGHT - 6}" text-anchor="middle">{label}</text>')
    parts.append(f'<polyline class="waiting" points="{" ".join(points)}"/>')
    totals = f"{sum(s.arrived for s in flow)} stored, {sum(s.delivered for s in flow)} delivered in {span.words}"
    return (
        f'<svg class="outbox-chart" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{totals}">'
        f"{''.join(parts)}</svg>"
    )


def _round_up(count: int) -> int:
    """The next of 2, 4, 10, 20, 40, 100 …, so that the scale has round figures."""
    size = 1
    while True:
        for step in (2, 4, 10):
            if count <= step * size:
                return step * size
        size *= 10
