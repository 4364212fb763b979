"""Create the record of what retention removed."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    now = sa.text("now()")
    op.create_table(
        "retention_runs",
        sa.Column("id", sa.BigInteger, sa.Identity(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), server_default=now, nullable=False),
        sa.Column("by", sa.String(80), nullable=False),
        sa.Column("day", sa.Date),
        sa.Column("taken_until", sa.DateTime(timezone=True), server_default=now, nullable=False),
        sa.Column("leads", sa.Integer, server_default="0", nullable=False),
        sa.Column("clicks", sa.Integer, server_default="0", nullable=False),
        sa.Column("addresses", sa.Integer, server_default="0", nullable=False),
        sa.Column("finished_at", sa.DateTime(timezone=True)),
        sa.PrimaryKeyConstraint("id", name="pk_retention_runs"),
        sa.UniqueConstraint("day", name="uq_retention_runs_day"),
    )


def downgrade() -> None:
    op.drop_table("retention_runs")
