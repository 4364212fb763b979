"""P1's peer: FastAPI on uvicorn, one SQLAlchemy session per request, as their documentation shows."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from typing import Annotated, Any

from fastapi import Depends, FastAPI, HTTPException, Request
from sqlalchemy import select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession, async_sessionmaker, create_async_engine
from sqlalchemy.orm import DeclarativeBase

from benchmarks.peers.form import COLUMNS, Key, Lead, Receipt, first_receipt, key_hash, receipt_of, refuse_large
from benchmarks.peers.surroundings import SecurityHeaders, bell
from leads.tables import deliveries, erased_keys, leads


class _Base(DeclarativeBase):
    pass


class StoredLead(_Base):
    """A row of the product's own table."""

    __table__ = leads
    __mapper_args__ = {"include_properties": ["reference", *COLUMNS], "eager_defaults": True}  # noqa: RUF012


class StoredDelivery(_Base):
    """What is owed for it."""

    __table__ = deliveries
    __mapper_args__ = {"include_properties": ["id", "destination", "kind"]}  # noqa: RUF012


class ErasedKey(_Base):
    """The key of an erased lead."""

    __table__ = erased_keys


_engine = create_async_engine(
    os.environ["DATABASE_URL"].replace("postgresql://", "postgresql+asyncpg://"), pool_size=10, max_overflow=22
)
_sessions = async_sessionmaker(_engine, expire_on_commit=False)


async def _session() -> AsyncIterator[AsyncSession]:
    async with _sessions() as session:
        yield session


app = FastAPI()
app.add_middleware(SecurityHeaders)


@app.post("/api/leads", status_code=201, dependencies=[Depends(refuse_large)])
async def post_lead(
    lead: Lead, request: Request, session: Annotated[AsyncSession, Depends(_session)], key: Key = None
) -> Receipt:
    """Store an enquiry."""
    erased = None if key is None else await session.get(ErasedKey, key_hash(key))
    if erased is not None:
        raise HTTPException(409)
    values = lead.row(key, request)
    row: Any = StoredLead(**values)
    session.add_all([row, StoredDelivery(id=values["id"], kind="lead")])
    try:
        await session.commit()
    except IntegrityError:
        await session.rollback()
        found = await session.execute(
            select(leads.c.id, leads.c.reference, leads.c.request_digest).where(leads.c.idempotency_key == key)
        )
        return first_receipt(found.one_or_none(), values["request_digest"], lead.timezone)
    bell.ring()
    return receipt_of(row.id, row.reference, lead.timezone)
