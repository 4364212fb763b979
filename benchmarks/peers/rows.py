"""The product's own tables as classes of SQLAlchemy's ORM, with the columns that the peers fill."""

from __future__ import annotations

from sqlalchemy.orm import DeclarativeBase

from benchmarks.peers.form import COLUMNS
from leads.tables import deliveries, leads


class Base(DeclarativeBase):
    """The classes' registry."""


class StoredLead(Base):
    """An enquiry."""

    __table__ = leads
    __mapper_args__ = {"include_properties": ["reference", *COLUMNS], "eager_defaults": True}  # noqa: RUF012


class StoredDelivery(Base):
    """What is owed for it."""

    __table__ = deliveries
    __mapper_args__ = {"include_properties": ["id", "destination", "kind"]}  # noqa: RUF012
