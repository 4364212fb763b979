"""The state of one running sandbox: its parts, its clock, and the switches that change it while it runs."""

import asyncio
import time
from collections.abc import Collection
from dataclasses import asdict, dataclass, field
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

from tools.sandbox.faults import BadFaults, Faults
from tools.sandbox.fields import Fields
from tools.sandbox.ledger import Call, Ledger
from tools.sandbox.limits import LIMITS, Clock, Credits, InFlight, Limits
from tools.sandbox.records import Records
from tools.sandbox.tokens import Tokens


@dataclass(slots=True)
class Sandbox:
    """The parts of one sandbox."""

    clock: Clock
    ledger: Ledger
    limits: Limits
    fields: Fields
    records: Records
    tokens: Tokens
    credits: Credits
    in_flight: InFlight
    faults: Faults = field(default_factory=Faults)
    resets: int = 0
    stopping: asyncio.Event = field(default_factory=asyncio.Event)

    @classmethod
    def open(
        cls,
        directory: Path | None,
        without: Collection[str] = (),
        *,
        clock: Clock = time.time,
        seed: int | None = None,
    ) -> "Sandbox":
        """Open the sandbox stored in a directory (None: in memory) without these Leads fields.

        `clock` is the only source of time. `seed`: of the access tokens, None for random ones.
        """
        ledger, limits = Ledger(directory), Limits()
        return cls(
            clock,
            ledger,
            limits,
            Fields(ledger, limits, without),
            Records(ledger),
            Tokens(ledger, limits, clock, seed),
            Credits(ledger, limits, clock),
            InFlight(limits),
        )

    def now(self, ago: float = 0) -> str:
        """Return the time, or that of `ago` seconds before, as Zoho writes it: seconds, explicit offset."""
        return self.written(self.clock() - ago)

    def written(self, at: float) -> str:
        """Return a time as Zoho writes it: in its user's zone, whose offset may change with the season."""
        zone = timezone(timedelta(minutes=self.limits.utc_offset_min))
        return datetime.fromtimestamp(at, zone).isoformat(timespec="seconds")

    def strike(self, name: str, call: Call, *, only_named: bool = False) -> dict[str, Any] | None:
        """Draw a fault for this call: its parameters if it strikes, noted in the call, else None."""
        params = self.faults.fires(name, call.path, only_named=only_named)
        if params is not None and name not in call.faults:
            call.faults.append(name)
        return params

    def write_call(self, call: Call) -> None:
        """Write a call that ends now into the ledger."""
        call.duration_ms = (self.clock() - call.clock) * 1_000
        self.ledger.write(call)

    def switches(self) -> dict[str, Any]:
        """Return the document that would restore the present faults and limits."""
        limits = {"credits_remaining": self.credits.remaining(), **asdict(self.limits)}
        return {**self.faults.shown(), "limits": limits}

    def change(self, document: Any, *, replace: bool = False) -> None:
        """Change the named faults and limits, all or none; `replace` resets those not named. Raises BadFaults."""
        if not isinstance(document, dict) or not isinstance(limits := document.get("limits", {}), dict):
            raise BadFaults("send a JSON object; limits is an object too")
        for name, value in limits.items():
            if name not in LIMITS:
                raise BadFaults(f"no limit is called {name}; there are: {', '.join(LIMITS)}")
            kind: type[Any] = type(getattr(self.limits, name, 0))
            if type(value) is not kind or value < 0:
                raise BadFaults(f"limits.{name} is a {'true or false' if kind is bool else 'whole number from 0'}")
        self.faults.change({name: value for name, value in document.items() if name != "limits"}, replace=replace)
        if replace:
            self.limits.reset()
            self.credits.load()
        for name, value in limits.items():
            if name != "credits_remaining":
                setattr(self.limits, name, value)
        if "credits_remaining" in limits:
            self.credits.set_remaining(limits["credits_remaining"])

    def reset(self) -> None:
        """Delete everything: calls, records, tokens, created fields, faults."""
        self.resets += 1
        self.ledger.reset()
        self.fields.load()
        self.records.load()
        self.tokens.load()
        self.change({}, replace=True)
