"""What a drill is. The drills themselves stand in the modules that `catalog` lists, their world in `stage`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from dev.drills.failure import DrillFailed

if TYPE_CHECKING:
    from collections.abc import Callable

    from dev.drills.environment import Stage

    Run = Callable[[Stage], None]

LONGEST_SECONDS = 900.0


@dataclass(frozen=True, slots=True)
class Drill:
    """One property (`key` is its number, with a letter where it takes several drills) and what shows it.

    `short`: part of the short set. `longest` is in seconds: a drill that takes longer has failed.
    """

    key: str
    title: str
    run: Run
    short: bool = True
    longest: float = LONGEST_SECONDS

    @property
    def number(self) -> int:
        """The property's number."""
        return int("".join(character for character in self.key if character.isdigit()))


REGISTERED: dict[str, Drill] = {}


def drill(key: str, title: str, *, short: bool = True, longest: float = LONGEST_SECONDS) -> Callable[[Run], Run]:
    """Register the function below as a drill."""

    def register(run: Run) -> Run:
        REGISTERED[key] = Drill(key, title, run, short, longest)
        return run

    return register


def require(condition: object, message: str) -> None:
    """Fail the drill with `message` unless the condition holds."""
    if not condition:
        raise DrillFailed(message)
