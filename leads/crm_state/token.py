"""The CRM's access token, one for all processes, and the right to mint (refresh) the next one.

Each method is one short statement: the row is its own lock, and only the database's clock counts.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Engine, Row, TextClause, text

_CURRENT = text("""
SELECT value, scopes, extract(epoch FROM expires_at - clock_timestamp())::float8 AS life FROM crm_token
WHERE destination = 'zoho' AND value IS NOT NULL
""")
# The process whose update finds the row so mints alone. If it dies, the next may begin when the spacing is over.
_BEGIN = text("""
UPDATE crm_token SET next_mint_at = clock_timestamp() + make_interval(secs => :spacing)
WHERE destination = 'zoho' AND value IS NOT DISTINCT FROM cast(:stale AS text) AND next_mint_at <= clock_timestamp()
RETURNING 1
""")
_FINISH = text("""
UPDATE crm_token SET value = :value, scopes = :scopes, refusal = NULL, refused_at = NULL,
    expires_at = clock_timestamp() + make_interval(secs => :life)
WHERE destination = 'zoho'
""")
_FAIL = text("""
UPDATE crm_token SET refusal = coalesce(:refusal, refusal),
    refused_at = CASE WHEN cast(:refusal AS text) IS NULL THEN refused_at ELSE clock_timestamp() END,
    next_mint_at = coalesce(clock_timestamp() + make_interval(secs => :wait), next_mint_at)
WHERE destination = 'zoho'
""")
_WAIT = text("""
SELECT greatest(0, extract(epoch FROM next_mint_at - clock_timestamp()))::float8 AS wait
FROM crm_token WHERE destination = 'zoho'
""")
_REFUSAL = text("""
SELECT refusal, extract(epoch FROM clock_timestamp() - refused_at)::float8 AS seconds FROM crm_token
WHERE destination = 'zoho' AND refusal IS NOT NULL
""")


@dataclass(frozen=True, slots=True)
class TokenTable:
    """The token's row. Lifetimes and waits are in seconds by the database's clock."""

    engine: Engine

    def read(self) -> tuple[str, float, str] | None:
        """Return the newest token, its seconds left (negative: expired) and its scopes; None before the first."""
        row = self._run(_CURRENT)
        return None if row is None else (row.value, row.life, row.scopes)

    def begin_mint(self, stale: str | None, *, spacing: float) -> bool:
        """Take the right to mint a token in place of `stale` (None: the first); no other begins for `spacing`."""
        return self._run(_BEGIN, stale=stale, spacing=spacing) is not None

    def finish_mint(self, value: str, life: float, scopes: str = "") -> None:
        """Store the new token, valid for `life` seconds."""
        self._run(_FINISH, value=value, life=life, scopes=scopes)

    def fail_mint(self, *, wait_seconds: float | None, refusal: str | None = None) -> None:
        """End a mint without a token. The next may begin in `wait_seconds`; None: when the spacing is over.

        `refusal`: the code with which the CRM refused our credentials, kept until a mint succeeds.
        """
        self._run(_FAIL, wait=wait_seconds, refusal=refusal)

    def refusal(self) -> tuple[str, float] | None:
        """Return the code with which the CRM refused our credentials last, and how many seconds ago."""
        row = self._run(_REFUSAL)
        return None if row is None else (row.refusal, row.seconds)

    def mint_wait(self) -> float:
        """Return the seconds until a mint may begin."""
        row = self._run(_WAIT)
        return 0.0 if row is None else float(row.wait)

    def _run(self, statement: TextClause, **parameters: object) -> Row[Any] | None:
        with self.engine.connect() as connection:
            result = connection.execute(statement, parameters)
            return result.one_or_none() if result.returns_rows else None
