"""The drills' results: a table for the screen and a dated page for the documentation."""

from __future__ import annotations

import os
import platform
import re
from collections.abc import Sequence
from datetime import UTC, datetime
from importlib.metadata import version

import psutil

from proofs.drills.run import DrillResult

SECONDS = re.compile(r"(\d+) s, seed \d+ \|$")  # of a row of the page
VERSIONS = ("celery", "kombu", "redis", "sqlalchemy", "psycopg", "uvicorn", "flask", "urllib3")


def line(result: DrillResult) -> str:
    """The line of a finished drill."""
    if result.skipped:
        return f"{result.drill.key:>4}  not run: {result.skipped}  {result.drill.title}"
    mark = "holds " if result.holds else "FAILED"
    return f"{result.drill.key:>4}  {mark} {result.seconds:6.1f} s  {result.drill.title}"


def table(results: Sequence[DrillResult]) -> str:
    """A block for each drill: property, what was done, result, figures."""
    blocks = []
    for result in results:
        lines = [line(result)]
        lines += [f"        {text}" for text in result.done]
        if result.figures:
            lines.append("        " + "; ".join(f"{name} {value}" for name, value in result.figures.items()))
        lines += [f"        ! {text}" for text in result.wrong]
        blocks.append("\n".join(lines))
    return "\n".join(blocks)


def totals(results: Sequence[DrillResult], seconds: float) -> str:
    """The last line."""
    held = sum(result.holds for result in results)
    skipped = sum(bool(result.skipped) for result in results)
    not_run = f", {skipped} not run" if skipped else ""
    return f"{held} of {len(results)} drills hold{not_run}, {seconds / 60:.1f} minutes"


def page(results: Sequence[DrillResult], *, short: bool, before: str = "") -> str:
    """The dated Markdown page; rows of an earlier page, `before`, stay unless these results replace them."""
    kind = "short set (time compressed)" if short else "long set (the product's own settings)"
    rows = {key: row for row in before.splitlines() if (key := _key(row))}
    rows |= {result.drill.key: _row(result) for result in results}
    held = sum(" | holds | " in row for row in rows.values())
    minutes = sum(int(found[1]) for row in rows.values() if (found := SECONDS.search(row))) / 60
    head = [
        "# Delivery drills",
        "",
        f"{datetime.now(UTC):%Y-%m-%d}, `python -m proofs.drills`, {kind}:",
        f"{held} of {len(rows)} drills hold, {minutes:.0f} minutes.",
        machine(),
        "",
        "Oracle: the CRM sandbox's own ledger. After every drill: at most one record for each event id, every",
        "accepted lead exactly one record with the right fields, sent rows never changed, no call before its",
        "time, calls in flight within the cap, leases ended in time, mints within the limit, the attempts log",
        "equal to the ledger, to the row (property 30), and each row's attempts a path of the table (property 41).",
        "",
        "| # | property | what was done | result | figures | run |",
        "|---|---|---|---|---|---|",
    ]
    return "\n".join([*head, *(rows[key] for key in sorted(rows, key=_place)), ""])


def _key(row: str) -> str:
    """The drill of a table row; "" for any other line."""
    first = row.split("|")[1].strip() if row.count("|") > 6 else ""
    return first if first[:1].isdigit() else ""


def _place(key: str) -> tuple[int, str]:
    return int(key.rstrip("abcdefgh")), key


def _row(result: DrillResult) -> str:
    figures = "; ".join(f"{name} {value}" for name, value in result.figures.items())
    outcome = "holds" if result.holds else "**does not hold**: " + "; ".join(result.wrong)
    cells = [
        result.drill.key,
        result.drill.title,
        "; ".join(result.done),
        outcome,
        figures,
        f"{result.at:%Y-%m-%d %H:%M} UTC, {result.seconds:.0f} s, seed {result.seed}",
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
