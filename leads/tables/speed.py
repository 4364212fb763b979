"""Speed to lead: who was answered and when, its figures by day, and what workers do in turn."""

from __future__ import annotations

from sqlalchemy import Boolean, Column, Date, DateTime, Float, ForeignKey, Index, Integer, String, Table, func, text

from leads.tables.columns import metadata
from leads.tables.enquiries import leads

OPEN = "answered_at IS NULL AND NOT gone"
# An enquiry whose record is in the CRM, and what was read back of it. Deleted with it.
answers = Table(
    "answers",
    metadata,
    Column("lead_id", ForeignKey(leads.c.id, ondelete="CASCADE"), primary_key=True),
    # By when a person is to answer, by the target and the opening hours of its day.
    Column("due_at", DateTime(timezone=True), nullable=False),
    # When anything last happened to the record, by the CRM; its timeline is asked for when that moves.
    Column("touched_at", DateTime(timezone=True)),
    # The first call or change of status by a person.
    Column("answered_at", DateTime(timezone=True)),
    # Whether the record was deleted or merged in the CRM: nobody is to answer there any more.
    Column("gone", Boolean, nullable=False, server_default=text("false")),
    Index("ix_answers_due_at", "due_at", postgresql_where=text(OPEN)),
)

# The figures of one day of the clinic's, without personal data. Seconds from the press: half of the enquiries were
# faster (`half`), and 95 of 100 (`most`).
speed_days = Table(
    "speed_days",
    metadata,
    Column("day", Date, primary_key=True),
    Column("enquiries", Integer, nullable=False),
    Column("recorded_half", Float),
    Column("recorded_most", Float),
    Column("told_half", Float),
    Column("told_most", Float),
    Column("answered", Integer, nullable=False),
    Column("answered_half", Float),
    Column("in_time", Integer, nullable=False),
    Column("gone", Integer, nullable=False),
)

# What one worker at a time does, and when it is due next. `note`: why it failed the last time.
turns = Table(
    "turns",
    metadata,
    Column("name", String(32), primary_key=True),
    Column("due_at", DateTime(timezone=True), nullable=False),
    Column("taken_until", DateTime(timezone=True), nullable=False, server_default="-infinity"),
    Column("done_at", DateTime(timezone=True), nullable=False, server_default=func.now()),
    Column("note", String(200)),
)
