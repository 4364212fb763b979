"""The deliveries of rows stored before, and indexes of what delivery does not write; the site keeps writing.

The workers of the version before must be stopped: what they deliver meanwhile would be delivered again.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"

TABLES = {"lead": ("leads", "merged_into"), "click": ("whatsapp_clicks", "NULL")}
COPY = """
INSERT INTO deliveries (id, kind, zoho_status, next_retry_at, queued_at, requeued, retry_count, lost_leases,
    workers_killed, last_retry_at, zoho_sent_at, zoho_record_id, merged_into, last_error)
SELECT id, '{kind}', zoho_status, next_retry_at, queued_at, queued_at > created_at, retry_count, lost_leases,
    workers_killed, last_retry_at, zoho_sent_at, zoho_record_id, {merged_into}, last_error
FROM {table} ORDER BY created_at, id ON CONFLICT DO NOTHING
"""
INDEXES = {"ip_address": ["created_at"], "session": ["session_id", "created_at"]}
WHERE = {"ip_address": "ip_address IS NOT NULL", "session": "session_id IS NOT NULL"}


def upgrade() -> None:
    with op.get_context().autocommit_block():
        # Waits for the transactions that are open, and makes no one wait.
        op.execute("SET lock_timeout = 0")
        for kind, (table, merged_into) in TABLES.items():
            op.execute(COPY.format(kind=kind, table=table, merged_into=merged_into))
            for name, columns in INDEXES.items():
                # An index that was interrupted is there, but not valid.
                op.execute(f"DROP INDEX CONCURRENTLY IF EXISTS ix_{table}_{name}")
                op.create_index(
                    f"ix_{table}_{name}",
                    table,
                    columns,
                    postgresql_where=sa.text(WHERE[name]),
                    postgresql_concurrently=True,
                )
        op.execute("ANALYZE deliveries")
        op.execute("RESET lock_timeout")


def downgrade() -> None:
    for table, _ in TABLES.values():
        for name in INDEXES:
            op.drop_index(f"ix_{table}_{name}", table)
    op.execute("DELETE FROM deliveries")
