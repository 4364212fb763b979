"""Test enquiries: marked by their idempotency key, which only this product can sign; in no figure, gone soon."""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy import Engine, text

from leads.destinations import CRM, STAFF_MAIL
from leads.settings import Settings
from leads.turns import forget_turn

TURN = "test enquiry"  # the name of the workers' turn
_PREFIX = "test-"
# SQL: whether a row of `leads` is one. No other enquiry is stored under such a key.
IS_TEST = f"coalesce(starts_with(idempotency_key, '{_PREFIX}'), false)"

# A test that was lost is found for as long.
_PENDING = text(f"""
SELECT leads.id, created_at, bool_and(status = 'sent') AS arrived,
    extract(epoch FROM now() - created_at)::float8 AS age
FROM leads JOIN deliveries USING (id)
WHERE {IS_TEST} AND created_at > now() - interval '7 days' AND destination IN ('{CRM}', '{STAFF_MAIL}')
GROUP BY leads.id
""")  # noqa: S608 - constants of this project
_STATE = text("""
SELECT extract(epoch FROM now() - done_at)::float8 AS age, note FROM turns WHERE name = :name
""")


@dataclass(frozen=True, slots=True)
class Pending:
    """A test enquiry that was not removed yet; `age` is in seconds. arrived: all that was owed for it was sent."""

    id: UUID
    created_at: datetime
    arrived: bool
    age: float


@dataclass(frozen=True, slots=True)
class TrialState:
    """Seconds since the last test enquiry arrived, and why the newest did not; 0: there are none to wait for."""

    age: float = 0.0
    note: str | None = None


class TrialKeys:
    """Makes the keys of test enquiries, and knows them again."""

    def __init__(self, settings: Settings) -> None:
        self._secret = settings.derive_key("test enquiry")

    def make(self) -> str:
        """Return a new key."""
        nonce = secrets.token_hex(8)
        return f"{_PREFIX}{nonce}-{self._sign(nonce)}"

    def is_genuine(self, key: str) -> bool:
        """Whether this product made a key; see `is_marked`."""
        nonce, _, signature = key.removeprefix(_PREFIX).partition("-")
        return is_marked(key) and hmac.compare_digest(signature, self._sign(nonce))

    def _sign(self, nonce: str) -> str:
        return hmac.new(self._secret, nonce.encode(), "sha256").hexdigest()


def is_marked(key: str | None) -> bool:
    """Whether a key says that its enquiry is a test."""
    return key is not None and key.startswith(_PREFIX)


def read_pending(engine: Engine) -> Sequence[Pending]:
    """Return the test enquiries that are still stored."""
    with engine.connect() as connection:
        return [Pending(*row) for row in connection.execute(_PENDING)]


def read_trial(engine: Engine) -> TrialState:
    """Return when the last one arrived."""
    with engine.connect() as connection:
        found = connection.execute(_STATE, {"name": TURN}).first()
        return TrialState() if found is None else TrialState(found.age, found.note)


def end_trials(engine: Engine) -> None:
    """Expect none any more."""
    forget_turn(engine, TURN)
