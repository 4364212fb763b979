"""The two tables that the peers fill, as classes of SQLAlchemy's ORM.

They are in a database like the product's, with its indexes, so that only the way to them differs. The peers import
nothing of the product: their environment has none of its packages.
"""

from sqlalchemy import Column, FetchedValue, String, Table, Uuid
from sqlalchemy.orm import DeclarativeBase

from tools.bench.peers.form import COLUMNS


class Base(DeclarativeBase):
    """The classes' registry."""


leads = Table(
    "leads",
    Base.metadata,
    Column("id", Uuid, primary_key=True),
    Column("reference", String, server_default=FetchedValue()),
    *(Column(name, String) for name in COLUMNS if name != "id"),
)
_deliveries = Table(
    "deliveries",
    Base.metadata,
    Column("id", Uuid, primary_key=True),
    Column("destination", String, primary_key=True, server_default=FetchedValue()),
    Column("kind", String),
)


class StoredLead(Base):
    """An enquiry."""

    __table__ = leads
    __mapper_args__ = {"eager_defaults": True}  # noqa: RUF012


class StoredDelivery(Base):
    """What is owed for it."""

    __table__ = _deliveries
