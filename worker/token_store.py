"""The CRM client's token store on the database: one token and one mint for all processes of all machines."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from worker.crash import CrashPoint, crash
from worker.zoho.tokens import MINT_LEASE_SECONDS, MINT_SPACING_SECONDS, AccessToken

if TYPE_CHECKING:
    from leads.crm_state.token import TokenTable


@dataclass(frozen=True, slots=True)
class SharedTokenStore:
    """See `worker.zoho.tokens.TokenStore`. Clocks of different machines never meet: lives travel, not instants."""

    table: TokenTable
    crash_at: str = ""

    def current(self) -> AccessToken | None:
        """The newest finished token, its end told by this process's clock."""
        found = self.table.read()
        if found is None:
            return None
        value, life, scopes = found
        return AccessToken(value, datetime.now(UTC) + timedelta(seconds=life), tuple(scopes.split()))

    def begin_mint(self, stale: str | None) -> bool:
        """Whether this caller alone may mint now."""
        begun = self.table.begin(stale, spacing=MINT_SPACING_SECONDS, lease=MINT_LEASE_SECONDS)
        if begun:
            crash(self.crash_at, CrashPoint.DURING_MINT)
        return begun

    def finish_mint(self, token: AccessToken) -> None:
        """Publish the new token."""
        life = (token.expires_at - datetime.now(UTC)).total_seconds()
        self.table.finish(token.value, life, " ".join(token.scopes))

    def fail_mint(self, *, spent: bool, wait_seconds: float = 0.0) -> None:
        """End the mint without a token."""
        self.table.fail(spent=spent, wait=wait_seconds)

    def mint_wait(self) -> float:
        """Seconds until a mint is allowed."""
        return self.table.wait()
