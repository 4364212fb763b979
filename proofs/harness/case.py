"""A case: a promise, and the function that would show it broken. How one is declared, chosen, run and judged."""

from __future__ import annotations

import subprocess
import time
import traceback
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib import import_module
from typing import Any, Protocol, TypeVar

import psycopg
from redis.exceptions import RedisError
from sqlalchemy.exc import SQLAlchemyError

MAX_SECONDS = 900.0
# What a mistake in a case may raise: the other cases must still run.
MISTAKES = (
    *(ArithmeticError, AssertionError, AttributeError, LookupError, OSError, RuntimeError, TypeError, ValueError),
    *(subprocess.SubprocessError, psycopg.Error, SQLAlchemyError, RedisError),
)


class Broken(Exception):
    """A promise was not kept; the message says what was observed."""


class NotHere(Exception):
    """This machine lacks what the case needs; the message says what."""


def require(condition: object, otherwise: str) -> None:
    """Raise `Broken` unless the condition holds."""
    if not condition:
        raise Broken(otherwise)


@dataclass(frozen=True, slots=True)
class Case:
    """A promise and the function that tests it.

    `short`: part of the short set, which runs among the tests. A case that takes longer than `max_seconds` fails.
    """

    key: str
    promise: str
    run: Callable[..., Any]
    short: bool = True
    max_seconds: float = MAX_SECONDS

    @property
    def names(self) -> tuple[str, ...]:
        """What chooses it: its key, and its group, which is the part of the key before a dot."""
        return self.key, self.key.partition(".")[0]


class Cases:
    """The cases of one instrument, in the order of its modules. An instance is the decorator that declares one."""

    def __init__(self, package: str, *modules: str) -> None:
        self._modules = [f"{package}.{module}" for module in modules]
        self._declared: list[Case] = []

    def __call__(
        self, key: str, promise: str, *, short: bool = True, max_seconds: float = MAX_SECONDS
    ) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
        """Declare the decorated function as a case; see `Case`."""

        def declare(run: Callable[..., Any]) -> Callable[..., Any]:
            self._declared.append(Case(key, promise, run, short, max_seconds))
            return run

        return declare

    def choose(self, only: Sequence[str] | None = None, *, short: bool = False) -> list[Case]:
        """The cases that these names choose, else the short set or all; `SystemExit` for an unknown name."""
        for module in self._modules:
            import_module(module)
        cases = sorted(self._declared, key=_place)
        return pick(cases, only) if only else [case for case in cases if case.short or not short]


class Named(Protocol):
    """What can be chosen by name."""

    @property
    def names(self) -> Sequence[str]:
        """Its names."""


AnyNamed = TypeVar("AnyNamed", bound=Named)


def pick(known: Iterable[AnyNamed], only: Sequence[str] | None) -> list[AnyNamed]:
    """Those that one of the names chooses, all without names; `SystemExit` for a name that chooses nothing."""
    by_name = [({name.lower() for name in one.names}, one) for one in known]
    wanted = {name.lower() for name in only or ()}
    if unknown := wanted.difference(*(names for names, _ in by_name)):
        raise SystemExit(f"there is no {', '.join(sorted(unknown))}; see --list")
    return [one for names, one in by_name if names & wanted or not wanted]


def _place(case: Case) -> tuple[int, str]:
    """By number where the key has one (5, 5b, 20); else as declared."""
    digits = "".join(character for character in case.key if character.isdigit())
    return (int(digits), case.key) if case.key[0].isdigit() else (0, "")


@dataclass(slots=True)
class Result:
    """How a case ended. `wrong` is empty if the promise was kept; `skipped` is what was missing here to run it."""

    case: Case
    seconds: float = 0.0
    done: list[str] = field(default_factory=list)
    figures: dict[str, str] = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)
    skipped: str = ""
    at: datetime = field(default_factory=lambda: datetime.now(UTC))

    @property
    def failed(self) -> bool:
        """Whether it ran and the promise was not kept."""
        return bool(self.wrong)

    @property
    def holds(self) -> bool:
        """Whether it ran and the promise was kept."""
        return not self.wrong and not self.skipped

    @property
    def text(self) -> str:
        """For the screen: the case, how it ended, what was done and measured, what was wrong."""
        mark = "FAILED " if self.failed else "not run" if self.skipped else "holds  "
        lines = [
            f"{self.case.key:>4}  {mark} {self.seconds:6.1f} s  {self.skipped or self.case.promise}",
            *self.done,
        ]
        lines += [f"{name} {value}" for name, value in self.figures.items()]
        return "\n        ".join([*lines, *(f"! {text}" for text in self.wrong)])


@contextmanager
def judged(result: Result) -> Iterator[None]:
    """Run the block as the case of this result: how it ends, and how long it took, is written there."""
    began = time.monotonic()
    try:
        yield
    except NotHere as missing:
        result.skipped = str(missing)
    except Broken as broken:
        result.wrong.append(str(broken))
    except MISTAKES as error:
        traceback.print_exc()
        result.wrong.append(f"the case itself broke: {type(error).__name__}: {error}")
    finally:
        result.seconds = time.monotonic() - began
