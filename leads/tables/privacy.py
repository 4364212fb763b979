"""Privacy rights: erasures."""

from __future__ import annotations

import sqlalchemy as sa

from leads.tables.columns import metadata

# Who was erased, as keyed hashes (NULL without a key).
erasures = sa.Table(
    "erasures",
    metadata,
    sa.Column("id", sa.BigInteger, sa.Identity(), primary_key=True),
    sa.Column("at", sa.DateTime(timezone=True), nullable=False, server_default=sa.func.now()),
    sa.Column("by", sa.String(80), nullable=False),
    sa.Column("email_hash", sa.LargeBinary(32)),
    sa.Column("phone_hash", sa.LargeBinary(32)),
    sa.Column("leads", sa.Integer, nullable=False),
    sa.Column("clicks", sa.Integer, nullable=False),
)

# The idempotency keys of erased leads, as SHA-256: a late repeat must not bring the person's data back.
erased_keys = sa.Table(
    "erased_keys",
    metadata,
    sa.Column("key_hash", sa.LargeBinary(32), primary_key=True),
    sa.Column("erased_at", sa.DateTime(timezone=True), nullable=False, server_default=sa.func.now()),
)

# What an erasure searches for in the CRM: the erased row's event id, and its record where that was known.
erased_rows = sa.Table(
    "erased_rows",
    metadata,
    sa.Column("id", sa.Uuid, primary_key=True),
    sa.Column("erasure_id", sa.ForeignKey(erasures.c.id), nullable=False, index=True),
    sa.Column("kind", sa.String(8), nullable=False),
    sa.Column("record_ids", sa.ARRAY(sa.String(32)), nullable=False, server_default="{}"),
    # No check begins before check_at; a successful check that begins after watch_until is the last one.
    sa.Column("check_at", sa.DateTime(timezone=True), nullable=False, server_default=sa.func.now()),
    sa.Column("watch_until", sa.DateTime(timezone=True), nullable=False),
    sa.Column("records_deleted", sa.Integer, nullable=False, server_default="0"),
    sa.Column("last_error", sa.Text),
    sa.Column("done_at", sa.DateTime(timezone=True)),
    sa.Index("ix_erased_rows_check_at", "check_at", postgresql_where=sa.text("done_at IS NULL")),
)
