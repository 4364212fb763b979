"""A connection to PostgreSQL that waits on the event loop when its caller runs there, so that the loop goes on."""

import asyncio
from functools import partial
from typing import Any

from psycopg import waiting
from sqlalchemy.util.concurrency import await_, in_greenlet

from leads.db import TimedConnection


class LoopConnection(TimedConnection):
    """An ordinary connection to SQLAlchemy, and to callers that do not run on the event loop."""

    waits_on_loop = True

    @classmethod
    def connect(cls, *args: Any, **options: Any) -> "LoopConnection":
        """Connect; from the event loop in a thread, because finding the server's address blocks."""
        connect = partial(super().connect, *args, **options)
        if in_greenlet():
            return await_(asyncio.get_running_loop().run_in_executor(None, connect))
        return connect()

    def wait_for(self, gen: Any, interval: float, timeout: float | None) -> Any:
        """Wait as psycopg's own asynchronous connections do."""
        if in_greenlet():
            return await_(waiting.wait_async(gen, self.pgconn.socket, interval, timeout))
        return super().wait_for(gen, interval, timeout)
