"""P2's peer: FastAPI on uvicorn, one INSERT per request directly with asyncpg."""

from __future__ import annotations

import json
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Annotated, Any

import asyncpg
from fastapi import Depends, FastAPI, Request
from sqlalchemy.dialects.postgresql.asyncpg import dialect

from benchmarks.peers.form import COLUMNS, Key, Lead, Receipt, first_receipt, key_hash, receipt_of, refuse_large
from benchmarks.peers.surroundings import SecurityHeaders, bell
from leads.tables import leads


def _typed(number: int, column: str) -> str:
    return f"${number}::{leads.c[column].type.compile(dialect=dialect())}"  # type: ignore[no-untyped-call]


_INSERT = f"""
WITH stored AS (
INSERT INTO leads ({", ".join(COLUMNS)})
SELECT {", ".join(_typed(number, column) for number, column in enumerate(COLUMNS, 1))}
WHERE NOT EXISTS (SELECT FROM erased_keys WHERE key_hash = ${len(COLUMNS) + 1})
ON CONFLICT DO NOTHING RETURNING id, reference
), due AS (INSERT INTO deliveries (id, kind) SELECT id, 'lead' FROM stored)
SELECT id, reference FROM stored
"""  # noqa: S608 - the product's own columns
_EARLIER = "SELECT id, reference, request_digest FROM leads WHERE idempotency_key = $1"


async def _prepare(connection: Any) -> None:
    await connection.set_type_codec("jsonb", schema="pg_catalog", encoder=json.dumps, decoder=json.loads)


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    url = os.environ["DATABASE_URL"]
    async with asyncpg.create_pool(url, min_size=10, max_size=10, init=_prepare) as app.state.pool:
        yield


async def _connection(request: Request) -> AsyncIterator[Any]:
    async with request.app.state.pool.acquire() as connection:
        yield connection


app = FastAPI(lifespan=_lifespan)
app.add_middleware(SecurityHeaders)


@app.post("/api/leads", status_code=201, dependencies=[Depends(refuse_large)])
async def post_lead(
    lead: Lead, request: Request, connection: Annotated[Any, Depends(_connection)], key: Key = None
) -> Receipt:
    """Store an enquiry."""
    row = lead.row(key, request)
    stored = await connection.fetchrow(_INSERT, *(row[column] for column in COLUMNS), key_hash(key))
    if stored is None:
        return first_receipt(await connection.fetchrow(_EARLIER, key), row["request_digest"], lead.timezone)
    bell.ring()
    return receipt_of(stored["id"], stored["reference"], lead.timezone)
