"""`python -m proofs.drills`: run the drills, print the results, write the report."""

from __future__ import annotations

import argparse
import shutil
import signal
import sys
import tempfile
import time
from pathlib import Path

from proofs.drills.drill import Drill, choose
from proofs.drills.report import line, page, table, totals
from proofs.drills.run import DrillResult, run_drill
from proofs.drills.servers import Servers


def arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m proofs.drills",
        description="Shows the delivery properties with real processes. Default: the long set, up to an hour.",
    )
    parser.add_argument(
        "--short", action="store_true", help="the short set: takes minutes, with shorter lease, call and tick times"
    )
    parser.add_argument(
        "--only", nargs="+", metavar="N", help="run only these drills, by the names of --list (20, 20b)"
    )
    parser.add_argument("--seed", type=int, default=1, help="seed of every random choice (default: %(default)s)")
    parser.add_argument("--list", action="store_true", help="list the drills")
    parser.add_argument(
        "--report", type=Path, metavar="FILE", help="write each result into this Markdown page; its other rows stay"
    )
    return parser.parse_args()


def run_all(drills: list[Drill], options: argparse.Namespace, folder: Path) -> list[DrillResult]:
    """Run the drills one after the other, printing a line for each."""
    results = []
    with Servers(folder / "servers") as servers:
        for drill in drills:
            print(f"{drill.key:>4}  {drill.title} …", flush=True)
            result = run_drill(drill, servers, folder, seed=options.seed, short=options.short)
            print(line(result), flush=True)
            if result.failed:
                alone = f"python -m proofs.drills{' --short' if options.short else ''} --only {drill.key}"
                print(
                    f"      logs: {folder / f'drill-{drill.key}'}; alone: {alone} --seed {options.seed}", flush=True
                )
            results.append(result)
            if options.report and not result.skipped:  # after each drill: an interrupted run keeps its results
                before = options.report.read_text() if options.report.exists() else ""
                options.report.write_text(page([result], short=options.short, before=before))
    return results


def main() -> int:
    """Run the chosen drills; returns 1 if a property does not hold."""
    options = arguments()
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # SIGTERM too must end every child process
    signal.signal(signal.SIGINT, signal.default_int_handler)
    drills = choose(only=options.only, short=options.short)
    if options.list:
        for drill in drills:
            print(f"{drill.key:>4}  {drill.title}{'' if drill.short else '  (long set only)'}")
        print("  30  After every drill: the attempts log equals the CRM's ledger, to the row")
        return 0
    folder = Path(tempfile.mkdtemp(prefix="clinic-drills-"))
    print(f"{len(drills)} drills, seed {options.seed}", flush=True)
    started = time.monotonic()
    results = run_all(drills, options, folder)
    seconds = time.monotonic() - started
    print(f"\n{table(results)}\n\n{totals(results, seconds)}")
    if not any(result.failed for result in results):
        shutil.rmtree(folder, ignore_errors=True)
        return 0
    return 1


if __name__ == "__main__":
    sys.exit(main())
