"""P10d: from a press to the next paint on a phone with a slow processor, for everything that can be pressed."""

from __future__ import annotations

import json
from collections.abc import Mapping

from benchmarks.bench import Bench
from benchmarks.lighthouse import PAGES
from benchmarks.node_tools import NODE, run_node
from benchmarks.programs import BenchmarkError
from benchmarks.series import Series
from benchmarks.targets import TARGETS, Finding
from dev.servers.server_process import ROOT

SCRIPT = ROOT / "frontend" / "scripts" / "presses.mjs"

Presses = Mapping[str, Mapping[str, float]]  # milliseconds by the name of what was pressed, by page


def measure_presses(bench: Bench) -> list[Finding]:
    """Each page once a round; a figure is the slowest press's."""
    site = bench.site(bench.product(bench.database()))
    command = [str(NODE), str(SCRIPT), *PAGES.values(), "--json"]
    rounds = []
    for turn in range(bench.rounds):
        found: Presses = json.loads(run_node(command, {"BASE_URL": f"http://127.0.0.1:{site.ports[0]}"}))
        rounds.append(slowest(found))
        bench.say(f"round {turn + 1} of {bench.rounds}: {rounds[-1][0]:g} ms, {rounds[-1][1]}")
    pressed = sum(map(len, found.values()))
    names = ", ".join(dict.fromkeys(name for _, name in rounds))
    series = Series(tuple(milliseconds for milliseconds, _ in rounds), "ms")
    notes = [f"{pressed} buttons of home and landing, a processor six times slower", f"the slowest: {names}"]
    return [Finding(TARGETS["P10d"], series, notes=notes)]


def slowest(found: Presses) -> tuple[float, str]:
    """The longest press, and what was pressed."""
    presses = [(milliseconds, name) for page in found.values() for name, milliseconds in page.items()]
    if not presses or not any(milliseconds for milliseconds, _ in presses):
        raise BenchmarkError("no press was measured")
    return max(presses)
