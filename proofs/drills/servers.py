"""The real servers that all drills of a run share: PostgreSQL, Valkey and the CRM sandbox, as processes."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import suppress
from itertools import count
from pathlib import Path
from types import TracebackType
from typing import Self

import psycopg
from psycopg import sql

from dev.servers.postgres import EmbeddedPostgres
from dev.servers.server_process import ROOT
from dev.servers.valkey import EmbeddedValkey
from sandbox.process import SandboxProcess

TEMPLATE = "migrated"
# The daily check of the CRM's fields is a call without a row, which the oracle does not know.
NO_FIELD_CHECK = "UPDATE crm_fields SET check_at = 'infinity'"
BY_HAND = "drill by hand"  # the application name of the drills' own connections
# Triggers log what no table shows afterwards: changes of sent rows and of the gate, and states that a drill sets
# itself.
TRIGGERS = """
CREATE TABLE drill_log
    (at timestamptz NOT NULL DEFAULT clock_timestamp(), what text NOT NULL, row_id uuid, detail text);
CREATE FUNCTION drill_note_sent() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO drill_log (what, row_id, detail) VALUES ('sent changed', OLD.id, TG_OP || ' ' || OLD.zoho_status);
    RETURN NULL; END $$;
CREATE FUNCTION drill_note_gate() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO drill_log (what, detail) VALUES ('gate ' || NEW.state, NEW.reason || ': ' || NEW.detail);
    RETURN NULL; END $$;
CREATE FUNCTION drill_note_arranged() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO drill_log (what, row_id, detail) VALUES ('arranged', NEW.id,
        concat_ws(' ', NEW.zoho_status, NEW.retry_count, NEW.lost_leases, NEW.workers_killed));
    RETURN NULL; END $$;
CREATE TRIGGER drill_gate AFTER UPDATE ON crm_gate FOR EACH ROW
    WHEN (OLD.state IS DISTINCT FROM NEW.state) EXECUTE FUNCTION drill_note_gate();
CREATE TRIGGER drill_sent AFTER UPDATE ON deliveries FOR EACH ROW WHEN (OLD.zoho_status = 'sent' AND
    (NEW.zoho_status, NEW.zoho_sent_at, NEW.zoho_record_id) IS DISTINCT FROM
    (OLD.zoho_status, OLD.zoho_sent_at, OLD.zoho_record_id)) EXECUTE FUNCTION drill_note_sent();
CREATE TRIGGER drill_arranged AFTER UPDATE ON deliveries FOR EACH ROW WHEN (
    (NEW.zoho_status, NEW.retry_count, NEW.lost_leases, NEW.workers_killed) IS DISTINCT FROM
    (OLD.zoho_status, OLD.retry_count, OLD.lost_leases, OLD.workers_killed)
    AND current_setting('application_name') = {hand}) EXECUTE FUNCTION drill_note_arranged();
"""


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

    def restart_sandbox(self) -> None:
        """Start the sandbox again on the same port, with the same ledger."""
        self._sandbox = SandboxProcess.start(self.folder / "sandbox", self.sandbox.port)

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
        connection.execute(sql.SQL(TRIGGERS).format(hand=BY_HAND))
        connection.execute(NO_FIELD_CHECK)


def migrate(database_url: str, revision: str = "head", *, back: bool = False) -> None:
    """Migrate a database, as a deployment does; `back`: to an older revision."""
    subprocess.run(
        [sys.executable, "-m", "alembic", "downgrade" if back else "upgrade", revision],
        cwd=ROOT,
        env=os.environ | {"DATABASE_URL": database_url},
        check=True,
        capture_output=True,
        text=True,
    )
