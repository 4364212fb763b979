"""What pages reported of themselves."""

from __future__ import annotations

from sqlalchemy import Column, DateTime, Integer, SmallInteger, String, Table

from leads.tables.columns import metadata

# How often within an hour a part of a page failed in an engine; nothing about a visitor. `version`: 0 when unknown.
page_failures = Table(
    "page_failures",
    metadata,
    Column("hour", DateTime(timezone=True), primary_key=True),
    Column("kind", String(8), primary_key=True),
    Column("file", String(8), primary_key=True),
    Column("engine", String(8), primary_key=True),
    Column("version", SmallInteger, primary_key=True, autoincrement=False),
    Column("times", Integer, nullable=False),
)
