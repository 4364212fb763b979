"""The real servers that all cases of a run share: PostgreSQL, Valkey and the CRM sandbox, as processes."""

from __future__ import annotations

from contextlib import suppress
from itertools import count
from pathlib import Path
from types import TracebackType
from typing import Self

import psycopg
from psycopg import sql

from dev.servers.postgres import EmbeddedPostgres
from dev.servers.valkey import EmbeddedValkey
from proofs.harness import outbox
from proofs.harness.product import migrate
from sandbox.process import SandboxProcess

TEMPLATE = "migrated"


class Servers:
    """Started once per run; every drill gets its own database, an empty Valkey and an empty sandbox."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.postgres = EmbeddedPostgres(folder / "postgres")
        self.valkey = EmbeddedValkey(folder / "valkey")
        self._sandbox: SandboxProcess | None = None
        self._numbers = count(1)

    @property
    def sandbox(self) -> SandboxProcess:
        """The running sandbox."""
        if self._sandbox is None:
            raise RuntimeError("the sandbox has not been started")
        return self._sandbox

    def __enter__(self) -> Self:
        self.postgres.start()
        self._make_template()
        self.reset()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.postgres.stop()
        self.valkey.stop()
        if self._sandbox is not None:
            self._sandbox.stop()

    def reset(self) -> None:
        """Restart what a drill left stopped, and empty Valkey and the sandbox."""
        if not self.postgres.alive():
            self.postgres.start()
        self.valkey.restart_empty()
        if self._sandbox is None or self._sandbox.process.poll() is not None:
            self._sandbox = SandboxProcess.start(self.folder / "sandbox")
        self.sandbox.reset()

    def make_database(self) -> str:
        """Create a migrated database with the drills' triggers; returns its address."""
        return self.postgres.create_database(f"drill_{next(self._numbers)}", template=TEMPLATE)

    def drop_database(self, url: str) -> None:
        """Drop a drill's database, so that its autovacuum does not disturb the next drill.

        FORCE cannot end an autovacuum, which belongs to no role; a plain DROP DATABASE ends it.
        """
        name = sql.Identifier(url.rsplit("/", 1)[1])
        for words in ("DROP DATABASE IF EXISTS {} WITH (FORCE)", "DROP DATABASE IF EXISTS {}"):
            with (
                suppress(psycopg.Error),  # a database that stays only costs disk space
                psycopg.connect(self.postgres.url, autocommit=True, connect_timeout=3) as connection,
            ):
                connection.execute(sql.SQL(words).format(name))

    def _make_template(self) -> None:
        prepare(self.postgres.create_database(TEMPLATE))


def prepare(database_url: str) -> None:
    """Migrate an empty database and add the drills' triggers."""
    migrate(database_url)
    with psycopg.connect(database_url, autocommit=True) as connection:
        connection.execute(outbox.DRILL_LOG)
        connection.execute(outbox.NO_FIELD_CHECK)
