"""The daily check of the CRM's fields and records: whose turn it is, and what the last one found. SQL only."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Engine, text

# A check that fails is made again after an hour. One hour less than a day, so that a second try is still within it.
_BEGIN = text("""
UPDATE crm_fields SET check_at = now() + interval '1 hour'
WHERE destination = 'zoho' AND check_at <= now() RETURNING 1
""")
_RECORD = text("""
UPDATE crm_fields SET missing = :missing, checked_at = now(), check_at = now() + interval '23 hours'
WHERE destination = 'zoho'
""")
_RECORD_RECORDS = text("UPDATE crm_fields SET missing_records = :missing WHERE destination = 'zoho'")
_READ = text("SELECT missing, missing_records, checked_at FROM crm_fields WHERE destination = 'zoho'")


@dataclass(frozen=True, slots=True)
class FieldCheck:
    """What the last check found: the names of the missing fields, and when it was made; None: never.

    missing_records: of a sample of a day's sent rows, how many have no record in the CRM.
    """

    missing: list[str]
    missing_records: int | None
    checked_at: datetime | None


def begin_field_check(engine: Engine) -> bool:
    """Take the due check; True for the one worker among all that is to make it."""
    with engine.connect() as connection:
        return connection.execute(_BEGIN).scalar() is not None


def record_field_check(engine: Engine, missing: Sequence[str]) -> None:
    """Record what a check found; the next one is due in a day."""
    with engine.connect() as connection:
        connection.execute(_RECORD, {"missing": list(missing)})


def record_missing_records(engine: Engine, missing: int) -> None:
    """Record how many of the sampled rows have no record in the CRM."""
    with engine.connect() as connection:
        connection.execute(_RECORD_RECORDS, {"missing": missing})


def read_field_check(engine: Engine) -> FieldCheck:
    """Return what the last check found."""
    with engine.connect() as connection:
        return FieldCheck(**connection.execute(_READ).mappings().one())
