"""A cut: one exchange of a journey, by its number, and what becomes of it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum


class Kind(StrEnum):
    """What is exchanged, and with whom."""

    STATEMENT = "statement"
    INSIDE = "statement inside a transaction"
    CALL = "call"
    MESSAGE = "message"
    STEP = "step of SMTP"
    COMMAND = "command to Redis"


# How each kind is cut by the network, the neighbour or the clock; and, where a worker asks, by its own end.
BY_OTHERS: dict[Kind, tuple[str, ...]] = {
    Kind.STATEMENT: (
        "never arrives", "answer lost", "done too late", "cancelled", "cancelled for two minutes",
        "database stands still", "database is away", "clock goes back", "clock goes on",
    ),
    Kind.INSIDE: ("never arrives", "answer lost", "cancelled", "cancelled for two minutes"),
    Kind.CALL: (
        "refused", "never arrives", "reply lost", "done too late", "500", "500 after commit", "429", "hangs",
    ),
    Kind.MESSAGE: ("refused", "never arrives", "reply lost", "done too late"),
    Kind.STEP: ("refused for now", "refused for good", "never arrives", "reply lost", "hangs"),
    Kind.COMMAND: ("never arrives", "answer lost", "Redis goes", "Redis freezes"),
}  # fmt: skip
BY_ITSELF: dict[Kind, tuple[str, ...]] = {
    Kind.STATEMENT: ("dies before", "dies after", "freezes"),
    Kind.INSIDE: ("dies before", "dies after", "freezes"),
    Kind.CALL: ("dies before", "dies in it", "freezes"),
    Kind.MESSAGE: ("dies before", "dies in it", "freezes"),
    Kind.STEP: ("dies before", "dies in it", "freezes"),
    Kind.COMMAND: ("dies before", "dies after", "freezes"),
}
_TEXT = re.compile(r"(\d+):(.+)")


@dataclass(frozen=True, slots=True)
class Exchange:
    """An exchange of a journey: who asked, and what for."""

    number: int
    kind: Kind
    who: str
    what: str

    @property
    def is_workers(self) -> bool:
        """Whether a worker asked; another one is started when it dies."""
        return self.who.startswith("w")

    def cuts(self) -> list[Cut]:
        """All ways of cutting it."""
        hows = BY_OTHERS[self.kind] + (BY_ITSELF[self.kind] if self.is_workers else ())
        return [Cut(self.number, how) for how in hows]


@dataclass(frozen=True, slots=True)
class Cut:
    """The exchange of this number, and how it is cut; as text "17:reply lost"."""

    number: int
    how: str

    def __str__(self) -> str:
        """As the command line takes it."""
        return f"{self.number}:{self.how}"

    @classmethod
    def parse(cls, text: str) -> Cut:
        """Read it from the command line; ValueError for anything else."""
        if (found := _TEXT.fullmatch(text)) is None:
            raise ValueError(f'"{text}" is no cut, such as "17:reply lost"')
        return cls(int(found[1]), found[2])
