"""A token store for one process, without a database. The product's is `leads.crm_state.TokenTable`."""

import threading
import time
from collections.abc import Callable


class MemoryTokenStore:
    """`worker.zoho.auth.TokenStore`; a token never ends by itself, and only mints look at the clock."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._token: tuple[str, float, str] | None = None
        self._next_mint_at = clock()
        self._refusal: str | None = None

    def read(self) -> tuple[str, float, str] | None:
        return self._token

    def begin_mint(self, stale: str | None, *, spacing: float) -> bool:
        with self._lock:
            now, newest = self._clock(), self._token[0] if self._token else None
            if newest != stale or now < self._next_mint_at:
                return False
            self._next_mint_at = now + spacing
            return True

    def finish_mint(self, value: str, life: float, scopes: str = "") -> None:
        with self._lock:
            self._token, self._refusal = (value, life, scopes), None

    def fail_mint(self, *, wait_seconds: float | None, refusal: str | None = None) -> None:
        with self._lock:
            if wait_seconds is not None:
                self._next_mint_at = self._clock() + wait_seconds
            self._refusal = refusal or self._refusal

    def refusal(self) -> tuple[str, float] | None:
        return None if self._refusal is None else (self._refusal, 0.0)

    def mint_wait(self) -> float:
        with self._lock:
            return max(0.0, self._next_mint_at - self._clock())
