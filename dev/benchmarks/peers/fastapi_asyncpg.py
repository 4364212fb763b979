"""P2's peer: FastAPI on uvicorn, one INSERT per request directly with asyncpg."""

from __future__ import annotations

import os
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Annotated, Any

import asyncpg
from fastapi import Depends, FastAPI, Request

from dev.benchmarks.peers.form import COLUMNS, Lead, Receipt, refuse_large

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

_PLACES = ", ".join(f"${number}" for number in range(1, len(COLUMNS) + 1))
_INSERT = f"INSERT INTO leads ({', '.join(COLUMNS)}) VALUES ({_PLACES}) RETURNING id, reference"  # noqa: S608


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    async with asyncpg.create_pool(os.environ["DATABASE_URL"], min_size=10, max_size=10) as pool:
        app.state.pool = pool
        yield


async def _connection(request: Request) -> AsyncIterator[Any]:
    async with request.app.state.pool.acquire() as connection:
        yield connection


app = FastAPI(lifespan=_lifespan)


@app.post("/api/leads", status_code=201, dependencies=[Depends(refuse_large)])
async def post_lead(lead: Lead, connection: Annotated[Any, Depends(_connection)]) -> Receipt:
    """Store an enquiry."""
    stored = await connection.fetchrow(_INSERT, *lead.stored().values())
    return Receipt(success=True, id=stored["id"], reference=stored["reference"])
