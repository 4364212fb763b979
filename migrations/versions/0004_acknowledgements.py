"""Create acknowledgements, the e-mails that acknowledge leads."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"

OWED = "status IN ('pending', 'sending', 'retrying')"
STATUSES = "status IN ('pending', 'sending', 'retrying', 'sent', 'dead')"


def upgrade() -> None:
    now = sa.text("now()")
    op.create_table(
        "acknowledgements",
        sa.Column("lead_id", sa.Uuid, nullable=False),
        sa.Column("status", sa.String(8), server_default="pending", nullable=False),
        sa.Column("sent_at", sa.DateTime(timezone=True)),
        sa.Column("retry_count", sa.Integer, server_default="0", nullable=False),
        sa.Column("next_retry_at", sa.DateTime(timezone=True), server_default=now, nullable=False),
        sa.Column("lost_leases", sa.SmallInteger, server_default="0", nullable=False),
        sa.Column("last_error", sa.Text),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=now, nullable=False),
        sa.CheckConstraint(STATUSES, name="ck_acknowledgements_status"),
        sa.PrimaryKeyConstraint("lead_id", name="pk_acknowledgements"),
        sa.ForeignKeyConstraint(["lead_id"], ["leads.id"], name="fk_acknowledgements_lead_id", ondelete="CASCADE"),
    )
    op.create_index(
        "ix_acknowledgements_owed", "acknowledgements", ["next_retry_at"], postgresql_where=sa.text(OWED)
    )


def downgrade() -> None:
    op.drop_table("acknowledgements")
