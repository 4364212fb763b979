"""What a drill is, how it fails, and choosing among all drills; the drills themselves are in `MODULES`."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from importlib import import_module

from proofs.drills.environment import DrillEnvironment

Run = Callable[[DrillEnvironment], None]

MAX_SECONDS = 900.0
MODULES = (
    "acceptance",
    "crashes",
    "broker",
    "database",
    "races",
    "crm",
    "outage",
    "operations",
    "hosts",
    "failover",
    "managed",
    "notices",
)


@dataclass(frozen=True, slots=True)
class Drill:
    """One property and the function that shows it.

    `key` is the property's number, with a letter if it takes several drills; `short`: part of the short set. A
    drill that takes longer than `max_seconds` has failed.
    """

    key: str
    title: str
    run: Run
    short: bool = True
    max_seconds: float = MAX_SECONDS

    @property
    def number(self) -> int:
        """The property's number."""
        return int("".join(character for character in self.key if character.isdigit()))


REGISTERED: dict[str, Drill] = {}


def drill(key: str, title: str, *, short: bool = True, max_seconds: float = MAX_SECONDS) -> Callable[[Run], Run]:
    """Register the decorated function as a drill.

    Args:
        key: the property's number, with a letter if it takes several drills.
        title: the property.
        short: whether it belongs to the short set too.
        max_seconds: a drill that takes longer has failed.
    """

    def register(run: Run) -> Run:
        REGISTERED[key] = Drill(key, title, run, short, max_seconds)
        return run

    return register


def choose(*, only: Collection[str] | None, short: bool) -> list[Drill]:
    """The drills with these keys, or the whole set. Raises SystemExit for an unknown key."""
    for name in MODULES:
        import_module(f"proofs.drills.{name}")
    drills = sorted(REGISTERED.values(), key=lambda drill: (drill.number, drill.key))
    if only is None:
        return [drill for drill in drills if drill.short or not short]
    unknown = [name for name in only if name not in REGISTERED]
    if unknown:
        raise SystemExit(f"no drill is called {', '.join(unknown)}; see --list")
    return [drill for drill in drills if drill.key in only]
