"""The organisation's limits and settings as data, and Zoho's two budgets: credits of a day and calls in flight.

`crm_call` enforces the budgets.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields
from typing import Final

from tools.sandbox.ledger import Ledger

Clock = Callable[[], float]
"""Returns the time in seconds since the epoch."""

DAY: Final = 86_400
MINUTE: Final = 60


@dataclass(slots=True)
class Limits:
    """What can be changed while the sandbox runs; the defaults are an Enterprise organisation's."""

    credits_allowance: int = 5_000_000  # in 24 hours
    concurrency_total: int = 20  # calls in flight
    token_life_s: int = 3_600  # expires_in of new tokens
    token_mint_limit: int = 10  # tokens in 10 minutes
    email_unique: bool = False  # a repeat is DUPLICATE_DATA
    phone_unique: bool = False
    search_lag_s: int = 0  # until search shows what was written; upserts and reads by id see it at once
    utc_offset_min: int = 180  # by which the times in replies are ahead of UTC, as in Istanbul
    all_failed_status: int = 400  # of a write in which every row failed: 400, 207 or 202

    def reset(self) -> None:
        """Return to the defaults."""
        for each in fields(self):
            setattr(self, each.name, each.default)


LIMITS: Final = ("credits_remaining", *(each.name for each in fields(Limits)))
"""`credits_remaining` is derived, so it is not among `Limits`."""


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

    @contextmanager
    def counted(self) -> Iterator[None]:
        """Count a call until it is answered."""
        self.total += 1
        try:
            yield
        finally:
            self.total -= 1

    def exceeded(self) -> bool:
        """Return whether the call just counted is one too many."""
        return self.total > self._limits.concurrency_total
