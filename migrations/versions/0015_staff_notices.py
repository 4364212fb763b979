"""Create staff_notices: what staff are told of each lead."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"

STATUSES = "status IN ('pending', 'sending', 'retrying', 'sent', 'dead', 'skipped', 'held')"
OWED = "status IN ('pending', 'sending', 'retrying')"


def upgrade() -> None:
    now = sa.text("now()")
    op.create_table(
        "staff_notices",
        sa.Column("lead_id", sa.Uuid, nullable=False),
        sa.Column("channel", sa.String(8), nullable=False),
        sa.Column("status", sa.String(8), server_default="pending", nullable=False),
        sa.Column("sent_at", sa.DateTime(timezone=True)),
        sa.Column("retry_count", sa.Integer, server_default="0", nullable=False),
        sa.Column("next_retry_at", sa.DateTime(timezone=True), server_default=now, nullable=False),
        sa.Column("lost_leases", sa.SmallInteger, server_default="0", nullable=False),
        sa.Column("last_error", sa.Text),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=now, nullable=False),
        sa.CheckConstraint("channel IN ('mail', 'webhook')", name=op.f("ck_staff_notices_channel")),
        sa.CheckConstraint(STATUSES, name=op.f("ck_staff_notices_status")),
        sa.PrimaryKeyConstraint("lead_id", "channel", name=op.f("pk_staff_notices")),
        sa.ForeignKeyConstraint(
            ["lead_id"], ["leads.id"], name=op.f("fk_staff_notices_lead_id"), ondelete="CASCADE"
        ),
    )
    op.create_index("ix_staff_notices_owed", "staff_notices", ["next_retry_at"], postgresql_where=sa.text(OWED))


def downgrade() -> None:
    op.drop_table("staff_notices")
