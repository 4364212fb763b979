"""Zoho's budgets: credits over a rolling day and calls in flight. `crm_handler` enforces them."""

import time
from collections import defaultdict
from typing import Final

from dev.sandbox.ledger import Ledger

DAY: Final = 86_400
MINUTE: Final = 60
LARGE_WRITE_ROWS: Final = 10
"""Writes of more rows than this share the smaller pool of calls in flight (Zoho's API limits page)."""


class Credits:
    """Credits of the last 24 hours, in buckets of a minute. The default allowance is Enterprise's maximum."""

    def __init__(self, ledger: Ledger, allowance: int = 5_000_000) -> None:
        self._db = ledger.db
        self.allowance = allowance
        self.load()

    def load(self) -> None:
        """Sum up the cost of the ledger's calls of the last day."""
        self._spent: defaultdict[int, int] = defaultdict(int)
        self._correction = 0
        for clock, cost in self._db.execute(
            "SELECT clock, credits FROM calls WHERE kind='api' AND clock > ?", (time.time() - DAY,)
        ):
            self._spent[int(clock) // MINUTE] += cost

    def used(self) -> int:
        """Return the credits used in the last 24 hours."""
        oldest = (int(time.time()) - DAY) // MINUTE
        for minute in [m for m in self._spent if m < oldest]:
            del self._spent[minute]
        return sum(self._spent.values()) + self._correction

    def remaining(self) -> int:
        """Return the credits left."""
        return max(0, self.allowance - self.used())

    def set_remaining(self, remaining: int) -> None:
        """Set the credits left, as if the rest had been used."""
        self._correction = 0
        self._correction = self.allowance - remaining - self.used()

    def spend(self, cost: int) -> None:
        """Charge the cost of one call."""
        self._spent[int(time.time()) // MINUTE] += cost


def cost_of_write(rows: int) -> int:
    """Return the credits of a write: one per ten records or part of ten."""
    return max(1, -(-rows // 10))


class InFlight:
    """Calls that have arrived and are not answered yet, and their limits (Enterprise: 20, large writes 10)."""

    def __init__(self) -> None:
        self.total = 0
        self.large = 0
        self.enforced = True
        self.total_limit = 20
        self.large_limit = 10

    def exceeded(self, *, is_large: bool) -> bool:
        """Return whether the call just counted is one too many."""
        if not self.enforced:
            return False
        return self.total > self.total_limit or (is_large and self.large > self.large_limit)
