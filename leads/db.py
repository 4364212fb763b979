"""The database engine and what each role may wait for. No statements live here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import create_engine

if TYPE_CHECKING:
    from sqlalchemy import Engine

# A session that hangs must not hold rows for ever: waits for locks and idle transactions are bounded.
SESSION_OPTIONS = "-c lock_timeout=5s -c statement_timeout=15s -c idle_in_transaction_session_timeout=10s"


def connect_engine(database_url: str, *, pool: int, name: str, connect_seconds: int = 3) -> Engine:
    """An engine whose sessions are autocommit: one statement, one round trip, one durable commit.

    `pool` is the number of connections kept; twice as many may be open in a burst. `name` shows in
    pg_stat_activity. Callers that need several statements in one transaction begin one explicitly.
    """
    return create_engine(
        database_url,
        isolation_level="AUTOCOMMIT",
        pool_size=pool,
        max_overflow=pool,
        pool_timeout=5,
        pool_recycle=1800,
        # Statements' values are patients' data; they have no place in an error's text.
        hide_parameters=True,
        connect_args={
            "connect_timeout": connect_seconds,
            "application_name": name,
            "options": SESSION_OPTIONS,
            # A server that vanished without a goodbye is noticed in seconds, not in the kernel's two hours.
            "keepalives_idle": 10,
            "keepalives_interval": 5,
            "keepalives_count": 2,
            "tcp_user_timeout": 10_000,
        },
    )
