"""Migrations beside a running product: they refuse while an older process lives, and make no visitor wait."""

import os
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import psycopg
import pytest

from leads.db import REVISION
from tests.support.database import rows_of
from tests.support.next_migration import NEXT, make_up
from tests.support.processes import wait_for
from tests.support.samples import LEAD, record_lead
from tests.support.site import running_site
from tools.servers.server_process import ROOT

pytestmark = pytest.mark.slow

COLUMN = 'op.add_column("leads", sa.Column("made_up", sa.Text()))'
INDEX = 'index_concurrently("ix_made_up", "leads", ["surname"], postgresql_where=sa.text("surname IS NOT NULL"))'


def refuse(revision):
    return f'refuse_while_older_lives(op.get_bind(), "{revision}")'


def upgrade(database_url, environment, *options):
    command = [sys.executable, "-m", "alembic", "upgrade", "head", *options]
    environ = os.environ | {"DATABASE_URL": database_url} | environment
    return subprocess.run(command, cwd=ROOT, env=environ, check=False, capture_output=True, text=True, timeout=60)


@contextmanager
def session(database_url, name):
    with psycopg.connect(database_url, autocommit=True, application_name=name) as connection:
        yield connection


def revision_of(engine):
    return rows_of(engine, "SELECT version_num FROM alembic_version")[0]["version_num"]


def test_the_code_knows_its_newest_migration():
    assert max((ROOT / "migrations/versions").glob("[0-9]*.py")).name[:4] == REVISION


def test_a_site_tells_its_version(database_url, engine):
    with running_site(DATABASE_URL=database_url) as app:
        assert app.test_client().get("/readyz").status_code == 200
        named = rows_of(
            engine,
            "SELECT DISTINCT application_name AS name FROM pg_stat_activity WHERE datname = current_database()",
        )
    assert f"web-watch {REVISION}" in {row["name"] for row in named}


def test_a_migration_that_removes_something_refuses_while_an_older_process_is_connected(
    database_url, engine, tmp_path
):
    environment = make_up(tmp_path, refuse(NEXT), COLUMN)
    with session(database_url, f"web {REVISION}"), session(database_url, f"worker {NEXT}"):
        refused = upgrade(database_url, environment)
    assert refused.returncode != 0
    assert refused.stdout.strip().splitlines()[-1].strip() == (
        f"FAILED: This migration removes what an older version still uses, and one is connected (web {REVISION}): "
        "replace it by the release before this one, or stop it, then migrate again."
    )
    assert "Traceback" not in refused.stdout + refused.stderr
    assert revision_of(engine) == REVISION
    engine.dispose()  # this test's own sessions tell their version too
    with session(database_url, f"worker {NEXT}"), session(database_url, "psql"):
        assert upgrade(database_url, environment).returncode == 0


def test_processes_of_another_database_are_not_asked(make_database, database_url, tmp_path):
    with make_database() as other, session(other, f"web {REVISION}"):
        assert upgrade(database_url, make_up(tmp_path, refuse(NEXT), COLUMN)).returncode == 0


def waits(engine, lock):
    """Until a migration waits for a lock: a table's, or the end of a transaction."""
    waiting = f"SELECT 1 FROM pg_locks WHERE locktype = '{lock}' AND NOT granted"
    wait_for(lambda: bool(rows_of(engine, waiting)), 30, "the migration to wait")


def test_an_index_is_made_beside_a_writer_and_again_after_an_interruption(database_url, engine, tmp_path):
    with session(database_url, "psql") as connection:
        connection.execute("CREATE INDEX ix_made_up ON leads (name)")  # stands for one that is not valid
    with session(database_url, "psql") as writer, ThreadPoolExecutor(1) as pool:
        writer.execute("BEGIN")
        writer.execute("LOCK TABLE leads IN ROW EXCLUSIVE MODE")
        migrating = pool.submit(upgrade, database_url, make_up(tmp_path, INDEX))
        waits(engine, "virtualxid")
        record_lead(engine, LEAD)
        threading.Event().wait(1.5)  # longer than a migration's lock_timeout
        writer.execute("COMMIT")
    done = migrating.result()
    assert (done.returncode, "a table is in use" in done.stderr) == (0, False), done.stderr
    (made,) = rows_of(engine, "SELECT indexdef FROM pg_indexes WHERE indexname = 'ix_made_up'")
    assert "(surname)" in made["indexdef"]


def test_a_change_of_a_table_waits_for_its_reader_and_no_visitor_waits_behind_it(database_url, engine, tmp_path):
    with session(database_url, "psql") as reader, ThreadPoolExecutor(1) as pool:
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM leads")
        migrating = pool.submit(upgrade, database_url, make_up(tmp_path, COLUMN))
        waits(engine, "relation")
        record_lead(engine, LEAD)  # fails after five seconds if the migration goes on waiting before it
        reader.execute("COMMIT")
    done = migrating.result()
    assert (done.returncode, "a table is in use" in done.stderr) == (0, True), done.stderr
    assert revision_of(engine) == NEXT


@pytest.mark.parametrize("lines", [(refuse(NEXT), COLUMN), (COLUMN,)])
def test_the_statements_can_be_printed(database_url, tmp_path, lines):
    printed = upgrade(database_url, make_up(tmp_path, *lines), "--sql")
    assert (printed.returncode, "made_up" in printed.stdout) == (0, True), printed.stderr
