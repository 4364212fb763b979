"""All drills in the order of their properties, and choosing among them."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from dev.drills.drill import REGISTERED

if TYPE_CHECKING:
    from collections.abc import Collection

    from dev.drills.drill import Drill

MODULES = (
    "accepting",
    "crash_points",
    "crashing",
    "broker",
    "database",
    "races",
    "crm",
    "verdicts",
    "outage",
    "operating",
    "erasing",
)


def choose(*, only: Collection[str] | None, short: bool) -> list[Drill]:
    """The drills named by their keys, or all of the set. Raises SystemExit for a name that none has."""
    for name in MODULES:
        import_module(f"dev.drills.{name}")
    drills = sorted(REGISTERED.values(), key=lambda drill: (drill.number, drill.key))
    if only is None:
        return [drill for drill in drills if drill.short or not short]
    unknown = [name for name in only if name not in REGISTERED]
    if unknown:
        raise SystemExit(f"no drill is called {', '.join(unknown)}; see --list")
    return [drill for drill in drills if drill.key in only]
