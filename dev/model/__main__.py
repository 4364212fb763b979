"""`python -m dev.model`: check the models and every broken variant; print what each check found."""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from dev.model.checks import CHECKS, Check
from dev.model.spin import CheckFailed, Verdict, missing_tools, run_check

HEAD = ("| check | left out | states | depth | s | result |", "|---|---|---|---|---|---|")


def arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="python -m dev.model", description="Checks the models of delivery.")
    parser.add_argument("--only", nargs="+", metavar="NAME", help="run only these checks and print their stories")
    parser.add_argument("--list", action="store_true", help="list the checks")
    return parser.parse_args()


def choose(names: Sequence[str] | None) -> list[Check]:
    """The checks with these names, or all. Raises SystemExit for an unknown name."""
    unknown = set(names or ()) - {check.name for check in CHECKS}
    if unknown:
        raise SystemExit(f"no check is called {', '.join(sorted(unknown))}; see --list")
    return [check for check in CHECKS if names is None or check.name in names]


def run_all(checks: Sequence[Check], folder: Path, *, tell: bool) -> tuple[list[str], bool]:
    """Run the checks, printing a line for each; return the table's rows, and whether all found what they must."""
    rows, good = [], True
    for check in checks:
        print(f"{check.name:<14}", end="", flush=True)
        began = time.monotonic()
        try:
            verdict = run_check(check, folder / check.name)
        except CheckFailed as failure:
            print(f"FAILED\n{failure}")
            good = False
            continue
        seconds = time.monotonic() - began
        is_good = verdict.broken == check.breaks
        print(
            f"{'ok' if is_good else 'FAILED':<8}{seconds:5.1f} s  {verdict.states:>9,} states  {_result(verdict)}"
        )
        if verdict.broken and (tell or not is_good):
            print("".join(f"    {line}\n" for line in verdict.story), end="")
        if not is_good and check.breaks:
            print(f"    expected to break: {check.breaks}")
        good = good and is_good
        cells = (check.name, check.left_out, f"{verdict.states:,}", f"{verdict.depth:,}", f"{seconds:.1f}")
        rows.append(f"| {' | '.join((*cells, _result(verdict)))} |")
    return rows, good


def _result(verdict: Verdict) -> str:
    return f"breaks: {verdict.broken}" if verdict.broken else "every property holds"


def main() -> int:
    """Run the chosen checks; returns 1 if one does not find what it must."""
    options = arguments()
    checks = choose(options.only)
    if options.list:
        print("\n".join(f"{check.name:<14}{check.left_out}" for check in checks))
        return 0
    missing = missing_tools()
    if missing:
        print(f"The models were not checked: {missing}.", file=sys.stderr)
        return 1
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="clinic-model-") as folder:
        rows, good = run_all(checks, Path(folder), tell=options.only is not None)
    print("\n".join(["", *HEAD, *rows, "", f"{len(checks)} checks, {time.monotonic() - began:.0f} s"]))
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
