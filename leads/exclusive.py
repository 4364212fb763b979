"""Work that one process among all does at a time, such as a daily mail. SQL only."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from sqlalchemy import Engine, func, select

from leads.db import DATABASE_ERRORS


@contextmanager
def exclusively(engine: Engine, name: str) -> Iterator[bool]:
    """Hold the lock of this name while the block runs; yields False when another process holds it.

    It is PostgreSQL's, of the session: it ends with a process that dies.
    """
    key = zlib.crc32(name.encode())
    with engine.connect() as connection:
        is_ours = connection.execute(select(func.pg_try_advisory_lock(key))).scalar_one()
        try:
            yield is_ours
        finally:
            if is_ours:
                with suppress(*DATABASE_ERRORS):  # the lock ended with the session
                    connection.execute(select(func.pg_advisory_unlock(key)))
