"""The newest migration that this code knows.

Every session tells it (`leads/db.py`), so that a migration which removes something can refuse while older code is
connected (`migrations/live_tables.py`).
"""

from __future__ import annotations

from sqlalchemy import Engine, text
from sqlalchemy.exc import ProgrammingError

REVISION = "0100"
VERSION = "1.0.0"  # of the release, as CHANGELOG.md has it


def find_lag(engine: Engine) -> str:
    """Return what to do when the database lacks a migration of this code, "" when it has them all.

    A newer one has them all: the release before goes on working on it.
    """
    try:
        with engine.connect() as connection:
            found = connection.execute(text("SELECT max(version_num) FROM alembic_version")).scalar()
    except ProgrammingError:
        found = None  # there is no such table
    if found is not None and found >= REVISION:
        return ""
    return f"the database is at {found or 'no migration'}, this code needs {REVISION}: run `alembic upgrade head`"
