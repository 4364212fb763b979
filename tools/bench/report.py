"""The findings: a line for each, on the screen and in the dated page of the documentation."""

import os
import platform
import re
import subprocess
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from typing import Literal

import psutil

Sign = Literal["≥", "≤"]


@dataclass(frozen=True)
class Finding:
    """The product's figure of every round, the peer's of the same rounds ("" if there is none), and the aim.

    `aim`: of the ratio where there is a peer, else of the figure; `sign`: from which side it is reached.
    """

    what: str
    ours: Sequence[float]
    unit: str
    aim: float
    sign: Sign = "≤"
    peer: str = ""
    theirs: Sequence[float] = ()
    of_figure: bool = False  # judge the figure although there is a peer

    def cells(self, run: str) -> tuple[str, ...]:
        """The line, in the order of the page's table."""
        ratio = median(a / b for a, b in zip(self.ours, self.theirs, strict=True)) if self.theirs else None
        value = median(self.ours) if ratio is None or self.of_figure else round(ratio, 2)
        unit = f" {self.unit}".rstrip()
        judged_in = unit if ratio is None or self.of_figure else " x"
        gap = abs(value - self.aim)
        missed = f"{100 * gap / self.aim:.0f} %" if self.aim else f"{number(gap)}{judged_in}"
        return (
            self.what,
            f"{number(median(self.ours))}{unit}",
            f"{self.peer}: {number(median(self.theirs))}{unit}" if self.theirs else "—",
            "—" if ratio is None else f"{ratio:.2f} x",
            f"{self.sign} {number(self.aim)}{judged_in}",
            "reached"
            if (value >= self.aim if self.sign == "≥" else value <= self.aim)
            else f"**missed by {missed}**",
            run,
        )


def number(value: float) -> str:
    """Three significant digits, thousands with a comma."""
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


def run_of(root: Path) -> str:
    """The machine, the day and the commit."""
    cpuinfo = Path("/proc/cpuinfo")
    names = re.findall(r"model name\s*: (.+)", cpuinfo.read_text()) if cpuinfo.exists() else []
    commit = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], cwd=root, capture_output=True, text=True, check=False
    )
    memory = psutil.virtual_memory().total / 2**30
    machine = f"{os.cpu_count()} cores ({names[0] if names else platform.machine()}), {memory:.0f} GiB"
    return f"{machine}, {datetime.now(UTC):%Y-%m-%d}, {commit.stdout.strip()}"


def page(findings: Iterable[Finding], run: str, before: str) -> str:
    """The page with these lines renewed; its words and its other lines stay."""
    head, rule, table = before.partition("|---|---|---|---|---|---|---|\n")
    new = [f"| {' | '.join(finding.cells(run))} |" for finding in findings]
    lines = {_key_of(line): line for line in [*table.splitlines(), *new]}
    return head + rule + "".join(f"{line}\n" for line in lines.values())


def _key_of(line: str) -> str:
    what, _, peer = (cell.strip() for cell in line.split("|")[1:4])
    return f"{what} {peer.rpartition(':')[0]}"
