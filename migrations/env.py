"""Runs the migrations against DATABASE_URL, one deployment at a time, beside a site that keeps running.

A statement that waits for a table's lock makes every visitor wait behind it, so it gives up after a second and is
tried again later. Each migration is a transaction of its own: what was done stays done.
"""

import logging
import threading
import time

from alembic import context
from alembic.util import CommandError
from psycopg.errors import LockNotAvailable
from sqlalchemy import Connection, Engine, create_engine, text
from sqlalchemy.exc import OperationalError

from leads.settings import SettingsError, read_settings
from leads.tables import metadata

log = logging.getLogger("migrations")  # a logger below "alembic" would be silent

# Any number, the same in every copy, so that two deployments that start together take turns.
MIGRATION_LOCK = 4_021_733
# Far less than the 5 s after which the site gives up storing a lead. An index is built on one core, not on all.
SETTINGS = "-c lock_timeout=1s -c max_parallel_maintenance_workers=0"
PAUSE_SECONDS = 2.0
PATIENCE_SECONDS = 900.0


def run() -> None:
    """Apply (or, with --sql, print) the migrations."""
    try:
        url = str(read_settings().database_url)
    except SettingsError as error:
        raise CommandError(str(error)) from error  # alembic prints it without a traceback
    if context.is_offline_mode():
        context.configure(url=url, target_metadata=metadata, literal_binds=True)
        context.run_migrations()
        return
    engine = create_engine(url, connect_args={"options": SETTINGS})
    # Held by the session: an open transaction would make every index that is built concurrently wait for it.
    with _connect(engine).execution_options(isolation_level="AUTOCOMMIT") as turn:
        turn.execute(text("SET lock_timeout = 0"))
        turn.execute(text("SELECT pg_advisory_lock(:key)"), {"key": MIGRATION_LOCK})
        until = time.monotonic() + PATIENCE_SECONDS
        with engine.connect() as connection:
            context.configure(
                connection=connection,
                target_metadata=metadata,
                compare_server_default=True,
                transaction_per_migration=True,
            )
            _refuse_unknown()
            while not _migrate(may_retry=time.monotonic() < until):
                connection.rollback()
                threading.Event().wait(PAUSE_SECONDS)
    engine.dispose()


def _connect(engine: Engine) -> Connection:
    try:
        return engine.connect()
    except OperationalError as error:
        raise CommandError(f"PostgreSQL cannot be reached: {error.orig}") from error


def _refuse_unknown() -> None:
    """Stop at a database whose revision is none of this code's, in words that say what to do."""
    known = {script.revision for script in context.script.walk_revisions()}
    for revision in set(context.get_context().get_current_heads()) - known:
        raise CommandError(
            f"This code does not know the database's revision {revision}. A newer version made it: run that one. "
            "A version before the first release made it: start anew (make clean DATA=yes)."
        )


def _migrate(*, may_retry: bool) -> bool:
    """Apply the migrations; False when a table was in use, so that the rest must be tried again."""
    try:
        with context.begin_transaction():
            context.run_migrations()
    except OperationalError as error:
        if not (isinstance(error.orig, LockNotAvailable) and may_retry):
            raise
        log.warning("a table is in use by a long transaction; trying again in %g s", PAUSE_SECONDS)
        return False
    return True


run()
