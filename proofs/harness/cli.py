"""The command line of an instrument: its options, the run of its cases, and an orderly end."""

from __future__ import annotations

import shutil
import signal
import tempfile
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from pathlib import Path

from proofs.harness.case import Case, Cases, Result

Prove = Callable[[Case], Result]


def arguments(module: str, about: str | None, *, one: str, **more: object) -> ArgumentParser:
    """A parser with the options that every instrument has; `one`: what --only chooses."""
    parser = ArgumentParser(prog=f"python -m {module}", description=about, **more)  # type: ignore[arg-type]
    parser.add_argument(
        "--only", nargs="+", default=[], metavar=one, help="only these, by the names or groups of --list"
    )
    parser.add_argument("--list", action="store_true", help="list what there is, and end")
    parser.set_defaults(command=parser.prog, short=False, seed=None)
    return parser


def end_in_order() -> None:
    """Let SIGTERM end this process as Ctrl-C does, so that every child process is ended too."""
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, signal.default_int_handler)


def run_cases(
    options: Namespace,
    cases: Sequence[Case],
    opened: Callable[[Namespace, Path], AbstractContextManager[Prove]],
) -> int:
    """Run the cases one after the other; returns 1 if one of them fails.

    Args:
        options: the command line.
        cases: the chosen ones.
        opened: starts what all of them share, given a folder for logs, and returns what runs a case.
    """
    end_in_order()
    folder = Path(tempfile.mkdtemp(prefix="clinic-proofs-"))
    results: list[Result] = []
    began = time.monotonic()
    try:
        with opened(options, folder) as prove:
            for case in cases:
                print(f"{case.key:>4}  {case.promise} …", flush=True)
                results.append(prove(case))
                print(results[-1].text, flush=True)
    finally:
        if failed := [result.case.key for result in results if result.failed]:
            print(f"logs: {folder}; again: {again(options, failed)}")
        else:
            shutil.rmtree(folder, ignore_errors=True)
    print(f"{summary(results)}, {(time.monotonic() - began) / 60:.1f} minutes")
    return 1 if failed else 0


def again(options: Namespace, keys: Sequence[str]) -> str:
    """The command that repeats these cases."""
    seed = "" if options.seed is None else f" --seed {options.seed}"
    return f"{options.command}{' --short' if options.short else ''} --only {' '.join(keys)}{seed}"


def summary(results: Sequence[Result]) -> str:
    """How many promises were kept, of those that were tried."""
    skipped = sum(bool(result.skipped) for result in results)
    tried = len(results) - skipped
    kept = sum(result.holds for result in results)
    return f"{kept} of {tried} promises kept" + (f", {skipped} not run" if skipped else "")


def list_cases(cases: Cases, options: Namespace, width: int) -> list[str]:
    """A line for each case that the options choose; `width` of the key's column, negative: aligned to the left."""
    align = "<" if width < 0 else ">"
    return [
        f"{case.key:{align}{abs(width)}}  {case.promise}{'' if case.short else '  (long set only)'}"
        for case in cases.choose(options.only, short=options.short)
    ]
