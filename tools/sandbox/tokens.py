"""Access tokens and their limits: how many may be minted, which are alive. They survive restarts."""

import random
from typing import Final

from tools.sandbox.ledger import Ledger
from tools.sandbox.limits import Clock, Limits

SCOPE: Final = "ZohoCRM.modules.ALL ZohoCRM.settings.ALL ZohoCRM.users.READ ZohoCRM.org.READ ZohoCRM.bulk.ALL"
MINT_WINDOW: Final = 600.0
"""Seconds in which at most `mint_limit` (10) tokens are minted per refresh token (Zoho's accounts pages)."""


class Tokens:
    """Minted tokens. With a `seed` the same tokens come again, but none twice from one ledger."""

    def __init__(self, ledger: Ledger, limits: Limits, clock: Clock, seed: int | None) -> None:
        self._db, self._limits, self._clock, self._seed = ledger.db, limits, clock, seed
        self.load()

    def load(self) -> None:
        """Load the live tokens."""
        rows = self._db.execute("SELECT token, expires FROM tokens WHERE active ORDER BY minted").fetchall()
        self._alive: dict[str, float] = dict(rows)
        minted = len(self.minted_at())
        self._random = random.Random(None if self._seed is None else f"{self._seed}:{minted}")

    def throttled(self) -> bool:
        """Return whether the limit of the window is reached."""
        words = "SELECT count(*) FROM tokens WHERE minted > ?"
        (minted,) = self._db.execute(words, (self._clock() - MINT_WINDOW,)).fetchone()
        return int(minted) >= self._limits.token_mint_limit

    def mint(self, refresh_token: str) -> str:
        """Mint a token of Zoho's shape."""
        token = f"1000.{self._random.randbytes(16).hex()}.{self._random.randbytes(16).hex()}"
        minted = self._clock()
        expires = minted + self._limits.token_life_s
        self._db.execute("INSERT INTO tokens VALUES (?,?,?,?,1)", (token, refresh_token, minted, expires))
        self._alive[token] = expires
        return token

    def valid(self, token: str) -> bool:
        """Return whether this token is live."""
        return self._alive.get(token, 0.0) > self._clock()

    def expire_all(self) -> None:
        """End every token at once."""
        self._db.execute("UPDATE tokens SET active=0")
        self._alive.clear()

    def minted_at(self) -> list[float]:
        """Return when every token was minted, oldest first, in seconds since the epoch."""
        return [float(row[0]) for row in self._db.execute("SELECT minted FROM tokens ORDER BY minted")]
