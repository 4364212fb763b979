"""Pages of results: Markdown tables that keep the rows of earlier runs, and what is said of the machine."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from importlib.metadata import version

import psutil


def today() -> str:
    """The date of a page."""
    return f"{datetime.now(UTC):%Y-%m-%d}"


def row(cells: Iterable[str]) -> str:
    """One row of a table."""
    return f"| {' | '.join(cell.replace('|', '/') for cell in cells)} |"


def table(headings: Sequence[str], rows: Iterable[str], *, numbers: int = 0) -> list[str]:
    """A table of such rows. `numbers`: how many of the last columns are aligned to the right."""
    rules = ["---"] * (len(headings) - numbers) + ["---:"] * numbers
    return [row(headings), f"|{'|'.join(rules)}|", *rows]


def merged(before: str, new: Mapping[str, Sequence[str]], order: Iterable[str]) -> dict[str, str]:
    """The rows of an earlier page and the new ones in their place, by the key in the first cell.

    Args:
        before: the earlier page.
        new: cells by key.
        order: all keys that there are; rows of others are dropped.
    """
    rows = {line.split("|")[1].strip(" `"): line for line in before.splitlines() if line.startswith("| ")}
    rows |= {key: row(cells) for key, cells in new.items()}
    return {key: rows[key] for key in order if key in rows}


def machine(*packages: str) -> str:
    """The machine, Python, and the servers' and these packages' versions, in a line."""
    return f"Machine: {hardware()} at the end; Python {platform.python_version()}, {versions(*packages)}."


def hardware(processor: str = "") -> str:
    """Cores, memory, operating system and the load of this moment."""
    system = f"{platform.system()} {platform.release().split('-')[0]}"
    memory = psutil.virtual_memory().total / 2**30
    return f"{os.cpu_count()} cores{processor}, {memory:.0f} GiB, {system}, load {os.getloadavg()[0]:.1f}"


def versions(*packages: str) -> str:
    """The embedded servers, and the packages with their versions."""
    return ", ".join(["PostgreSQL 18", "Valkey 9", *(f"{name} {version(name)}" for name in packages)])
