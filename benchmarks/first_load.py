"""P11: what a page's first load weighs, as the build itself counts it (frontend/scripts/size.mjs)."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Mapping

from benchmarks.bench import Bench
from benchmarks.node_tools import NODE
from benchmarks.programs import BenchmarkError
from benchmarks.series import Series
from benchmarks.targets import TARGETS, Finding
from dev.servers.server_process import ROOT

SIZE = ROOT / "frontend" / "scripts" / "size.mjs"
PAGES = ("home", "landing")
KINDS = {"P11": "JavaScript", "P11b": "CSS", "P11c": "fonts", "P11d": "script", "P11e": "paint"}
_PART = re.compile(r"(\w+) ([\d.]+) of [\d.]+ kB")


def measure_first_load(_bench: Bench) -> list[Finding]:
    """The heavier of the home page and the landing page."""
    # Its exit code says whether the build's budgets are kept; here the sizes count.
    done = subprocess.run([str(NODE), str(SIZE)], capture_output=True, text=True, check=False)
    sizes = read_sizes(done.stdout)
    if not set(PAGES) <= set(sizes):
        raise BenchmarkError(f"no sizes of the pages: run `make build`\n{done.stderr[-1000:]}")
    return [
        Finding(
            TARGETS[key],
            Series((max(sizes[page][kind] for page in PAGES),), "kB"),
            notes=[", ".join(f"{page} {sizes[page][kind]:g} kB" for page in PAGES), "1 kB is 1000 bytes"],
        )
        for key, kind in KINDS.items()
    ]


def read_sizes(text: str) -> Mapping[str, Mapping[str, float]]:
    """The kilobytes of each page by kind, from what the build's script prints."""
    parts = {line.split(maxsplit=1)[0]: _PART.findall(line) for line in text.splitlines() if line.strip()}
    return {page: {kind: float(size) for kind, size in found} for page, found in parts.items() if found}
