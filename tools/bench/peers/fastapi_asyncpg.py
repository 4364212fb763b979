"""FastAPI on uvicorn, one statement for each enquiry directly with asyncpg."""

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import asyncpg
from fastapi import BackgroundTasks, FastAPI, Request

from tools.bench.peers.form import COLUMNS, Key, Lead, hand_over

_INSERT = f"""
WITH stored AS (
INSERT INTO leads ({", ".join(COLUMNS)}) VALUES ({", ".join(f"${n}" for n, _ in enumerate(COLUMNS, 1))})
ON CONFLICT DO NOTHING RETURNING id, reference
), due AS (INSERT INTO deliveries (id, kind) SELECT id, 'lead' FROM stored)
SELECT id, reference FROM stored
"""  # noqa: S608 - no input
_EARLIER = "SELECT id, reference FROM leads WHERE idempotency_key = $1"


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    url = os.environ["DATABASE_URL"]
    async with asyncpg.create_pool(url, min_size=10, max_size=10) as app.state.pool:
        yield


app = FastAPI(lifespan=_lifespan)


@app.post("/api/leads", status_code=201)
async def post_lead(lead: Lead, request: Request, tasks: BackgroundTasks, key: Key = None) -> dict[str, str]:
    """Store an enquiry; a repeat gets the first receipt."""
    row = lead.row(key, request.client.host if request.client else None)
    async with app.state.pool.acquire() as connection:
        stored = await connection.fetchrow(_INSERT, *(row[column] for column in COLUMNS))
        if stored is None:
            earlier = await connection.fetchrow(_EARLIER, key)
            return {"id": str(earlier["id"]), "reference": earlier["reference"]}
    tasks.add_task(hand_over, stored["id"])
    return {"id": str(stored["id"]), "reference": stored["reference"]}
