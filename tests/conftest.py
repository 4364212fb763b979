"""Shared fixtures: a real PostgreSQL with the real migrations, a real Valkey, the CRM sandbox over HTTP.

Each is started once per session, by the first test that asks for it, and imports what it needs then: a test without
servers pays for none.
"""

import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from itertools import count
from pathlib import Path

import pytest
from sqlalchemy import Engine

from tools.sandbox.process import SandboxProcess
from tools.servers.postgres import EmbeddedPostgres
from tools.servers.scratch import scratch
from tools.servers.valkey import EmbeddedValkey

TEMPLATE = "migrated"
MakeDatabase = Callable[[], AbstractContextManager[str]]

pytest.register_assert_rewrite("tests.support.outbox_machine", "tests.support.pipeline")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Declare what `make proofs` sets."""
    parser.addoption("--long", action="store_true", help="process tests in their long size, with judged times")
    parser.addoption("--seeds", type=int, default=10, help="how many seeds the simulation plays (default: 10)")
    parser.addoption("--pairs", type=int, default=0, help="how many pairs of cuts each journey meets (default: 0)")


@pytest.fixture(scope="session")
def servers_dir() -> Iterator[Path]:
    """Where the embedded servers keep their data for this session."""
    with tempfile.TemporaryDirectory(prefix="clinic-tests-", dir=scratch()) as folder:
        yield Path(folder)


@pytest.fixture(scope="session")
def postgres(servers_dir: Path) -> Iterator[EmbeddedPostgres]:
    """One cluster for the session, or the running one in the folder TEST_POSTGRES; see `make_database`."""
    from tools.servers.postgres import EmbeddedPostgres

    if shared := os.environ.get("TEST_POSTGRES"):
        yield EmbeddedPostgres.running(Path(shared))
        return
    with EmbeddedPostgres(servers_dir / "postgres", durable=False) as server:
        yield server


@pytest.fixture(scope="session")
def make_database(postgres: EmbeddedPostgres) -> Iterator[MakeDatabase]:
    """A context with the address of a fresh, empty, migrated database (some 20 ms), which is dropped at its end."""
    import psycopg
    from psycopg import sql

    from tools.servers.postgres import migrate

    names, template = count(), sql.Identifier(TEMPLATE)

    # Who drops a database may have to end an autovacuum worker, which is the superuser's.
    with psycopg.connect(postgres.superuser_url, autocommit=True) as connection:
        if not connection.execute("SELECT FROM pg_database WHERE datname = %s", [TEMPLATE]).rowcount:
            connection.execute(sql.SQL("CREATE DATABASE {} OWNER clinic").format(template))
            migrate(postgres.url_of(TEMPLATE))

        @contextmanager
        def make() -> Iterator[str]:
            name = f"test_{os.getpid()}_{next(names)}"
            words = sql.SQL("CREATE DATABASE {} OWNER clinic TEMPLATE {} STRATEGY FILE_COPY")
            connection.execute(words.format(sql.Identifier(name), template))
            yield postgres.url_of(name)
            connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))

        yield make


@pytest.fixture
def database_url(make_database: MakeDatabase) -> Iterator[str]:
    """A fresh migrated database for this test alone."""
    with make_database() as url:
        yield url


@pytest.fixture
def engine(database_url: str) -> Iterator[Engine]:
    """An engine on this test's own database."""
    from leads.db import connect_engine
    from leads.settings import read_settings

    engine = connect_engine(read_settings({"DATABASE_URL": database_url}).database_url, pool=4, name="test")
    yield engine
    engine.dispose()


@pytest.fixture(scope="module")
def module_database_url(make_database: MakeDatabase) -> Iterator[str]:
    """A fresh migrated database that the tests of one module share."""
    with make_database() as url:
        yield url


@pytest.fixture
def own_postgres(tmp_path: Path) -> Iterator[EmbeddedPostgres]:
    """A migrated cluster for this test alone, which may stop, kill or freeze it."""
    from tools.servers.postgres import EmbeddedPostgres, migrate

    with EmbeddedPostgres(tmp_path / "postgres", durable=False) as server:
        migrate(server.url)
        yield server


@pytest.fixture(scope="session")
def valkey(servers_dir: Path) -> Iterator[EmbeddedValkey]:
    """One Valkey for the session; tests that need it empty flush it."""
    from tools.servers.valkey import EmbeddedValkey

    with EmbeddedValkey(servers_dir / "valkey") as server:
        yield server


@pytest.fixture(scope="session")
def sandbox_process(servers_dir: Path) -> Iterator[SandboxProcess]:
    """One CRM sandbox for the session, a process of its own."""
    from tools.sandbox.process import SandboxProcess

    with SandboxProcess.start(servers_dir / "sandbox") as process:
        yield process


@pytest.fixture
def sandbox(sandbox_process: SandboxProcess) -> SandboxProcess:
    """The CRM sandbox, emptied for this test."""
    sandbox_process.reset()
    return sandbox_process
