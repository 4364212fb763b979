"""The state of one running sandbox, and the limits that can be changed while it runs."""

import asyncio
from collections.abc import Collection
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from dev.sandbox.fault_catalog import LIMITS
from dev.sandbox.faults import BadFaults, Faults
from dev.sandbox.fields import Fields
from dev.sandbox.ledger import Ledger
from dev.sandbox.limits import Credits, InFlight
from dev.sandbox.records import Records
from dev.sandbox.tokens import Tokens


@dataclass(slots=True)
class Statuses:
    """The HTTP status of a write in which some rows, or all, failed (v8 documentation: 207 and 400)."""

    mixed: int = 207
    all_failed: int = 400


@dataclass(slots=True)
class Sandbox:
    """The components of one sandbox."""

    ledger: Ledger
    fields: Fields
    records: Records
    tokens: Tokens
    credits: Credits
    faults: Faults = field(default_factory=Faults)
    in_flight: InFlight = field(default_factory=InFlight)
    statuses: Statuses = field(default_factory=Statuses)
    mails: int = 0  # mail received since the start; tells the page that there is news
    stopping: asyncio.Event = field(default_factory=asyncio.Event)

    @classmethod
    def open(cls, directory: Path, without: Collection[str] = ()) -> "Sandbox":
        """Open the sandbox stored in a directory, or create it."""
        ledger = Ledger(directory)
        return cls(ledger, Fields(ledger, without), Records(ledger), Tokens(ledger), Credits(ledger))

    def limits(self) -> dict[str, Any]:
        """Return the current limits."""
        return {
            "credits_remaining": self.credits.remaining(),
            "credits_allowance": self.credits.allowance,
            "concurrency_enforced": self.in_flight.enforced,
            "concurrency_total": self.in_flight.total_limit,
            "concurrency_large": self.in_flight.large_limit,
            "token_life_s": self.tokens.life,
            "token_mint_limit": self.tokens.mint_limit,
            "email_unique": self.fields.email_unique,
            "mixed_status": self.statuses.mixed,
            "all_failed_status": self.statuses.all_failed,
        }

    def set_limits(self, wanted: dict[str, Any]) -> None:
        """Set some limits. Raises BadFaults for an unknown name or an invalid value."""
        for name, value in wanted.items():
            if name not in LIMITS:
                raise BadFaults(f"no limit is called {name}; there are: {', '.join(LIMITS)}")
            kind = bool if name in {"concurrency_enforced", "email_unique"} else int
            if type(value) is not kind or value < 0:
                raise BadFaults(f"limits.{name} is a {'true or false' if kind is bool else 'whole number from 0'}")
        merged = {**self.limits(), **wanted}
        self.credits.allowance = merged["credits_allowance"]
        if "credits_remaining" in wanted:
            self.credits.set_remaining(merged["credits_remaining"])
        self.in_flight.enforced = merged["concurrency_enforced"]
        self.in_flight.total_limit = merged["concurrency_total"]
        self.in_flight.large_limit = merged["concurrency_large"]
        self.tokens.life, self.tokens.mint_limit = merged["token_life_s"], merged["token_mint_limit"]
        self.fields.email_unique = merged["email_unique"]
        self.statuses.mixed, self.statuses.all_failed = merged["mixed_status"], merged["all_failed_status"]

    def calm(self) -> None:
        """Switch every fault off and reset every limit to its default."""
        self.faults.clear()
        fresh = InFlight()
        self.in_flight.enforced = fresh.enforced
        self.in_flight.total_limit, self.in_flight.large_limit = fresh.total_limit, fresh.large_limit
        self.statuses = Statuses()
        self.tokens.life, self.tokens.mint_limit = 3_600, 10
        self.fields.email_unique = False
        self.credits.allowance = 5_000_000
        self.credits.load()

    def reset(self) -> None:
        """Delete everything: calls, records, tokens, created fields, faults."""
        self.ledger.reset()
        self.fields.load()
        self.records.load()
        self.tokens.load()
        self.calm()
