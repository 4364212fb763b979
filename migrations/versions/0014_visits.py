"""Indexes that find what else came from a row's session, made while the site keeps writing."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"

TABLES = ("leads", "whatsapp_clicks")


def upgrade() -> None:
    with op.get_context().autocommit_block():
        # Waits for the transactions that are open, and makes no one wait.
        op.execute("SET lock_timeout = 0")
        for table in TABLES:
            # An index that was interrupted is there, but not valid.
            op.execute(f"DROP INDEX CONCURRENTLY IF EXISTS ix_{table}_session_id")
            op.create_index(
                f"ix_{table}_session_id",
                table,
                ["session_id", "created_at"],
                postgresql_where=sa.text("zoho_status = 'sent'"),
                postgresql_concurrently=True,
            )
        op.execute("RESET lock_timeout")


def downgrade() -> None:
    for table in TABLES:
        op.drop_index(f"ix_{table}_session_id", table)
