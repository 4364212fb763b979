"""Index the rows that lost two workers: every claim of retries looks for one and rarely finds any."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"

TABLES = ("leads", "whatsapp_clicks")
ALONE = "zoho_status IN ('sending', 'retrying') AND lost_leases >= 2"


def upgrade() -> None:
    for table in TABLES:
        op.create_index(
            f"ix_{table}_alone", table, ["zoho_status", "next_retry_at"], postgresql_where=sa.text(ALONE)
        )


def downgrade() -> None:
    for table in TABLES:
        op.drop_index(f"ix_{table}_alone", table)
