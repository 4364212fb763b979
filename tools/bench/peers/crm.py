"""A CRM that takes any upsert and replies after a set time.

The sandbox checks and records every row, which would dominate the measurement; this only notes when rows arrive.
"""

import asyncio
import json
import sys
import time
from itertools import count

from tornado.web import Application, RequestHandler

_arrived: dict[str, float] = {}  # by event id, seconds since the epoch
_last = 0.0
_ids = count(4_876_876_000_000_000_001)


class TokenHandler(RequestHandler):
    """The accounts server."""

    def post(self) -> None:
        """Mint."""
        token = {"access_token": "1000.stand-in", "expires_in": 3600, "token_type": "Bearer"}
        self.write(token | {"scope": "ZohoCRM.modules.ALL"})


class UpsertHandler(RequestHandler):
    """Leads."""

    async def post(self) -> None:
        """Take the rows, and reply when the time is over."""
        global _last  # noqa: PLW0603 - one process, one ledger
        now, rows = time.time(), json.loads(self.request.body)["data"]
        for row in rows:
            _arrived.setdefault(row["Website_Event_ID"], now)
        await asyncio.sleep(float(sys.argv[2]) / 1000)
        done = {"code": "SUCCESS", "status": "success", "action": "insert", "duplicate_field": None}
        made = [{"id": str(next(_ids)), "Created_Time": "2026-11-21T09:00:00+00:00"} for _ in rows]
        self.write({"data": [{**done, "message": "record added", "details": details} for details in made]})
        _last = time.time()


class LedgerHandler(RequestHandler):
    """What arrived, for the benchmarks."""

    def get(self) -> None:
        """When each row arrived, and when the last call was answered."""
        self.write({"rows": _arrived, "last": _last})


async def _serve(port: int) -> None:
    routes = [("/oauth/.*", TokenHandler), (".*/upsert", UpsertHandler), ("/ledger", LedgerHandler)]
    Application(routes, log_function=lambda _: None).listen(port, "127.0.0.1")
    await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(_serve(int(sys.argv[1])))
