"""The findings: a table for the screen and a dated page for the documentation. Pure except `machine`."""

from __future__ import annotations

import os
import platform
from dataclasses import dataclass
from datetime import datetime  # noqa: TC003 - a field of a dataclass
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

import psutil

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dev.benchmarks.targets import Finding

HEADINGS = ("target", "measured", "product", "peer", "peer's", "ratio", "least / aim", "result")
VERSIONS = ("flask", "uvicorn", "celery", "sqlalchemy", "psycopg", "requests")
LOCK = Path(__file__).parents[2] / "requirements" / "benchmarks.lock"
PEERS = ("fastapi", "uvicorn", "uvloop", "asyncpg", "pydantic")
RULES = """\
Ratios, not records: the product and its peer run alternately on the same machine in the same minutes, in changing
order, on one PostgreSQL with default durability. Figures are medians of the rounds, with minimum and maximum; a
ratio is the median of the ratios of the rounds. The product is what the Procfile starts, with its default settings;
the load generator and the CRM stand-in are separate processes on the same cores, alike for both sides.

Each run states how much of the machine other work used. Above a quarter, read the CPU time in "how" first: elapsed
times then mean little, and ratios of throughput favour the side with more threads (the product)."""


@dataclass(frozen=True, slots=True)
class Run:
    """The parameters of a run. `busy`: percent of processor time used by other work just before."""

    at: datetime
    seconds: float
    rounds: int
    seed: int
    busy: float


def cells(finding: Finding) -> tuple[str, ...]:
    """A finding's row, in the order of HEADINGS."""
    ratio = finding.ratio
    return (
        finding.target.key,
        finding.target.what,
        str(finding.ours),
        finding.peer or "—",
        "—" if finding.theirs is None else str(finding.theirs),
        "—" if ratio is None else f"{ratio.median:.2f} x ({min(ratio.values):.2f} to {max(ratio.values):.2f})",
        finding.bars,
        finding.verdict,
    )


def table(findings: Sequence[Finding]) -> str:
    """All findings, the columns aligned."""
    rows = [HEADINGS, *(cells(finding) for finding in findings)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(HEADINGS))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows
    )


def explained(findings: Sequence[Finding]) -> str:
    """How each was measured, a line for each target."""
    return "\n".join(f"{finding.target.key:4} {'; '.join(finding.notes)}" for finding in findings)


def totals(findings: Sequence[Finding], minutes: float) -> str:
    """The last line."""
    met = sum(finding.met for finding in findings)
    aims = sum(finding.met and finding.meets(finding.target.aim) for finding in findings)
    return f"{met} of {len(findings)} targets met, {aims} aims; {minutes:.1f} minutes"


def page(findings: Sequence[Finding], run: Run, machine: str, before: str = "") -> str:
    """The dated Markdown page.

    Args:
        findings: the rows to write or to replace.
        run: how they were measured.
        machine: the line on the machine.
        before: an earlier page, whose other rows stay.
    """
    rows = {key: row for row in before.splitlines() if (key := _key(row))}
    rows |= {finding.target.key: _row(finding, run) for finding in findings}
    missed = sum("**MISSED" in row for row in rows.values())
    head = [
        "# Benchmarks",
        "",
        f"{run.at:%Y-%m-%d}, `python -m dev.benchmarks`: {len(rows) - missed} of {len(rows)} targets met.",
        machine,
        "",
        RULES,
        "",
        f"| {' | '.join(HEADINGS)} | how | run |",
        f"|{'---|' * (len(HEADINGS) + 2)}",
    ]
    return "\n".join([*head, *(rows[key] for key in sorted(rows, key=_place)), ""])


def machine() -> str:
    """Processor, memory, operating system and the versions that matter; nothing that names this machine."""
    system = f"{platform.system()} {platform.release().split('-')[0]}"
    memory = psutil.virtual_memory().total / 2**30
    hardware = f"{os.cpu_count()} cores ({_processor()}), {memory:.0f} GiB, {system}, load {os.getloadavg()[0]:.1f}"
    ours = ", ".join(f"{name} {version(name)}" for name in VERSIONS)
    theirs = ", ".join(f"{name} {_locked(name)}" for name in PEERS)
    return (
        f"Machine: {hardware} at the end; Python {platform.python_version()}, PostgreSQL 18, Valkey 9, {ours}; "
        f"peers: {theirs}."
    )


def _processor() -> str:
    """The processor's model (Linux), else the machine's architecture."""
    cpuinfo = Path("/proc/cpuinfo")
    lines = cpuinfo.read_text().splitlines() if cpuinfo.exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()


def _locked(name: str) -> str:
    lines = LOCK.read_text().splitlines()
    return next(line.partition("==")[2].split()[0] for line in lines if line.startswith(f"{name}=="))


def _row(finding: Finding, run: Run) -> str:
    *shown, verdict = cells(finding)
    bold = verdict if finding.met else f"**{verdict}**"
    how = "; ".join(finding.notes)
    ran = f"{run.at:%Y-%m-%d %H:%M} UTC, {run.rounds} rounds of {run.seconds:g} s, seed {run.seed}"
    ran += f", {run.busy:.0f} % of the machine busy otherwise"
    return f"| {' | '.join(cell.replace('|', '/') for cell in (*shown, bold, how, ran))} |"


def _key(row: str) -> str:
    """The target of a table row; "" for any other line."""
    first = row.split("|")[1].strip() if row.count("|") > len(HEADINGS) else ""
    return first if first[:1] == "P" and first[1:2].isdigit() else ""


def _place(key: str) -> tuple[int, str]:
    return int(key[1:].rstrip("abcdef")), key
