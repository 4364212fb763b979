"""`python -m dev.benchmarks`: measure, print the table, write the report."""

from __future__ import annotations

import argparse
import shutil
import signal
import sys
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import psutil

from dev.benchmarks.bench import Bench
from dev.benchmarks.catalog import BENCHMARKS, choose
from dev.benchmarks.programs import BenchmarkError, peers_python
from dev.benchmarks.report import Run, explained, machine, page, table, totals

if TYPE_CHECKING:
    from dev.benchmarks.targets import Finding

BUSY_PERCENT = 25


def arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m dev.benchmarks",
        description="Measures the product and its peers on this machine, as ratios. Takes ten minutes.",
    )
    parser.add_argument(
        "--only", nargs="+", metavar="NAME", help="run only these, by the names of --list (accept, P5)"
    )
    parser.add_argument(
        "--seconds", type=float, default=8, help="measured seconds per round (default: %(default)s)"
    )
    parser.add_argument("--rounds", type=int, default=3, help="rounds per side (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="seed of visitors and arrivals (default: %(default)s)")
    parser.add_argument("--list", action="store_true", help="list the benchmarks")
    parser.add_argument(
        "--report", type=Path, metavar="FILE", help="write each result into this Markdown page; its other rows stay"
    )
    return parser.parse_args()


def run_all(options: argparse.Namespace, bench: Bench) -> list[Finding]:
    """Run the chosen benchmarks, one after the other."""
    findings: list[Finding] = []
    for benchmark in choose(options.only):
        print(f"{benchmark.name}: {benchmark.title} …", flush=True)
        run = Run(datetime.now(UTC), options.seconds, options.rounds, options.seed, psutil.cpu_percent(interval=2))
        if run.busy > BUSY_PERCENT:
            print(f"    other work uses {run.busy:.0f} % of this machine: trust CPU times, not elapsed times")
        try:
            found = benchmark.measure(bench)
        finally:
            bench.clear()
        findings += found
        if options.report:  # after each one: an interrupted run keeps its results
            before = options.report.read_text() if options.report.exists() else ""
            options.report.write_text(page(found, run, machine(), before))
    return findings


def main() -> int:
    """Run the chosen benchmarks; returns 1 if a target is missed, 2 if one could not be measured."""
    options = arguments()
    if options.list:
        for benchmark in BENCHMARKS:
            print(f"{benchmark.name:>10}  {', '.join(benchmark.keys):9} {benchmark.title}")
        return 0
    choose(options.only)
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # SIGTERM too must end every child process
    signal.signal(signal.SIGINT, signal.default_int_handler)
    folder = Path(tempfile.mkdtemp(prefix="clinic-benchmarks-"))
    started = time.monotonic()
    try:
        peers_python()
        with Bench(folder, options.seconds, options.rounds, options.seed) as bench:
            findings = run_all(options, bench)
    except BenchmarkError as error:
        print(error, file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("interrupted; all processes have been stopped", file=sys.stderr)
        return 130
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    print(f"\n{table(findings)}\n\n{explained(findings)}\n\n{totals(findings, (time.monotonic() - started) / 60)}")
    return 0 if all(finding.met for finding in findings) else 1


if __name__ == "__main__":
    sys.exit(main())
