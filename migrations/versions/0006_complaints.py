"""Create the register of complaints about personal data."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"

REFERENCE = "'C-' || lpad(number::text, greatest(7, length(number::text)), '0')"


def upgrade() -> None:
    now = sa.text("now()")
    op.create_table(
        "complaints",
        sa.Column("id", sa.Uuid, nullable=False),
        sa.Column("number", sa.BigInteger, sa.Identity(), nullable=False),
        sa.Column("reference", sa.String(24), sa.Computed(REFERENCE, persisted=True)),
        sa.Column("name", sa.String(80)),
        sa.Column("email", sa.String(100)),
        sa.Column("text", sa.String(5000)),
        sa.Column("held", sa.Boolean, server_default=sa.text("false"), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=now, nullable=False),
        sa.Column("answered_at", sa.DateTime(timezone=True)),
        sa.Column("answered_by", sa.String(80)),
        sa.PrimaryKeyConstraint("id", name="pk_complaints"),
        sa.UniqueConstraint("reference", name="uq_complaints_reference"),
    )


def downgrade() -> None:
    op.drop_table("complaints")
