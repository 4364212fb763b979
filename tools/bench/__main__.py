"""`python -m tools.bench`: measure, print a line for each finding, write the report."""

import argparse
import signal
import sys
import tempfile
from pathlib import Path

import psutil

from tools.bench.bench import Bench, BenchmarkError
from tools.bench.measures import BENCHMARKS
from tools.bench.report import page, run_of
from tools.servers.server_process import ROOT

BUSY_PERCENT = 25


def main() -> int:
    """Run the chosen benchmarks; returns 1 if one of them could not be measured."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.bench", epilog="--seconds 1 --rounds 1 tells whether all of them still work."
    )
    parser.add_argument("--only", nargs="+", choices=BENCHMARKS, default=list(BENCHMARKS), metavar="NAME")
    parser.add_argument("--seconds", type=int, default=8, help="of a round (default: %(default)s)")
    parser.add_argument("--rounds", type=int, default=5, help="of each side (default: %(default)s)")
    parser.add_argument("--before", metavar="COMMIT", help="measure this version of the product, too")
    parser.add_argument("--report", type=Path, help="the page to renew, docs/benchmarks.md")
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # every child process is ended, too
    with tempfile.TemporaryDirectory(prefix="clinic-bench-") as folder:
        bench = Bench(Path(folder), options.seconds, options.rounds)
        try:
            bench.start(options.before)
            measured = [_measure(bench, name, options.report) for name in options.only]
        finally:
            bench.stop()
    return 0 if all(measured) else 1


def _measure(bench: Bench, name: str, report: Path | None) -> bool:
    print(f"{name}: {BENCHMARKS[name].__doc__}", flush=True)
    if (busy := psutil.cpu_percent(interval=2)) > BUSY_PERCENT:
        print(f"    other work uses {busy:.0f} % of this machine: trust processor times, not elapsed times")
    try:
        findings = BENCHMARKS[name](bench)
    except BenchmarkError as error:
        print(f"    {error}", file=sys.stderr)
        return False
    finally:
        bench.clear()
    run = run_of(ROOT)
    for finding in findings:
        print(f"    {' | '.join(finding.cells('')[:-1])}", flush=True)
    if report:  # after each: an interrupted run keeps its results
        report.write_text(page(findings, run, report.read_text()))
    return True


if __name__ == "__main__":
    sys.exit(main())
