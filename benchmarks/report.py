"""The findings: tables for the screen and a dated page for the documentation. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from benchmarks.targets import JUDGED, TARGETS, Finding
from proofs.harness import page as tables

HEADINGS = ("target", "measured", "product", "peer", "peer's", "ratio", "least / aim", "result")
RULES = """\
Ratios, not records: the product and its peer run alternately on the same machine in the same minutes, in changing
order, on one PostgreSQL with default durability. Figures are medians of the rounds, with minimum and maximum; a
ratio is the median of the ratios of the rounds. The product is what the Procfile starts, with its default settings.

Where the machine has two cores or more, the product's web process and each peer are pinned to the same one: none
of them can use more than one. PostgreSQL, the worker, the load generator and the CRM stand-in are not pinned,
alike for all sides. The peers of P1 to P3 write the columns that the product writes, with an idempotency key (a
repeat gets the first receipt), the digest of the request and the check for erased keys; they ring the same bell
and send the same security headers. The run asks each of them whether it does before it measures. With asyncpg
that is one statement, as in the product; a session of SQLAlchemy's ORM looks for the erased key with a query of
its own. Beyond them the product counts limits, reads the start token, gives each
request an id, counts metrics and writes a log line.

Each run states how much of the machine other work used. Above a quarter, read the CPU time in "how" first: elapsed
times then mean little, and ratios of throughput favour the side with more threads (the product)."""
SCALE = "## How it scales\n\nShown without a minimum, measured in the same runs."


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
    judged = [finding for finding in findings if finding.target.bars]
    met, aims = sum(finding.met for finding in judged), sum(finding.aim_met for finding in judged)
    return f"{met} of {len(judged)} targets met, {aims} aims; {minutes:.1f} minutes"


def page(findings: Sequence[Finding], run: Run, machine: str, before: str = "") -> str:
    """The dated Markdown page.

    Args:
        findings: the rows to write or to replace.
        run: how they were measured.
        machine: the line on the machine.
        before: an earlier page, whose other rows stay.
    """
    rows = tables.merged(before, {finding.target.key: _cells(finding, run) for finding in findings}, TARGETS)
    judged = {key: row for key, row in rows.items() if key.startswith("P")}
    met = sum("**MISSED" not in row for row in judged.values())
    missing = ", ".join(key for key in JUDGED if key not in judged)
    head = [
        "# Benchmarks",
        "",
        f"{run.at:%Y-%m-%d}, `python -m benchmarks`: {met} of {len(judged)} targets met."
        + (f" Not measured yet: {missing}." if missing else ""),
        machine,
        "",
        RULES,
        "",
        *_table(judged.values()),
    ]
    shown = {key: row for key, row in rows.items() if key not in judged}
    return "\n".join([*head, *(["", SCALE, "", *_table(shown.values())] if shown else []), ""])


def _table(rows: Iterable[str]) -> list[str]:
    return tables.table((*HEADINGS, "how", "run"), rows)


def _cells(finding: Finding, run: Run) -> tuple[str, ...]:
    *shown, verdict = cells(finding)
    bold = verdict if finding.met else f"**{verdict}**"
    how = "; ".join(finding.notes)
    ran = f"{run.at:%Y-%m-%d %H:%M} UTC, {run.rounds} rounds of {run.seconds:g} s, seed {run.seed}"
    ran += f", {run.busy:.0f} % of the machine busy otherwise"
    return (*shown, bold, how, ran)
