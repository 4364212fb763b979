"""Access tokens, and the store that shares one between threads and processes. auth.py mints them."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

# Zoho mints at most 10 access tokens in 10 minutes for a refresh token; one per 90 s stays under 7.
MINT_SPACING_SECONDS = 90.0


@dataclass(frozen=True, slots=True)
class AccessToken:
    """A bearer token of the CRM; the value does not print. expires_at is by this process's clock."""

    value: str = field(repr=False)
    expires_at: datetime
    scopes: tuple[str, ...] = ()


class TokenStore(Protocol):
    """One token for all callers, and the right to mint the next: one mint in a spacing.

    Every method is short and safe to call from any thread. A token is stored with the seconds that it is still
    valid, never with an instant of one machine's clock.
    """

    def read(self) -> tuple[str, float, str] | None:
        """The newest token, its seconds left (negative: expired) and its scopes; None before the first."""

    def begin_mint(self, stale: str | None, *, spacing: float) -> bool:
        """Ask for the right to mint in place of `stale` (None: the first); True: only this caller mints now.

        False when the newest token differs from stale (use it), or when the last mint began less than its spacing
        ago, or a throttle lasts (see mint_wait).
        """

    def finish_mint(self, value: str, life: float, scopes: str = "") -> None:
        """Publish the new token."""

    def fail_mint(self, *, wait_seconds: float | None, refusal: str | None = None) -> None:
        """End the mint without a token.

        wait_seconds: until the next may begin, 0 when the request never left; None: when the spacing is over.
        refusal: the code with which our credentials were refused.
        """

    def refusal(self) -> tuple[str, float] | None:
        """The code with which our credentials were refused and how many seconds ago, until a mint succeeds."""

    def mint_wait(self) -> float:
        """Seconds until spacing and throttle allow a mint; 0.0 when they do."""
