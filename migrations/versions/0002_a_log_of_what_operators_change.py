"""A log of what operators change."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.create_table(
        "operator_changes",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=False), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), server_default=sa.text("clock_timestamp()"), nullable=False),
        sa.Column("by", sa.String(length=80), nullable=False),
        sa.Column("change", sa.String(length=16), nullable=False),
        sa.Column("destination", sa.String(length=16), nullable=True),
        sa.Column("rows", sa.Integer(), nullable=True),
        sa.Column("why", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_operator_changes")),
    )


def downgrade() -> None:
    op.drop_table("operator_changes")
