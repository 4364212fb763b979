"""P1's peer: FastAPI on uvicorn, one SQLAlchemy session per request, as their documentation shows."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Annotated

from fastapi import Depends, FastAPI
from sqlalchemy.ext.asyncio import AsyncSession, async_sessionmaker, create_async_engine
from sqlalchemy.orm import DeclarativeBase

from dev.benchmarks.peers.form import Lead, Receipt, refuse_large
from leads.tables import leads

if TYPE_CHECKING:
    from collections.abc import AsyncIterator


class _Base(DeclarativeBase):
    pass


class StoredLead(_Base):
    """A row of the product's own table."""

    __table__ = leads
    __mapper_args__ = {"include_properties": ["reference", *Lead.model_fields, "id"], "eager_defaults": True}  # noqa: RUF012


_engine = create_async_engine(
    os.environ["DATABASE_URL"].replace("postgresql://", "postgresql+asyncpg://"), pool_size=10, max_overflow=22
)
_sessions = async_sessionmaker(_engine, expire_on_commit=False)


async def _session() -> AsyncIterator[AsyncSession]:
    async with _sessions() as session:
        yield session


app = FastAPI()


@app.post("/api/leads", status_code=201, dependencies=[Depends(refuse_large)])
async def post_lead(lead: Lead, session: Annotated[AsyncSession, Depends(_session)]) -> Receipt:
    """Store an enquiry."""
    row = StoredLead(**lead.stored())
    session.add(row)
    await session.commit()
    receipt: Receipt = Receipt.model_validate(row, from_attributes=True)
    return receipt
