"""What all workers share: the CRM's token, the daily check of its fields, the runs of periodic jobs. SQL only.

Each function is one short statement: the row is its own lock, and only the database's clock counts.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from sqlalchemy import Engine, func, select, update
from sqlalchemy.dialects.postgresql import insert

from leads.db import run, seconds, seconds_of
from leads.tables import crm_fields, crm_token, periodic_runs

TOKEN, CHECK = crm_token.c, crm_fields.c
_NOW = func.clock_timestamp()
# A check that fails is made again after an hour. One hour less than a day, so that a second try is still within it.
AFTER_FAILURE, AFTER_SUCCESS = timedelta(hours=1), timedelta(hours=23)


@dataclass(frozen=True, slots=True)
class TokenTable:
    """The access token, one for all processes, and the right to mint (refresh) the next one.

    Lifetimes and waits are in seconds by the database's clock.
    """

    engine: Engine

    def read(self) -> tuple[str, float, str] | None:
        """Return the newest token, its seconds left (negative: expired) and its scopes; None before the first."""
        life = seconds_of(TOKEN.expires_at - _NOW).label("life")
        found = run(self.engine, select(TOKEN.value, life, TOKEN.scopes).where(TOKEN.value.is_not(None)))
        return next(((row.value, row.life, row.scopes) for row in found), None)

    def begin_mint(self, stale: str | None, *, spacing: float) -> bool:
        """Take the right to mint a token in place of `stale` (None: the first); no other begins for `spacing`."""
        is_free = TOKEN.value.is_not_distinct_from(stale) & (TOKEN.next_mint_at <= _NOW)
        taken = update(crm_token).where(is_free).values(next_mint_at=_NOW + seconds(spacing))
        return bool(run(self.engine, taken.returning(TOKEN.next_mint_at)))

    def finish_mint(self, value: str, life: float, scopes: str = "") -> None:
        """Store the new token, valid for `life` seconds."""
        token = {"value": value, "scopes": scopes, "expires_at": _NOW + seconds(life)}
        run(self.engine, update(crm_token).values(token | {"refusal": None, "refused_at": None}))

    def fail_mint(self, *, wait_seconds: float | None, refusal: str | None = None) -> None:
        """End a mint without a token. The next may begin in `wait_seconds`; None: when the spacing is over.

        `refusal`: the code with which the CRM refused our credentials, kept until a mint succeeds.
        """
        refused = {} if refusal is None else {"refusal": refusal, "refused_at": _NOW}
        wait = {} if wait_seconds is None else {"next_mint_at": _NOW + seconds(wait_seconds)}
        if values := refused | wait:
            run(self.engine, update(crm_token).values(values))

    def refusal(self) -> tuple[str, float] | None:
        """Return the code with which the CRM refused our credentials last, and how many seconds ago."""
        ago = seconds_of(_NOW - TOKEN.refused_at).label("ago")
        found = run(self.engine, select(TOKEN.refusal, ago).where(TOKEN.refusal.is_not(None)))
        return next(((row.refusal, row.ago) for row in found), None)

    def mint_wait(self) -> float:
        """Return the seconds until a mint may begin."""
        ((wait,),) = run(self.engine, select(seconds_of(TOKEN.next_mint_at - _NOW)))
        return max(0.0, float(wait))


@dataclass(frozen=True, slots=True)
class FieldCheck:
    """What the last check found."""

    missing: list[str]  # fields
    missing_records: int | None  # of a sample of a day's sent rows, how many have no record in the CRM
    checked_at: datetime | None  # None: never
    next_at: datetime | None = field(default=None, compare=False)


def begin_field_check(engine: Engine) -> bool:
    """Take the due check; True for the one worker among all that is to make it."""
    due = update(crm_fields).where(CHECK.check_at <= func.now()).values(check_at=func.now() + AFTER_FAILURE)
    return bool(run(engine, due.returning(CHECK.check_at)))


def record_field_check(engine: Engine, missing: Sequence[str]) -> None:
    """Record what a check found; the next one is due in a day."""
    times = {"checked_at": func.now(), "check_at": func.now() + AFTER_SUCCESS}
    run(engine, update(crm_fields).values(missing=list(missing), **times))


def record_missing_records(engine: Engine, missing: int) -> None:
    """Record how many of the sampled rows have no record in the CRM."""
    run(engine, update(crm_fields).values(missing_records=missing))


def note_run(engine: Engine, name: str, result: str) -> None:
    """Note what came of a periodic job's run, in counts and codes."""
    values = {"ran_at": func.now(), "result": result}
    noted = insert(periodic_runs).values(name=name, **values)
    run(engine, noted.on_conflict_do_update(periodic_runs.primary_key, set_=values))


def read_runs(engine: Engine) -> dict[str, tuple[datetime, str]]:
    """Return when each periodic job ran last, and what came of it."""
    return {name: (ran_at, result) for name, ran_at, result in run(engine, select(periodic_runs))}


def read_field_check(engine: Engine) -> FieldCheck:
    """Return what the last check found."""
    (found,) = run(engine, select(CHECK.missing, CHECK.missing_records, CHECK.checked_at, CHECK.check_at))
    return FieldCheck(*found)
