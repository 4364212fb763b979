"""Running cases one after the other, and writing down how each went."""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from proofs.harness.case import Broken, NotHere
from proofs.hostile.case import KINDS, Case
from proofs.hostile.target import Target

MARKS = "<!-- results -->", "<!-- end of the results -->"


@dataclass(frozen=True, slots=True)
class Result:
    """How a case went. `broken` is empty if the promise was kept; `was_run`: it was tried."""

    case: Case
    seconds: float
    measured: str
    broken: str = ""
    was_run: bool = True

    @property
    def line(self) -> str:
        """For the screen."""
        mark = "BROKEN" if self.broken else "kept  " if self.was_run else "NOT RUN"
        return f"{mark} {self.seconds:5.1f} s  {self.case.key:34} {self.broken or self.measured}"


def run_case(case: Case, target: Target) -> Result:
    """Run one case; afterwards the site must still run and be its old self."""
    begun = time.monotonic()
    measured, broken = "", ""
    try:
        measured = case.run(target)
    except NotHere as error:
        return Result(case, time.monotonic() - begun, str(error), was_run=False)
    except Broken as error:
        broken = str(error)
    except (OSError, RuntimeError, ValueError, AssertionError) as error:
        broken = f"the case itself broke: {type(error).__name__}: {error}"
    target.main.close()  # an attack may have cost it its connection
    if not target.main.process.alive():
        broken = f"the site died; {broken}"
    elif not broken and target.main.get("/healthz").status != 200:
        broken = "the site does not answer any more"
    return Result(case, time.monotonic() - begun, measured, broken)


def summary(results: Sequence[Result]) -> str:
    """How many promises were kept, of those that were tried."""
    tried = [result for result in results if result.was_run]
    kept = sum(not result.broken for result in tried)
    left = f", {len(results) - len(tried)} not run" if len(tried) < len(results) else ""
    return f"{kept} of {len(tried)} promises kept{left}"


def write_table(page: str, results: Sequence[Result]) -> str:
    """The page with these results between its marks; what stands around them stays."""
    before, _, rest = page.partition(MARKS[0])
    _, _, after = rest.partition(MARKS[1])
    lines = [
        f"{datetime.now(UTC):%Y-%m-%d}, `make hostile`: {summary(results)}.",
        f"{os.cpu_count()} cores, Python {platform.python_version()}, load {os.getloadavg()[0]:.1f} at the end.",
        "",
        "| case | promise | result |",
        "|---|---|---|",
    ]
    order = sorted(results, key=lambda result: KINDS.index(result.case.kind))
    for result in order:
        mark = "**broken**" if result.broken else "kept" if result.was_run else "**not run**"
        found = f"{mark}: {result.broken or result.measured}"
        lines.append(f"| `{result.case.key}` | {result.case.promise} | {found} |")
    return f"{before}{MARKS[0]}\n\n" + "\n".join(lines) + f"\n\n{MARKS[1]}{after}"
