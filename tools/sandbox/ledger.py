"""The sandbox's store: one SQLite file, one transaction per call, and the list of calls with each row's result.

This module owns the file, the schema and the call rows; records are in `records`.
"""

import json
import re
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from tools.sandbox.lead_fields import EVENT_ID_FIELD

SCHEMA: Final = f"""
CREATE TABLE IF NOT EXISTS calls (
    id INTEGER PRIMARY KEY, at TEXT NOT NULL, clock REAL NOT NULL, kind TEXT NOT NULL, method TEXT NOT NULL,
    path TEXT NOT NULL, query TEXT, status INTEGER, code TEXT, rows INTEGER NOT NULL,
    committed INTEGER NOT NULL, fault TEXT,
    duration_ms REAL NOT NULL, in_flight INTEGER NOT NULL, credits INTEGER NOT NULL, request_id TEXT,
    user_agent TEXT, row_results TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS calls_in_flight ON calls (in_flight);
CREATE INDEX IF NOT EXISTS calls_kind ON calls (kind, clock, credits);
CREATE TABLE IF NOT EXISTS records (
    id INTEGER PRIMARY KEY, version INTEGER NOT NULL, created_at TEXT NOT NULL, modified_at TEXT NOT NULL,
    deleted INTEGER NOT NULL DEFAULT 0);
CREATE TABLE IF NOT EXISTS versions (
    id INTEGER PRIMARY KEY, record_id INTEGER NOT NULL, call_id INTEGER NOT NULL, action TEXT NOT NULL,
    at TEXT NOT NULL, data TEXT NOT NULL,
    event_id TEXT GENERATED ALWAYS AS (json_extract(data, '$.{EVENT_ID_FIELD}')) VIRTUAL);
CREATE INDEX IF NOT EXISTS versions_record ON versions (record_id, action);
CREATE INDEX IF NOT EXISTS versions_event ON versions (event_id, record_id);
CREATE TABLE IF NOT EXISTS keys (
    field TEXT NOT NULL, value TEXT NOT NULL, record_id INTEGER NOT NULL,
    PRIMARY KEY (field, value, record_id)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS tokens (
    token TEXT PRIMARY KEY, refresh_token TEXT NOT NULL, minted REAL NOT NULL, expires REAL NOT NULL,
    active INTEGER NOT NULL DEFAULT 1);
CREATE TABLE IF NOT EXISTS fields (
    id INTEGER PRIMARY KEY, api_name TEXT NOT NULL UNIQUE, spec TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS mails (
    id INTEGER PRIMARY KEY, message_id TEXT NOT NULL UNIQUE, at TEXT NOT NULL, sender TEXT NOT NULL,
    recipient TEXT NOT NULL, subject TEXT NOT NULL, body TEXT NOT NULL, headers TEXT NOT NULL,
    received INTEGER NOT NULL DEFAULT 1);
CREATE TABLE IF NOT EXISTS converted (record_id INTEGER PRIMARY KEY);
CREATE TABLE IF NOT EXISTS choices (
    field TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (field, value)) WITHOUT ROWID;
"""
TABLES: Final = tuple(re.findall(r"CREATE TABLE IF NOT EXISTS (\w+)", SCHEMA))


@dataclass(slots=True)
class Call:
    """One call as the ledger stores it. `status` None: no reply was sent. `clock`: seconds since the epoch."""

    kind: str
    method: str
    path: str
    clock: float
    in_flight: int
    query: str | None = None
    request_id: str | None = None
    user_agent: str | None = None
    id: int = 0
    status: int | None = None
    code: str | None = None
    rows: int = 0
    committed: bool = False
    faults: list[str] = field(default_factory=list)
    duration_ms: float = 0.0
    credits: int = 0
    results: list[dict[str, Any]] = field(default_factory=list)


class Ledger:
    """The open file, or a database in memory. All methods run on the thread of the server's event loop."""

    def __init__(self, directory: Path | None) -> None:
        if directory is not None:
            directory.mkdir(parents=True, exist_ok=True)
            (directory / "sandbox.sqlite3").touch(mode=0o600)
            (directory / "sandbox.sqlite3").chmod(0o600)  # it holds what people wrote; SQLite's other files follow
        file = ":memory:" if directory is None else directory / "sandbox.sqlite3"
        self.db = sqlite3.connect(file, isolation_level=None, cached_statements=256)
        # Without fsync a commit survives kill -9 of this process, which is what the ledger promises, but not a
        # power cut.
        self.db.executescript("PRAGMA journal_mode=WAL; PRAGMA synchronous=OFF; PRAGMA cache_size=-65536;")
        self.db.executescript(SCHEMA)
        self._next_call = int(self.db.execute("SELECT coalesce(max(id), 0) FROM calls").fetchone()[0])

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Commit all of a call's rows and the call itself, or nothing."""
        self.db.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self.db.execute("ROLLBACK")
            raise
        self.db.execute("COMMIT")

    def number(self, call: Call) -> None:
        """Assign the call's number before its rows are written, so that they can refer to it."""
        self._next_call += 1
        call.id = self._next_call

    def write(self, call: Call) -> None:
        """Write the call's row (inside the caller's transaction, or alone)."""
        if not call.id:
            self.number(call)
        at = datetime.fromtimestamp(call.clock, UTC).isoformat(timespec="milliseconds")
        faults, took = ",".join(call.faults) or None, round(call.duration_ms, 2)
        values = (
            *(call.id, at, call.clock, call.kind, call.method, call.path, call.query, call.status, call.code),
            *(call.rows, call.committed, faults, took, call.in_flight, call.credits, call.request_id),
            *(call.user_agent, json.dumps(call.results)),
        )
        marks = ",".join("?" * len(values))
        self.db.execute(f"INSERT OR REPLACE INTO calls VALUES ({marks})", values)  # noqa: S608 - marks alone

    def reset(self) -> None:
        """Empty every table."""
        with self.transaction():
            for table in TABLES:
                self.db.execute(f"DELETE FROM {table}")  # noqa: S608 - names from the constant above
        self._next_call = 0

    def close(self) -> None:
        """Close the file."""
        self.db.close()
