"""`python -m tools.mutants`: try every mutant, print a line for each; fails when one is not killed."""

import os
import signal
import sys
import time
from argparse import ArgumentParser

from tools.mutants.run import MUTANTS, ROOT, NoSuchText, Verdict, try_all


def main() -> int:
    """Run the command."""
    parser = ArgumentParser(prog="python -m tools.mutants", description="One-line faults, each seen by a test.")
    parser.add_argument("--only", nargs="+", metavar="NAME", help="only these")
    parser.add_argument("--list", action="store_true", help="list them, and end")
    parser.add_argument("--jobs", type=int, default=min(2, os.cpu_count() or 1), help="how many at once")
    options = parser.parse_args()
    mutants = [mutant for mutant in MUTANTS if options.only is None or mutant.name in options.only]
    if unknown := set(options.only or ()) - {mutant.name for mutant in mutants}:
        parser.error(f"there is no {', '.join(sorted(unknown))}; see --list")
    if options.list:
        for mutant in mutants:
            print(f"{mutant.name:<28}{mutant.fault}\n{'':<28}{mutant.test}")
        return 0
    # Ends as Ctrl-C does, and takes PostgreSQL along.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    began, left = time.monotonic(), []
    try:
        for mutant in mutants:
            mutant.text(ROOT)
    except NoSuchText as error:
        raise SystemExit(str(error)) from None
    for result in try_all(mutants, min(options.jobs, len(mutants))):
        print(f"{result.verdict:<9}{result.seconds:5.1f} s  {result.mutant.name}: {result.detail}", flush=True)
        if result.verdict is not Verdict.KILLED:
            left.append(result.mutant)
    for mutant in left:
        print(f"NOT KILLED: {mutant.name}: {mutant.fault}")
    print(f"{len(mutants) - len(left)} of {len(mutants)} mutants killed, {time.monotonic() - began:.0f} s")
    return 1 if left else 0


if __name__ == "__main__":
    sys.exit(main())
