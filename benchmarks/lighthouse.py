"""P9 and P10: Lighthouse on a simulated phone and slow 4G, for the home page and a landing page."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from benchmarks.bench import Bench
from benchmarks.node_tools import LIGHTHOUSE, chromium, node_command, run_node
from benchmarks.series import Series, number
from benchmarks.targets import MORE, TARGETS, Finding

PAGES = {"home": "/", "landing": "/dental-implants"}
OPTIONS = (
    "--quiet",
    "--no-enable-error-reporting",
    "--only-categories=performance,accessibility,best-practices,seo",
    "--output=json",
    "--output-path=stdout",
    "--chrome-flags=--headless --no-sandbox --disable-gpu",
)


@dataclass(frozen=True, slots=True)
class Part:
    """A figure of Lighthouse's report: a category's score, or an audit's value times `scale`."""

    place: str
    name: str
    unit: str = ""
    scale: float = 1.0


PARTS = {
    "P9": Part("categories", "performance", scale=100),
    "P9b": Part("categories", "accessibility", scale=100),
    "P9c": Part("categories", "best-practices", scale=100),
    "P9d": Part("categories", "seo", scale=100),
    "P10": Part("audits", "largest-contentful-paint", "s", 0.001),
    "P10b": Part("audits", "total-blocking-time", "ms"),
    "P10c": Part("audits", "cumulative-layout-shift"),
}


def measure_lighthouse(bench: Bench) -> list[Finding]:
    """Each page once a round; a figure is the worse page's."""
    site = bench.site(bench.product(bench.database()))
    browser = {"CHROME_PATH": chromium()}
    reports: dict[str, list[Mapping[str, float]]] = {page: [] for page in PAGES}
    for turn in range(bench.rounds):
        for page, path in PAGES.items():
            url = f"http://127.0.0.1:{site.ports[0]}{path}"
            command = [*node_command(str(LIGHTHOUSE)), url, *OPTIONS]
            reports[page].append(figures(json.loads(run_node(command, browser))))
        line = ", ".join(f"{page} {number(found[-1]['P9'])}" for page, found in reports.items())
        bench.say(f"round {turn + 1} of {bench.rounds}: performance {line}")
    return findings(reports)


def figures(report: Mapping[str, Any]) -> dict[str, float]:
    """What the targets need of one of Lighthouse's reports."""
    found = {}
    for key, part in PARTS.items():
        entry = report[part.place][part.name]
        value = entry["score"] if part.place == "categories" else entry["numericValue"]
        found[key] = round(part.scale * value, 4)
    return found


def findings(reports: Mapping[str, Sequence[Mapping[str, float]]]) -> list[Finding]:
    """A finding for each target: of the page whose median is worse, with the other page's in a note."""
    found = []
    for key, part in PARTS.items():
        series = {page: Series(tuple(run[key] for run in runs), part.unit) for page, runs in reports.items()}
        bars = TARGETS[key].bars
        ascending = sorted(reports, key=lambda name: series[name].median)
        page = ascending[0] if bars is not None and bars.better == MORE else ascending[-1]
        medians = ", ".join(f"{name} {number(each.median)}" for name, each in series.items())
        notes = [f"the worse page's ({page}); medians of {len(reports[page])} runs: {medians}"]
        found.append(Finding(TARGETS[key], series[page], notes=notes))
    return found
