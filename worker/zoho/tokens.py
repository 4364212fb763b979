"""Access tokens and the stores that share them between threads and processes. auth.py mints the tokens."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

# Zoho mints at most 10 access tokens in 10 minutes for a refresh token; one per 90 s stays under 7.
MINT_SPACING_SECONDS = 90.0
# A mint that takes longer belongs to a process that died: no call's deadline is as long.
MINT_LEASE_SECONDS = 30.0


@dataclass(frozen=True, slots=True)
class AccessToken:
    """A bearer token of the CRM; the value does not print.

    expires_at is aware UTC by **this process's** clock. A store shared between machines must store the life that
    is left, not the instant: save `its now + (expires_at - local now)`, return `local now + (saved - its now)`.
    """

    value: str = field(repr=False)
    expires_at: datetime
    scopes: tuple[str, ...] = ()


class TokenStore(Protocol):
    """One token for all callers, and the permission to mint the next: one mint in flight, one per 90 s.

    Every method is short and safe to call from any thread. begin_mint is atomic; a caller that gets True must
    call finish_mint or fail_mint. When that caller dies, its permission ends MINT_LEASE_SECONDS after begin_mint,
    and the mint counts towards the spacing.
    """

    def current(self) -> AccessToken | None:
        """Return the newest finished token, expired or not; None before the first."""

    def begin_mint(self, stale: str | None) -> bool:
        """Ask for the permission to mint; True means that only this caller mints now.

        stale is the value of the token that the caller will not use any more, None when there is none.
        False when the newest token differs from stale (use it), when a mint is in flight (wait for it), when the
        last counted mint began less than MINT_SPACING_SECONDS ago, or while a throttle lasts (see mint_wait).
        """

    def finish_mint(self, token: AccessToken) -> None:
        """Publish the new token and end the mint; the token is kept even when the mint's lease has run out."""

    def fail_mint(self, *, spent: bool, wait_seconds: float = 0.0, refusal: str | None = None) -> None:
        """End the mint without a token.

        spent False: the request never left, so it does not count towards the spacing. wait_seconds: no caller
        may mint for that long (the token endpoint throttled us). refusal: the code with which our credentials were
        refused.
        """

    def refusal(self) -> str | None:
        """Code with which our credentials were refused, until a mint succeeds; None when they were not."""

    def mint_wait(self) -> float:
        """Seconds until spacing and throttle allow a mint; 0.0 when they do, or while a mint is in flight."""


class MemoryTokenStore:
    """A TokenStore for one process, without a database: for the client's tests and the benchmarks.

    It lives here as the reference for what `TokenStore` demands; the product uses
    `worker.crm.connect.SharedTokenStore`.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._token: AccessToken | None = None
        self._begun_at: float | None = None
        self._allowed_at = clock()
        self._refusal: str | None = None

    def current(self) -> AccessToken | None:
        """See TokenStore."""
        with self._lock:
            return self._token

    def begin_mint(self, stale: str | None) -> bool:
        """See TokenStore."""
        with self._lock:
            now = self._clock()
            if self._token is not None and self._token.value != stale:
                return False
            if self._in_flight(now) or now < self._allowed_at:
                return False
            self._begun_at = now
            return True

    def finish_mint(self, token: AccessToken) -> None:
        """See TokenStore."""
        with self._lock:
            self._token, self._refusal = token, None
            self._end(spent=True, wait_seconds=0.0)

    def fail_mint(self, *, spent: bool, wait_seconds: float = 0.0, refusal: str | None = None) -> None:
        """See TokenStore."""
        with self._lock:
            self._refusal = refusal or self._refusal
            self._end(spent=spent, wait_seconds=wait_seconds)

    def refusal(self) -> str | None:
        """See TokenStore."""
        with self._lock:
            return self._refusal

    def mint_wait(self) -> float:
        """See TokenStore."""
        with self._lock:
            now = self._clock()
            return 0.0 if self._in_flight(now) else max(0.0, self._allowed_at - now)

    def _in_flight(self, now: float) -> bool:
        if self._begun_at is None:
            return False
        if now - self._begun_at < MINT_LEASE_SECONDS:
            return True
        self._end(spent=True, wait_seconds=0.0)
        return False

    def _end(self, *, spent: bool, wait_seconds: float) -> None:
        now = self._clock()
        if spent:
            begun = now if self._begun_at is None else self._begun_at
            self._allowed_at = max(self._allowed_at, begun + MINT_SPACING_SECONDS)
        self._allowed_at = max(self._allowed_at, now + wait_seconds)
        self._begun_at = None
