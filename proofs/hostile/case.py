"""What a hostile case is: a promise, and the attack that would break it. Each module of cases adds its own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module

from proofs.hostile.target import Target

KINDS = ("connections", "protocol", "bodies", "headers", "floods", "mail", "proxy")
_CASES: list[Case] = []


@dataclass(frozen=True, slots=True)
class Case:
    """One attack. `run` returns what was measured, in words, and raises `Broken`."""

    kind: str
    name: str
    promise: str
    short: bool
    run: Callable[[Target], str]

    @property
    def key(self) -> str:
        """What --only takes: connections.silent."""
        return f"{self.kind}.{self.name}"


def case(promise: str, *, short: bool = True) -> Callable[[Callable[[Target], str]], Callable[[Target], str]]:
    """Declare a function as the case of `promise`; its module is the kind, its name the name.

    `short`: it belongs to the short set, which runs within the tests.
    """

    def declare(run: Callable[[Target], str]) -> Callable[[Target], str]:
        kind = run.__module__.rpartition(".")[2]
        _CASES.append(Case(kind, run.__name__.replace("_", "-"), promise, short, run))
        return run

    return declare


def choose(only: Sequence[str] = (), *, short: bool = False) -> list[Case]:
    """The cases of these names or kinds, or all; `SystemExit` for a name that is none."""
    for kind in KINDS:
        import_module(f"proofs.hostile.{kind}")
    known = {one.key for one in _CASES} | set(KINDS)
    if unknown := [name for name in only if name not in known]:
        raise SystemExit(f"no case is called {', '.join(unknown)}; --list shows them")
    return [one for one in _CASES if (one.key in only or one.kind in only if only else one.short or not short)]
