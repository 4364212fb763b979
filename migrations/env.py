"""Runs the migrations against DATABASE_URL, one deployment at a time."""

from __future__ import annotations

from alembic import context
from sqlalchemy import create_engine, text

from leads.settings import read_settings
from leads.tables import metadata

# Any number, the same in every copy, so that two deployments that start together take turns.
MIGRATION_LOCK = 4_021_733


def run() -> None:
    """Apply (or, with --sql, print) the migrations."""
    url = str(read_settings().database_url)
    if context.is_offline_mode():
        context.configure(url=url, target_metadata=metadata, literal_binds=True)
        context.run_migrations()
        return
    engine = create_engine(url)
    with engine.begin() as connection:
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": MIGRATION_LOCK})
        context.configure(connection=connection, target_metadata=metadata, compare_server_default=True)
        context.run_migrations()
    engine.dispose()


run()
