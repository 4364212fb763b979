"""The tables in code are the tables that the migrations make."""

import os
import subprocess
import sys

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import text

from leads.tables import metadata
from tests.support.database import rows_of
from tools.servers.server_process import ROOT


def test_the_migrations_make_exactly_the_tables_of_the_code(engine):
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_server_default": True})
        assert compare_metadata(context, metadata) == []


def test_the_conditions_of_the_indexes_are_those_of_the_code(engine, database_url):
    """Alembic does not compare the WHERE of an index, and a query that does not repeat it scans the table."""
    made = index_words(engine)
    with engine.connect() as connection:
        for name in made:
            connection.execute(text(f"DROP INDEX {name}"))
    for table in metadata.sorted_tables:
        for index in table.indexes:
            index.create(engine)
    assert index_words(engine) == made


def index_words(engine):
    found = rows_of(engine, "SELECT indexname, indexdef FROM pg_indexes WHERE indexname LIKE 'ix_%'")
    return {row["indexname"]: row["indexdef"] for row in found}


def upgrade(url):
    command, environ = [sys.executable, "-m", "alembic", "upgrade", "head"], os.environ | {"DATABASE_URL": url}
    done = subprocess.run(command, check=False, cwd=ROOT, env=environ, capture_output=True, text=True, timeout=60)
    assert done.returncode != 0
    assert "Traceback" not in done.stdout + done.stderr
    return done.stdout + done.stderr


@pytest.mark.slow
@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("nonsense", "DATABASE_URL must look like postgresql://user:password@host:5432/name"),
        ("postgresql://somebody:secret@127.0.0.1:1/clinic", "PostgreSQL cannot be reached: connection failed"),
    ],
)
def test_a_wrong_address_is_one_sentence_without_the_password(url, words):
    told = upgrade(url)
    assert words in told
    assert "secret" not in told


@pytest.mark.slow
def test_a_database_of_an_unknown_version_says_what_to_do(engine, database_url):
    with engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '0019'"))
    told = upgrade(database_url)
    assert "does not know the database's revision 0019" in told
    assert "make clean DATA=yes" in told
