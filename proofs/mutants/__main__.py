"""`python -m proofs.mutants`: try every mutant, print a line for each; fails when one is not killed."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Sequence

from proofs.harness.case import pick
from proofs.harness.cli import arguments, end_in_order
from proofs.mutants.mutant import MUTANTS, Mutant, NoSuchText
from proofs.mutants.run import ROOT, Result, TestsFail, Verdict, Workshop, workshop


def check_texts(mutants: Sequence[Mutant]) -> None:
    """Exit when a fault no longer fits the code."""
    for mutant in mutants:
        try:
            mutant.text(ROOT)
        except NoSuchText as error:
            raise SystemExit(str(error)) from None


def check_unmutated(shop: Workshop, tests: Sequence[str]) -> None:
    """Exit when a test fails on the unchanged code."""
    try:
        shop.check_unmutated(tests)
    except TestsFail as failed:
        raise SystemExit(f"{failed}\nA named test fails without any fault.") from None


def try_mutants(mutants: Sequence[Mutant], jobs: int) -> list[Result]:
    """Try them and print a line for each; exits when a named test fails on the unchanged code."""
    results = []
    with workshop(max(1, min(jobs, len(mutants)))) as shop:
        tests = [test for mutant in mutants for test in mutant.tests]
        print(f"{len(set(tests))} tests on the unchanged code …", flush=True)
        check_unmutated(shop, tests)
        for result in shop.try_all(mutants):
            print(f"{result.verdict:<9}{result.seconds:5.1f} s  {result.mutant.name}: {result.detail}", flush=True)
            results.append(result)
        # What breaks the machine meanwhile ends every test, and sees no mutant.
        if any(result.verdict is Verdict.BROKEN for result in results):
            check_unmutated(shop, tests)
    return results


def main() -> int:
    """Run the command."""
    parser = arguments(
        "proofs.mutants",
        "Puts one-line faults into copies of the code; for each, one named test must fail.",
        one="NAME",
    )
    parser.add_argument("--jobs", type=int, default=min(2, os.cpu_count() or 1), help="how many at once")
    options = parser.parse_args()
    mutants = pick(MUTANTS, options.only)
    if options.list:
        for mutant in mutants:
            print(f"{mutant.name:<24}{mutant.fault}\n{'':<24}{' '.join(mutant.tests)}")
        return 0
    check_texts(mutants)
    end_in_order()
    started = time.monotonic()
    results = try_mutants(mutants, options.jobs)
    seconds = time.monotonic() - started
    left = [result for result in results if result.verdict is not Verdict.KILLED]
    for result in left:
        print(f"NOT KILLED: {result.mutant.name} ({result.verdict}): {result.mutant.fault}\n  {result.detail}")
    print(f"{len(results) - len(left)} of {len(results)} mutants killed, {seconds:.0f} s")
    return 1 if left else 0


if __name__ == "__main__":
    sys.exit(main())
