"""FastAPI on uvicorn, one SQLAlchemy session for each request, as their documentation shows."""

import os
from typing import Any

from fastapi import BackgroundTasks, FastAPI, Request
from sqlalchemy import select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import async_sessionmaker, create_async_engine

from tools.bench.peers.form import COLUMNS, Key, Lead, hand_over
from tools.bench.peers.rows import StoredDelivery, StoredLead, leads

_engine = create_async_engine(
    os.environ["DATABASE_URL"].replace("postgresql://", "postgresql+asyncpg://"), pool_size=10, max_overflow=22
)
_sessions = async_sessionmaker(_engine, expire_on_commit=False)


app = FastAPI()


@app.post("/api/leads", status_code=201)
async def post_lead(lead: Lead, request: Request, tasks: BackgroundTasks, key: Key = None) -> dict[str, str]:
    """Store an enquiry; a repeat gets the first receipt."""
    row = lead.row(key, request.client.host if request.client else None)
    stored: Any = StoredLead(**{name: row[name] for name in COLUMNS})
    async with _sessions() as session:
        session.add_all([stored, StoredDelivery(id=row["id"], kind="lead")])
        try:
            await session.commit()
        except IntegrityError:
            await session.rollback()
            earlier = await session.execute(
                select(leads.c.id, leads.c.reference).where(leads.c.idempotency_key == key)
            )
            return {name: str(value) for name, value in earlier.mappings().one().items()}
    tasks.add_task(hand_over, stored.id)
    return {"id": str(stored.id), "reference": stored.reference}
