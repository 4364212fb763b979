"""Speed to lead."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    op.create_table(
        "speed_days",
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("enquiries", sa.Integer(), nullable=False),
        sa.Column("recorded_half", sa.Float(), nullable=True),
        sa.Column("recorded_most", sa.Float(), nullable=True),
        sa.Column("told_half", sa.Float(), nullable=True),
        sa.Column("told_most", sa.Float(), nullable=True),
        sa.Column("answered", sa.Integer(), nullable=False),
        sa.Column("answered_half", sa.Float(), nullable=True),
        sa.Column("in_time", sa.Integer(), nullable=False),
        sa.Column("gone", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("day", name=op.f("pk_speed_days")),
    )
    op.create_table(
        "turns",
        sa.Column("name", sa.String(length=32), nullable=False),
        sa.Column("due_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("taken_until", sa.DateTime(timezone=True), server_default="-infinity", nullable=False),
        sa.Column("done_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("note", sa.String(length=200), nullable=True),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_turns")),
    )
    op.create_table(
        "answers",
        sa.Column("lead_id", sa.Uuid(), nullable=False),
        sa.Column("due_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("touched_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("answered_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("gone", sa.Boolean(), server_default=sa.text("false"), nullable=False),
        sa.ForeignKeyConstraint(
            ["lead_id"], ["leads.id"], name=op.f("fk_answers_lead_id_leads"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("lead_id", name=op.f("pk_answers")),
    )
    op.create_index(
        "ix_answers_due_at",
        "answers",
        ["due_at"],
        unique=False,
        postgresql_where=sa.text("answered_at IS NULL AND NOT gone"),
    )


def downgrade() -> None:
    op.drop_table("answers")
    op.drop_table("turns")
    op.drop_table("speed_days")
