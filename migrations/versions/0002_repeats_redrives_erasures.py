"""Add repeat enquiries, requeued rows and erasures."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

TABLES = ("leads", "whatsapp_clicks")
OLD_OWED = "zoho_status IN ('pending', 'sending', 'retrying')"
OWED = "zoho_status IN ('sending', 'retrying') OR (zoho_status = 'pending' AND queued_at <= created_at)"
REQUEUED = "zoho_status = 'pending' AND queued_at > created_at"
STOPPED = "zoho_status IN ('dead', 'held')"


def upgrade() -> None:
    for table in TABLES:
        op.drop_index(f"ix_{table}_owed", table)
        op.create_index(f"ix_{table}_owed", table, ["zoho_status", "next_retry_at"], postgresql_where=sa.text(OWED))
        op.create_index(f"ix_{table}_requeued", table, ["next_retry_at"], postgresql_where=sa.text(REQUEUED))
        stopped = ["zoho_status", sa.text("coalesce(last_retry_at, created_at)")]
        op.create_index(f"ix_{table}_stopped", table, stopped, postgresql_where=sa.text(STOPPED))
    op.add_column("leads", sa.Column("merged_into", sa.String(32)))
    op.create_index("ix_leads_email", "leads", [sa.text("lower(email)"), "created_at"])
    op.create_index("ix_leads_phone", "leads", ["phone_e164", "created_at"])
    merged = sa.text("merged_into IS NOT NULL")
    op.create_index("ix_leads_merged_into", "leads", ["merged_into"], postgresql_where=merged)
    _create_erasures()


def _create_erasures() -> None:
    op.create_table(
        "erasures",
        sa.Column("id", sa.BigInteger, sa.Identity(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("by", sa.String(80), nullable=False),
        sa.Column("email_hash", sa.LargeBinary(32)),
        sa.Column("phone_hash", sa.LargeBinary(32)),
        sa.Column("leads", sa.Integer, nullable=False),
        sa.Column("clicks", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_erasures"),
    )
    op.create_table(
        "erased_rows",
        sa.Column("id", sa.Uuid, nullable=False),
        sa.Column("erasure_id", sa.BigInteger, nullable=False),
        sa.Column("kind", sa.String(8), nullable=False),
        sa.Column("record_ids", sa.ARRAY(sa.String(32)), server_default="{}", nullable=False),
        sa.Column("check_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("watch_until", sa.DateTime(timezone=True), nullable=False),
        sa.Column("records_deleted", sa.Integer, server_default="0", nullable=False),
        sa.Column("last_error", sa.Text),
        sa.Column("done_at", sa.DateTime(timezone=True)),
        sa.PrimaryKeyConstraint("id", name="pk_erased_rows"),
        sa.ForeignKeyConstraint(["erasure_id"], ["erasures.id"], name="fk_erased_rows_erasure_id"),
    )
    op.create_index("ix_erased_rows_erasure_id", "erased_rows", ["erasure_id"])
    op.create_index(
        "ix_erased_rows_check_at", "erased_rows", ["check_at"], postgresql_where=sa.text("done_at IS NULL")
    )


def downgrade() -> None:
    op.drop_table("erased_rows")
    op.drop_table("erasures")
    op.drop_index("ix_leads_merged_into", "leads")
    op.drop_index("ix_leads_phone", "leads")
    op.drop_index("ix_leads_email", "leads")
    op.drop_column("leads", "merged_into")
    for table in TABLES:
        op.drop_index(f"ix_{table}_stopped", table)
        op.drop_index(f"ix_{table}_requeued", table)
        op.drop_index(f"ix_{table}_owed", table)
        op.create_index(
            f"ix_{table}_owed", table, ["zoho_status", "next_retry_at"], postgresql_where=sa.text(OLD_OWED)
        )
