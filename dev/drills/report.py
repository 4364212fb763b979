"""The drills' results as a table for the screen and as a dated page for the documentation."""

from __future__ import annotations

import os
import platform
import re
from datetime import UTC, datetime
from importlib.metadata import version
from typing import TYPE_CHECKING

import psutil

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dev.drills.run import Verdict

SECONDS = re.compile(r"(\d+) s, seed \d+ \|$")  # of a row of the page
VERSIONS = ("celery", "kombu", "redis", "sqlalchemy", "psycopg", "granian", "flask", "requests")


def line(verdict: Verdict) -> str:
    """One finished drill on the screen."""
    mark = "holds " if verdict.holds else "FAILED"
    return f"{verdict.drill.key:>4}  {mark} {verdict.seconds:6.1f} s  {verdict.drill.title}"


def table(verdicts: Sequence[Verdict]) -> str:
    """Property, what was done, result, figures: a block each."""
    blocks = []
    for verdict in verdicts:
        lines = [line(verdict)]
        lines += [f"        {text}" for text in verdict.done]
        if verdict.figures:
            lines.append("        " + "; ".join(f"{name} {value}" for name, value in verdict.figures.items()))
        lines += [f"        ! {text}" for text in verdict.wrong]
        blocks.append("\n".join(lines))
    return "\n".join(blocks)


def totals(verdicts: Sequence[Verdict], seconds: float) -> str:
    """The last line."""
    held = sum(verdict.holds for verdict in verdicts)
    return f"{held} of {len(verdicts)} drills hold, {seconds / 60:.1f} minutes"


def page(verdicts: Sequence[Verdict], *, short: bool, before: str = "") -> str:
    """The dated page, Markdown; rows of an earlier page, `before`, stay where these verdicts say nothing new."""
    kind = "short set (time compressed)" if short else "long set (the product's own settings)"
    rows = {key: row for row in before.splitlines() if (key := _key(row))}
    rows |= {verdict.drill.key: _row(verdict) for verdict in verdicts}
    held = sum(" | holds | " in row for row in rows.values())
    minutes = sum(int(found[1]) for row in rows.values() if (found := SECONDS.search(row))) / 60
    head = [
        "# Delivery drills",
        "",
        f"{datetime.now(UTC):%Y-%m-%d}, `python -m dev.drills`, {kind}:",
        f"{held} of {len(rows)} drills hold, {minutes:.0f} minutes.",
        machine(),
        "",
        "Oracle: the CRM sandbox's own ledger. After every drill: at most one record for each event id, every",
        "accepted lead exactly one record with the right fields, sent rows never changed, no call before its",
        "time, calls in flight within the cap, leases ended in time, mints within the limit, and the attempts log",
        "equal to the ledger, to the row (property 30).",
        "",
        "| # | property | what was done | result | figures | run |",
        "|---|---|---|---|---|---|",
    ]
    return "\n".join([*head, *(rows[key] for key in sorted(rows, key=_place)), ""])


def _key(row: str) -> str:
    """The drill of a row of the table; "" for any other line."""
    first = row.split("|")[1].strip() if row.count("|") > 6 else ""
    return first if first[:1].isdigit() else ""


def _place(key: str) -> tuple[int, str]:
    return int(key.rstrip("abcdefgh")), key


def _row(verdict: Verdict) -> str:
    figures = "; ".join(f"{name} {value}" for name, value in verdict.figures.items())
    result = "holds" if verdict.holds else "**does not hold**: " + "; ".join(verdict.wrong)
    cells = [
        verdict.drill.key,
        verdict.drill.title,
        "; ".join(verdict.done),
        result,
        figures,
        f"{verdict.at:%Y-%m-%d %H:%M} UTC, {verdict.seconds:.0f} s, seed {verdict.seed}",
    ]
    return f"| {' | '.join(cell.replace('|', '/') for cell in cells)} |"


def machine() -> str:
    """Cores, memory, operating system and the versions that matter."""
    system = f"{platform.system()} {platform.release().split('-')[0]}"
    memory = psutil.virtual_memory().total / 2**30
    load = os.getloadavg()[0]
    parts = ", ".join(f"{name} {version(name)}" for name in VERSIONS)
    hardware = f"{os.cpu_count()} cores, {memory:.0f} GiB, {system}, load {load:.1f} at the end"
    return f"Machine: {hardware}; Python {platform.python_version()}, PostgreSQL 18, Valkey 9, {parts}."
