"""Access tokens and their limits: how many may be minted, which are alive. They survive restarts."""

import secrets
import time
from typing import Final

from dev.sandbox.ledger import Ledger

CLIENT_ID: Final = "1000.SANDBOX"
CLIENT_SECRET: Final = "sandbox-secret"  # noqa: S105 - the sandbox's published development credential
REFRESH_TOKEN: Final = "1000.sandbox.refresh"  # noqa: S105 - the same
SCOPE: Final = "ZohoCRM.modules.ALL ZohoCRM.settings.ALL ZohoCRM.users.READ ZohoCRM.org.READ ZohoCRM.bulk.ALL"
MINT_WINDOW: Final = 600.0
"""Seconds in which at most `mint_limit` (10) tokens are minted per refresh token (Zoho's accounts pages)."""
ACTIVE_LIMIT: Final = 30
"""Live access tokens of a refresh token; one more invalidates the oldest (same source)."""


class Tokens:
    """Minted tokens; `life` is in seconds."""

    def __init__(self, ledger: Ledger) -> None:
        self._db = ledger.db
        self.life = 3_600
        self.mint_limit = 10
        self.load()

    def load(self) -> None:
        """Load the live tokens."""
        rows = self._db.execute("SELECT token, expires FROM tokens WHERE active ORDER BY minted").fetchall()
        self._alive: dict[str, float] = dict(rows)

    def throttled(self) -> bool:
        """Return whether the mint limit of the window is reached."""
        since = time.time() - MINT_WINDOW
        minted = self._db.execute("SELECT count(*) FROM tokens WHERE minted > ?", (since,)).fetchone()[0]
        return int(minted) >= self.mint_limit

    def mint(self, refresh_token: str) -> str:
        """Mint a token of Zoho's shape; invalidate the oldest if there are too many."""
        token = f"1000.{secrets.token_hex(16)}.{secrets.token_hex(16)}"
        minted = time.time()
        self._db.execute(
            "INSERT INTO tokens VALUES (?,?,?,?,1)", (token, refresh_token, minted, minted + self.life)
        )
        self._alive[token] = minted + self.life
        while len(self._alive) > ACTIVE_LIMIT:
            self.revoke(next(iter(self._alive)))
        return token

    def valid(self, token: str) -> bool:
        """Return whether this token is live."""
        return self._alive.get(token, 0.0) > time.time()

    def revoke(self, token: str) -> bool:
        """End one token; False if it was not live."""
        self._db.execute("UPDATE tokens SET active=0 WHERE token=?", (token,))
        return self._alive.pop(token, None) is not None

    def expire_all(self) -> None:
        """End every token at once."""
        self._db.execute("UPDATE tokens SET active=0")
        self._alive.clear()

    def minted_at(self) -> list[float]:
        """Return when every token was minted, oldest first, in seconds since the epoch."""
        return [float(row[0]) for row in self._db.execute("SELECT minted FROM tokens ORDER BY minted")]
