"""What retention is told, asks and answers. No SQL: that stands in `retain.py`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from uuid import UUID


@dataclass(frozen=True, slots=True)
class Terms:
    """How long things are kept: `months` for leads and clicks, `days` for network addresses."""

    months: int
    days: int


@dataclass(slots=True)
class Retained:
    """What a run removed, or would remove. `finished`: nothing of it is left to do.

    `converted`: found to be a customer's and so kept. `unasked`: kept because the CRM could not be asked.
    """

    leads: int = 0
    clicks: int = 0
    addresses: int = 0
    converted: int = 0
    unasked: int = 0
    finished: bool = True


@dataclass(frozen=True, slots=True)
class Old:
    """A row past its time that may be in the CRM: its event id, and its record where that is known."""

    id: UUID
    record_id: str | None


class CannotAsk(Exception):
    """The CRM cannot say now who became a customer; the message is a code without personal data."""


# Gives those of the rows (ASKED_ROWS at most) whose record became a customer's. Raises `CannotAsk`.
Ask = Callable[[Sequence[Old]], set[UUID]]
