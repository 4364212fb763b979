"""What the commands share at the terminal: tables, durations, and Ctrl-C between two steps."""

from __future__ import annotations

import json
import signal
import threading
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from types import FrameType


MAX_CELL_LENGTH = 100


def show(rows: Sequence[Mapping[str, Any]], columns: Sequence[str], *, as_json: bool, empty: str) -> None:
    """Print rows as an aligned table, or as JSON.

    Args:
        rows: the rows.
        columns: the columns of the table; JSON has all of them.
        as_json: whether to print JSON.
        empty: printed instead of a table without rows.
    """
    if as_json:
        click.echo(json.dumps([dict(row) for row in rows], default=str, indent=2))
        return
    if not rows:
        click.echo(empty)
        return
    cells = [[_cell(row.get(column)) for column in columns] for row in rows]
    heads = [column.replace("_", " ") for column in columns]
    widths = [max(len(line[index]) for line in [heads, *cells]) for index in range(len(columns))]
    for line in [heads, ["─" * width for width in widths], *cells]:
        click.echo("  ".join(text.ljust(width) for text, width in zip(line, widths, strict=True)).rstrip())


def age(seconds: float | None) -> str:
    """Seconds as text: 42 s, 5 min, 3.5 h, 2.1 days."""
    if seconds is None:
        return "-"
    for limit, unit, size in ((120, "s", 1), (7200, "min", 60), (172_800, "h", 3600)):
        if seconds < limit:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds / 86_400:.3g} days"


def clock(at: datetime | None) -> str:
    """A time of today as 14:30:05, another with its day; UTC."""
    if at is None:
        return "-"
    at = at.astimezone(UTC)
    return f"{at:%H:%M:%S}" if at.date() == datetime.now(UTC).date() else f"{at:%d %b %H:%M}"


def _cell(value: object) -> str:
    if value is None:
        return "-"
    if hasattr(value, "strftime"):
        return str(value.strftime("%Y-%m-%d %H:%M:%S"))
    text = " ".join(str(value).split())
    return text if len(text) <= MAX_CELL_LENGTH else f"{text[: MAX_CELL_LENGTH - 1]}…"


@contextmanager
def stop_on_ctrl_c() -> Iterator[threading.Event]:
    """An event that Ctrl-C sets, to be checked between two steps; pressed again, Ctrl-C interrupts at once.

    A plain `KeyboardInterrupt` can be lost: Python drops exceptions raised while it finalises an object.
    """
    pressed = threading.Event()

    def press(_number: int, _frame: FrameType | None) -> None:
        if pressed.is_set():
            raise KeyboardInterrupt
        pressed.set()

    before = signal.signal(signal.SIGINT, press)
    try:
        yield pressed
    finally:
        signal.signal(signal.SIGINT, before)
