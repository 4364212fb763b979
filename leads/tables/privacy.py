"""Privacy rights: erasures."""

from __future__ import annotations

from sqlalchemy import (
    ARRAY,
    BigInteger,
    Column,
    DateTime,
    ForeignKey,
    Identity,
    Index,
    Integer,
    LargeBinary,
    String,
    Table,
    Text,
    Uuid,
    func,
    text,
)

from leads.tables.columns import metadata

# Who was erased, as keyed hashes (NULL without a key).
erasures = Table(
    "erasures",
    metadata,
    Column("id", BigInteger, Identity(), primary_key=True),
    Column("at", DateTime(timezone=True), nullable=False, server_default=func.now()),
    Column("by", String(80), nullable=False),
    Column("email_hash", LargeBinary(32)),
    Column("phone_hash", LargeBinary(32)),
    Column("leads", Integer, nullable=False),
    Column("clicks", Integer, nullable=False),
)

# The idempotency keys of erased leads, as SHA-256: a late repeat must not bring the person's data back.
erased_keys = Table(
    "erased_keys",
    metadata,
    Column("key_hash", LargeBinary(32), primary_key=True),
    Column("erased_at", DateTime(timezone=True), nullable=False, server_default=func.now()),
)

# What an erasure searches for in the CRM: the erased row's event id, and its record where that was known.
erased_rows = Table(
    "erased_rows",
    metadata,
    Column("id", Uuid, primary_key=True),
    Column("erasure_id", ForeignKey(erasures.c.id), nullable=False, index=True),
    Column("kind", String(8), nullable=False),
    Column("record_ids", ARRAY(String(32)), nullable=False, server_default="{}"),
    # No check begins before check_at; a successful check that begins after watch_until is the last one.
    Column("check_at", DateTime(timezone=True), nullable=False, server_default=func.now()),
    Column("watch_until", DateTime(timezone=True), nullable=False),
    Column("records_deleted", Integer, nullable=False, server_default="0"),
    Column("last_error", Text),
    Column("done_at", DateTime(timezone=True)),
    Index("ix_erased_rows_check_at", "check_at", postgresql_where=text("done_at IS NULL")),
)
