"""`python -m proofs.mutants`: try every mutant, print a table, write the report; fails when one is not killed."""

from __future__ import annotations

import argparse
import os
import signal
import sys
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from proofs.mutants.catalogue import MUTANTS, table
from proofs.mutants.mutant import Mutant, NoSuchText
from proofs.mutants.run import ROOT, Result, TestsFail, Verdict, workshop


def arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m proofs.mutants",
        description="Puts one-line faults into copies of the code; for each, one named test must fail.",
    )
    parser.add_argument("--only", nargs="+", metavar="NAME", help="try only these mutants, by the names of --list")
    parser.add_argument("--jobs", type=int, default=min(2, os.cpu_count() or 1), help="how many at once")
    parser.add_argument("--list", action="store_true", help="list the mutants")
    parser.add_argument("--report", type=Path, metavar="FILE", help="write the result into this Markdown page")
    return parser.parse_args()


def chosen(names: Sequence[str] | None) -> Sequence[Mutant]:
    """The mutants with these names, or all; exits when a name is unknown."""
    unknown = set(names or ()) - {mutant.name for mutant in MUTANTS}
    if unknown:
        raise SystemExit(f"no mutant is called {', '.join(sorted(unknown))}; see --list")
    return [mutant for mutant in MUTANTS if not names or mutant.name in names]


def check_texts(mutants: Sequence[Mutant]) -> None:
    """Exit when a fault no longer fits the code."""
    for mutant in mutants:
        try:
            mutant.text(ROOT)
        except NoSuchText as error:
            raise SystemExit(str(error)) from None


def try_mutants(mutants: Sequence[Mutant], jobs: int) -> list[Result]:
    """Try them and print a line for each; exits when a named test fails on the unchanged code."""
    results = []
    with workshop(max(1, min(jobs, len(mutants)))) as shop:
        tests = [mutant.test for mutant in mutants]
        print(f"{len(set(tests))} tests on the unchanged code …", flush=True)
        try:
            shop.check_unmutated(tests)
        except TestsFail as failed:
            raise SystemExit(f"{failed}\nA named test fails without any fault.") from None
        for result in shop.try_all(mutants):
            print(f"{result.verdict:<9}{result.seconds:5.1f} s  {result.mutant.name}: {result.detail}", flush=True)
            results.append(result)
    return results


def page(results: Sequence[Result], seconds: float) -> str:
    """The Markdown page."""
    killed = sum(result.verdict is Verdict.KILLED for result in results)
    return f"""# Mutants

Each mutant is a fault of one line in the delivery. `make mutants` puts it into a copy of the code and runs one
named test, which must fail by an assertion. A fault that no test finds is a hole in the tests.

{datetime.now(UTC):%Y-%m-%d}, `make mutants`: {killed} of {len(results)} killed, in {seconds / 60:.1f} minutes.

{table()}
"""


def main() -> int:
    """Run the command."""
    options = arguments()
    mutants = chosen(options.only)
    if options.list:
        for mutant in mutants:
            print(f"{mutant.name:<24}{mutant.fault}\n{'':<24}{mutant.test}")
        return 0
    check_texts(mutants)
    if options.report and options.only:
        raise SystemExit("a report is about all mutants: leave out --only")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that servers and copies are cleaned up
    started = time.monotonic()
    results = try_mutants(mutants, options.jobs)
    seconds = time.monotonic() - started
    if options.report:
        options.report.write_text(page(results, seconds))
    left = [result for result in results if result.verdict is not Verdict.KILLED]
    for result in left:
        print(f"NOT KILLED: {result.mutant.name} ({result.verdict}): {result.mutant.test}\n  {result.detail}")
    print(f"{len(results) - len(left)} of {len(results)} mutants killed, {seconds:.0f} s")
    return 1 if left else 0


if __name__ == "__main__":
    sys.exit(main())
