"""Indexes for the daily retention, made while the site keeps writing."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"

TABLES = ("leads", "whatsapp_clicks")
ADDRESS = "ip_address IS NOT NULL AND zoho_status IN ('sent', 'dead', 'held')"


def upgrade() -> None:
    with op.get_context().autocommit_block():
        # Waits for the transactions that are open, and makes no one wait.
        op.execute("SET lock_timeout = 0")
        for table in TABLES:
            # An index that was interrupted is there, but not valid.
            for column in ("created_at", "address"):
                op.execute(f"DROP INDEX CONCURRENTLY IF EXISTS ix_{table}_{column}")
            op.create_index(
                f"ix_{table}_created_at",
                table,
                ["created_at"],
                postgresql_using="brin",
                postgresql_concurrently=True,
            )
            op.create_index(
                f"ix_{table}_address",
                table,
                ["created_at"],
                postgresql_where=sa.text(ADDRESS),
                postgresql_concurrently=True,
            )
        op.execute("RESET lock_timeout")


def downgrade() -> None:
    for table in TABLES:
        op.drop_index(f"ix_{table}_address", table)
        op.drop_index(f"ix_{table}_created_at", table)
