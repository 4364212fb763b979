"""What the commands share at the terminal: safe text, and tables."""

import json
import re
import shutil
import sys
import textwrap
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, TextIO
from uuid import UUID

import click
from rich import box
from rich.console import Console
from rich.table import Table

from leads.call_times import CLINIC_ZONE
from leads.ids import short_id

MAX_WORD = 20
# How much of a call's id is enough to find it in the log.
CALL_ID_LENGTH = 8
# What strangers typed must not steer a terminal: all control characters but tab and line feed, and those that show
# text in another order than it is stored. Red, amber, and their end, are our own.
_CONTROLS = re.compile(
    "(?!\x1b\\[(?:31|33|0)m)[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]"
)
# Heads that are shorter than their columns' names; the other heads are the names.
_HEADS = {"destination": "to"}


def printable(text: str) -> str:
    """Return the text with control characters as JSON writes them: a JSON document stays the same document."""
    return _CONTROLS.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


class _Printable:
    """Standard output, or standard error, to which nothing is written but what is printable."""

    buffer = None  # click would write to it where the encoding is ASCII

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        encoding = self._stream.encoding or "utf-8"
        return self._stream.write(printable(text).encode(encoding, "backslashreplace").decode(encoding))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def protect_terminal() -> None:
    """Let this process print nothing else from now on, its error messages and tracebacks included."""
    sys.stdout, sys.stderr = _Printable(sys.stdout), _Printable(sys.stderr)


def show(rows: Sequence[Mapping[str, Any]], columns: Sequence[str], *, as_json: bool, empty: str) -> None:
    """Print these columns as a table that fits the terminal, or all columns as JSON; `empty` if there is no row."""
    if as_json:
        click.echo(json.dumps([dict(row) for row in rows], default=str, indent=2))
        return
    if not rows:
        click.echo(empty)
        return
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0), header_style="")
    cells = {column: [_cell(row.get(column)) for row in rows] for column in columns}
    for column, found in cells.items():
        # Columns of sentences and long words are wrapped first.
        is_short = all(" " not in cell and len(cell) <= MAX_WORD for cell in found)
        table.add_column(_HEADS.get(column, column.replace("_", " ")), overflow="fold", no_wrap=is_short)
    for line in zip(*cells.values(), strict=True):
        table.add_row(*line)
    Console(color_system=None, highlight=False, markup=False, emoji=False).print(table)


def say(text: str, *, label: str = "", color: str | None = None) -> None:
    """Print a sentence, wrapped; its further lines are below its beginning, behind the label."""
    width, indent = shutil.get_terminal_size().columns, " " * len(label)
    filled = textwrap.fill(text, width, initial_indent=label, subsequent_indent=indent, break_on_hyphens=False)
    click.echo(f"{label}{click.style(filled[len(label) :], fg=color)}" if color else filled)


def _cell(value: object) -> str:
    if value is None:
        return "-"
    if isinstance(value, datetime):
        return value.astimezone(CLINIC_ZONE).strftime("%Y-%m-%d %H:%M:%S")
    return short_id(value) if isinstance(value, UUID) else printable(" ".join(str(value).split()))
