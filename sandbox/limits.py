"""The organisation's limits and settings as data, and Zoho's two budgets: credits of a day and calls in flight.

`crm_call` enforces the budgets.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, fields
from typing import Any, Final

from sandbox.ledger import Ledger

Clock = Callable[[], float]
"""Returns the time in seconds since the epoch."""

DAY: Final = 86_400
MINUTE: Final = 60
LARGE_WRITE_ROWS: Final = 10
"""Writes of more rows than this share the smaller pool of calls in flight (Zoho's API limits page)."""


def _limit(about: str, *, default: bool | int) -> Any:
    return field(default=default, metadata={"about": about})


@dataclass(slots=True)
class Limits:
    """What can be changed while the sandbox runs; the defaults are an Enterprise organisation's."""

    credits_allowance: int = _limit("credits in 24 hours", default=5_000_000)
    concurrency_total: int = _limit("calls in flight", default=20)
    concurrency_large: int = _limit("calls in flight that write more than 10 rows or list with sort_by", default=10)
    token_life_s: int = _limit("expires_in of new tokens, seconds", default=3_600)
    token_mint_limit: int = _limit("tokens minted in 10 minutes", default=10)
    email_unique: bool = _limit("whether Email is a unique field: a repeat is DUPLICATE_DATA", default=False)
    phone_unique: bool = _limit("whether Phone is a unique field", default=False)
    search_lag_s: int = _limit(
        "seconds until search shows what was written; upserts and reads by id see it at once", default=0
    )
    utc_offset_min: int = _limit(
        "minutes by which the times in replies are ahead of UTC, as in Istanbul", default=180
    )
    mixed_status: int = _limit("status of a write in which some rows failed (207, or 200)", default=207)
    all_failed_status: int = _limit("status of a write in which every row failed (400, 207 or 202)", default=400)

    def reset(self) -> None:
        """Return to the defaults."""
        for each in fields(self):
            setattr(self, each.name, each.default)


LIMITS: Final[dict[str, str]] = {
    "credits_remaining": "credits left today",
    **{each.name: each.metadata["about"] for each in fields(Limits)},
}
"""What each limit means. `credits_remaining` is derived, so it is not among `Limits`."""


class Credits:
    """Credits of the last 24 hours, in buckets of a minute."""

    def __init__(self, ledger: Ledger, limits: Limits, clock: Clock) -> None:
        self._db, self._limits, self._clock = ledger.db, limits, clock
        self.load()

    def load(self) -> None:
        """Sum up the cost of the ledger's calls of the last day."""
        self._spent: defaultdict[int, int] = defaultdict(int)
        self._correction = 0
        for clock, cost in self._db.execute(
            "SELECT clock, credits FROM calls WHERE kind='api' AND clock > ?", (self._clock() - DAY,)
        ):
            self._spent[int(clock) // MINUTE] += cost

    def used(self) -> int:
        """Return the credits used in the last 24 hours."""
        oldest = (int(self._clock()) - DAY) // MINUTE
        for minute in [m for m in self._spent if m < oldest]:
            del self._spent[minute]
        return sum(self._spent.values()) + self._correction

    def remaining(self) -> int:
        """Return the credits left."""
        return max(0, self._limits.credits_allowance - self.used())

    def half_used(self) -> bool:
        """Return whether half of the allowance is used, from which on Zoho names the rest in a header."""
        return self.used() * 2 >= self._limits.credits_allowance

    def set_remaining(self, remaining: int) -> None:
        """Set the credits left, as if the rest had been used."""
        self._correction = 0
        self._correction = self._limits.credits_allowance - remaining - self.used()

    def spend(self, cost: int) -> None:
        """Charge the cost of one call."""
        self._spent[int(self._clock()) // MINUTE] += cost


def cost_of_write(rows: int) -> int:
    """Return the credits of a write: one per ten records or part of ten."""
    return max(1, -(-rows // 10))


class InFlight:
    """Calls that have arrived and are not answered yet."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self.total = 0
        self.large = 0

    @contextmanager
    def counted(self, *, is_large: bool) -> Iterator[None]:
        """Count a call until it is answered."""
        self.total += 1
        self.large += is_large
        try:
            yield
        finally:
            self.total -= 1
            self.large -= is_large

    def exceeded(self, *, is_large: bool) -> bool:
        """Return whether the call just counted is one too many."""
        too_large = is_large and self.large > self._limits.concurrency_large
        return too_large or self.total > self._limits.concurrency_total
