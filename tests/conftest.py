"""Shared fixtures: a real PostgreSQL with the real migrations, a real Valkey, the CRM sandbox over HTTP.

Each is started once per session, when the first test asks for it. Nothing here is a stand-in.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

import psycopg
import pytest
from hypothesis import settings
from psycopg import sql

from dev.sandbox.process import SandboxProcess
from dev.servers.postgres import EmbeddedPostgres
from dev.servers.valkey import EmbeddedValkey
from leads.db import connect_engine
from leads.settings import read_settings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sqlalchemy import Engine

ROOT = Path(__file__).parents[1]
TEMPLATE = "migrated"

# The same examples on every machine, and no verdict by the clock of a shared one.
settings.register_profile("clinic", derandomize=True, deadline=None, print_blob=True)
settings.load_profile("clinic")


@pytest.fixture(scope="session")
def servers_dir() -> Iterator[Path]:
    """Where the embedded servers keep their data for this session."""
    folder = Path(tempfile.mkdtemp(prefix="clinic-tests-"))
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session")
def postgres(servers_dir: Path) -> Iterator[EmbeddedPostgres]:
    """One cluster for the session; its databases come from `make_database`."""
    with EmbeddedPostgres(servers_dir / "postgres", durable=False) as server:
        yield server


@pytest.fixture(scope="session")
def make_database(postgres: EmbeddedPostgres) -> Callable[[], str]:
    """A function that gives the address of a fresh, empty, migrated database (some 20 ms each)."""
    with psycopg.connect(postgres.url, autocommit=True) as connection:
        connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(TEMPLATE)))
    migrate(postgres.url_of(TEMPLATE))
    numbers = count(1)

    def make() -> str:
        name = f"test_{next(numbers)}"
        words = sql.SQL("CREATE DATABASE {} TEMPLATE {} STRATEGY FILE_COPY")
        with psycopg.connect(postgres.url, autocommit=True) as connection:
            connection.execute(words.format(sql.Identifier(name), sql.Identifier(TEMPLATE)))
        return postgres.url_of(name)

    return make


@pytest.fixture
def database_url(make_database: Callable[[], str]) -> str:
    """A fresh migrated database for this test alone."""
    return make_database()


@pytest.fixture
def engine(database_url: str) -> Iterator[Engine]:
    """An engine on this test's own database."""
    engine = connect_engine(read_settings({"DATABASE_URL": database_url}).database_url, pool=4, name="test")
    yield engine
    engine.dispose()


@pytest.fixture(scope="module")
def module_database_url(make_database: Callable[[], str]) -> str:
    """A fresh migrated database that the tests of one module share."""
    return make_database()


@pytest.fixture(scope="session")
def valkey(servers_dir: Path) -> Iterator[EmbeddedValkey]:
    """One Valkey for the session; tests that need it empty flush it."""
    with EmbeddedValkey(servers_dir / "valkey") as server:
        yield server


@pytest.fixture(scope="session")
def sandbox_process(servers_dir: Path) -> Iterator[SandboxProcess]:
    """One CRM sandbox for the session, a process of its own."""
    with SandboxProcess.start(servers_dir / "sandbox") as process:
        yield process


@pytest.fixture
def sandbox(sandbox_process: SandboxProcess) -> SandboxProcess:
    """The CRM sandbox, emptied for this test."""
    sandbox_process.reset()
    return sandbox_process


def migrate(database_url: str) -> None:
    """Bring a database to the newest migration, the way a deployment does."""
    subprocess.run(
        [sys.executable, "-m", "alembic", "upgrade", "head"],
        cwd=ROOT,
        env=os.environ | {"DATABASE_URL": database_url},
        check=True,
        capture_output=True,
        text=True,
    )
