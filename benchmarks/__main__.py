"""`python -m benchmarks`: measure, print the table, write the report."""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path

import psutil

from benchmarks.bench import Bench
from benchmarks.catalog import BENCHMARKS
from benchmarks.claim import MANY
from benchmarks.machine import machine
from benchmarks.programs import BenchmarkError, peers_python
from benchmarks.report import Run, explained, page, table, totals
from benchmarks.targets import Finding
from proofs.harness import cli as shared
from proofs.harness.case import pick

BUSY_PERCENT = 25
EXAMPLES = """\
examples:
  python -m benchmarks --report docs/benchmarks.md    everything, for the documentation, on a quiet machine
  python -m benchmarks --only accept P5               two of them
  python -m benchmarks --seconds 1 --rounds 1 --finished-rows 100000    whether all of them still work

The exit code is 1 if a target is missed, 2 if a benchmark could not be measured.
"""


def arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = shared.arguments(
        "benchmarks",
        "Measures the product and its peers on this machine, as ratios. Takes forty minutes and 20 GB"
        " of disk, for ten million finished rows. Run it while the machine does nothing else.",
        one="NAME",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--seconds", type=float, default=8, help="measured seconds per round (default: %(default)s)"
    )
    parser.add_argument("--rounds", type=int, default=5, help="rounds per side (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="seed of visitors and arrivals (default: %(default)s)")
    parser.add_argument(
        "--finished-rows",
        type=int,
        default=MANY,
        metavar="N",
        help="finished rows beside a claim, 1000 or more; fewer than the default need less disk and time, and the"
        " report says so (default: %(default)s)",
    )
    chosen = parser.parse_args()
    if chosen.finished_rows < 1000:
        parser.error("--finished-rows must be 1000 or more")
    return chosen


def run_all(options: argparse.Namespace, bench: Bench) -> tuple[list[Finding], list[str]]:
    """Run the chosen benchmarks, one after the other; returns the findings, and why others could not be made."""
    findings: list[Finding] = []
    problems: list[str] = []
    for benchmark in pick(BENCHMARKS, options.only):
        print(f"{benchmark.name}: {benchmark.title} …", flush=True)
        run = Run(datetime.now(UTC), options.seconds, options.rounds, options.seed, psutil.cpu_percent(interval=2))
        if run.busy > BUSY_PERCENT:
            print(f"    other work uses {run.busy:.0f} % of this machine: trust CPU times, not elapsed times")
        try:
            found = benchmark.measure(bench)
        except BenchmarkError as error:
            problems.append(f"{benchmark.name} could not be measured: {error}")
            print(f"    {error}", file=sys.stderr)
            continue
        finally:
            bench.clear()
        findings += found
        if options.report:  # after each one: an interrupted run keeps its results
            before = options.report.read_text() if options.report.exists() else ""
            options.report.write_text(page(found, run, machine(), before))
    return findings, problems


def main() -> int:
    """Run the chosen benchmarks; returns 1 if a target is missed, 2 if one could not be measured."""
    options = arguments()
    if options.list:
        for benchmark in pick(BENCHMARKS, options.only):
            print(f"{benchmark.name:>10}  {', '.join(benchmark.keys):34} {benchmark.title}")
        return 0
    pick(BENCHMARKS, options.only)
    shared.end_in_order()
    folder = Path(tempfile.mkdtemp(prefix="clinic-benchmarks-"))
    started = time.monotonic()
    try:
        peers_python()
        with Bench(folder, options.seconds, options.rounds, options.seed, options.finished_rows) as bench:
            findings, problems = run_all(options, bench)
    except BenchmarkError as error:
        print(error, file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("interrupted; all processes have been stopped", file=sys.stderr)
        return 130
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    if findings:
        print(f"\n{table(findings)}\n\n{explained(findings)}")
    print(f"\n{totals(findings, (time.monotonic() - started) / 60)}")
    print("\n".join(problems), file=sys.stderr)
    return 2 if problems else 0 if all(finding.met for finding in findings) else 1


if __name__ == "__main__":
    sys.exit(main())
