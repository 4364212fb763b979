"""What the command lines of simulation and cuts share."""

from __future__ import annotations

import signal
from argparse import ArgumentParser
from collections.abc import Iterable, Sequence
from typing import Protocol, TypeVar


class Named(Protocol):
    """What can be chosen by name."""

    @property
    def name(self) -> str:
        """Its name."""


AnyNamed = TypeVar("AnyNamed", bound=Named)


def pick(known: Iterable[AnyNamed], only: Sequence[str]) -> list[AnyNamed]:
    """Those with one of the names, all without names; `SystemExit` for a name that is none."""
    by_name = {one.name: one for one in known}
    if unknown := set(only) - by_name.keys():
        raise SystemExit(f"there is no {', '.join(sorted(unknown))}; see --list")
    return [one for name, one in by_name.items() if name in only or not only]


def arguments(module: str, about: str, *, one: str) -> ArgumentParser:
    """A parser with --only, which chooses `one` of several, and --list."""
    parser = ArgumentParser(prog=f"python -m {module}", description=about)
    parser.add_argument("--only", nargs="+", default=[], metavar=one, help="only these, by the names of --list")
    parser.add_argument("--list", action="store_true", help="list what there is, and end")
    return parser


def end_in_order() -> None:
    """Let SIGTERM end this process as Ctrl-C does, so that every child process is ended too."""
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, signal.default_int_handler)
