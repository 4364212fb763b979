"""A migration that is killed at any of its statements: visitors are served, and the next run finishes it."""

from __future__ import annotations

import itertools
from contextlib import contextmanager

import pytest
from alembic import command
from alembic.config import Config
from sqlalchemy import Engine, Pool, event
from sqlalchemy.exc import PendingRollbackError

from dev.next_migration import make_up
from leads.db import connect_engine
from leads.outbox.store import record_lead
from leads.revision import REVISION
from tests.support.database import rows_of
from tests.support.samples import LEAD

OLDEST = "0100"
MADE_UP = (
    (
        'op.add_column("leads", sa.Column("made_up", sa.Text()))',
        'op.execute("UPDATE leads SET made_up = surname")',
        'op.create_check_constraint("made_up_short", "leads", "length(made_up) < 1000")',
    ),
    ('index_concurrently("ix_made_up", "leads", ["surname"], postgresql_where=sa.text("surname IS NOT NULL"))',),
)
SHAPE = """
SELECT attrelid::regclass::text AS part_of, attname AS name, format_type(atttypid, atttypmod) AS what,
    attnotnull::text AS more
FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'v') AND attnum > 0 AND NOT attisdropped
UNION ALL SELECT indrelid::regclass::text, indexrelid::regclass::text, pg_get_indexdef(indexrelid), indisvalid::text
FROM pg_index JOIN pg_class ON pg_class.oid = indrelid WHERE relnamespace = 'public'::regnamespace
UNION ALL SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid), ''
FROM pg_constraint WHERE connamespace = 'public'::regnamespace
UNION ALL SELECT '', '', version_num, '' FROM alembic_version ORDER BY 1, 2, 3
"""


class Killed(BaseException):
    """The process that migrates ends."""


@contextmanager
def killed_at(number, when):
    """End it, with its sessions, right before its statement or commit of this number."""
    numbers, sessions = itertools.count(1), []

    def strike(*_):
        if next(numbers) == number:
            raise Killed

    def note(session, _):
        sessions.append(session)

    event.listen(Engine, when, strike)
    event.listen(Pool, "connect", note)
    try:
        yield
    finally:
        event.remove(Engine, when, strike)
        event.remove(Pool, "connect", note)
        for session in sessions:
            session.close()


def shape(engine):
    return rows_of(engine, SHAPE)


def revision_of(engine):
    return rows_of(engine, "SELECT version_num FROM alembic_version")[0]["version_num"]


@pytest.fixture
def migrating(make_database, tmp_path, monkeypatch):
    """A context with a database of the first release, and what migrates it to two migrations beyond the newest."""
    for number, lines in enumerate(MADE_UP):
        before = f"{int(REVISION) + number:04}"
        given = make_up(tmp_path, *lines, revision=f"{int(before) + 1:04}", before=before)
    config = Config(given["ALEMBIC_CONFIG"])

    @contextmanager
    def begin():
        with make_database() as url:
            monkeypatch.setenv("DATABASE_URL", url)
            command.downgrade(config, OLDEST)
            engine = connect_engine(url, pool=1, name="test")
            yield engine, lambda: command.upgrade(config, "head")
            engine.dispose()

    return begin


@pytest.mark.slow
@pytest.mark.parametrize(("when", "least"), [("before_cursor_execute", 12), ("commit", 4)])
def test_the_next_run_finishes_what_was_killed_at_any_statement(migrating, when, least):
    with migrating() as (engine, upgrade):
        upgrade()
        whole = shape(engine)
    for number in itertools.count(1):
        with migrating() as (engine, upgrade):
            try:
                with killed_at(number, when):
                    upgrade()
            except (Killed, PendingRollbackError):  # the second from what still runs, without its session
                if revision_of(engine) >= REVISION:
                    record_lead(engine, LEAD)
                upgrade()
            else:
                break
            assert shape(engine) == whole, f"killed at {number}"
            record_lead(engine, LEAD)
    assert number > least
