"""A table of its own for the state of delivery; rows that the version before stores get theirs from a trigger."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"

TABLES = {"lead": "leads", "click": "whatsapp_clicks"}
NEW = "zoho_status = 'pending' AND NOT requeued"
NOTE = """
CREATE FUNCTION store_delivery() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO deliveries (id, kind, zoho_status) VALUES (NEW.id, TG_ARGV[0], NEW.zoho_status)
    ON CONFLICT DO NOTHING;
    RETURN NULL;
END $$
"""


def upgrade() -> None:
    now = sa.func.now()
    op.create_table(
        "deliveries",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("kind", sa.String(8), nullable=False),
        sa.Column("zoho_status", sa.String(8), server_default="pending", nullable=False),
        sa.Column("next_retry_at", sa.DateTime(timezone=True), server_default=now, nullable=False),
        sa.Column("queued_at", sa.DateTime(timezone=True), server_default=now, nullable=False),
        sa.Column("requeued", sa.Boolean(), server_default=sa.text("false"), nullable=False),
        sa.Column("retry_count", sa.Integer(), server_default="0", nullable=False),
        sa.Column("lost_leases", sa.SmallInteger(), server_default="0", nullable=False),
        sa.Column("workers_killed", sa.SmallInteger(), server_default="0", nullable=False),
        sa.Column("last_retry_at", sa.DateTime(timezone=True)),
        sa.Column("zoho_sent_at", sa.DateTime(timezone=True)),
        sa.Column("zoho_record_id", sa.String(32)),
        sa.Column("merged_into", sa.String(32)),
        sa.Column("last_error", sa.Text()),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_deliveries")),
        sa.CheckConstraint("kind IN ('lead', 'click')", name=op.f("ck_deliveries_kind")),
        sa.CheckConstraint(
            "zoho_status IN ('pending', 'sending', 'retrying', 'sent', 'dead', 'held')",
            name=op.f("ck_deliveries_status"),
        ),
    )
    owed = f"zoho_status IN ('sending', 'retrying') OR ({NEW})"
    _index("owed", "kind", "zoho_status", "next_retry_at", where=owed)
    _index("requeued", "kind", "next_retry_at", where="zoho_status = 'pending' AND requeued")
    alone = "zoho_status IN ('sending', 'retrying') AND lost_leases >= 2"
    _index("alone", "zoho_status", "next_retry_at", where=alone)
    stopped_at = sa.text("coalesce(last_retry_at, queued_at)")
    _index("stopped", "kind", "zoho_status", stopped_at, where="zoho_status IN ('dead', 'held')")
    _index("merged_into", "merged_into", where="merged_into IS NOT NULL")
    op.create_index("ix_deliveries_queued_at", "deliveries", ["queued_at"], postgresql_using="brin")
    op.execute(NOTE)
    for kind, table in TABLES.items():
        op.execute(
            f"CREATE TRIGGER store_delivery AFTER INSERT ON {table}"
            f" FOR EACH ROW EXECUTE FUNCTION store_delivery('{kind}')"
        )


def _index(name: str, *columns: str | sa.TextClause, where: str) -> None:
    op.create_index(f"ix_deliveries_{name}", "deliveries", list(columns), postgresql_where=sa.text(where))


def downgrade() -> None:
    for table in TABLES.values():
        op.execute(f"DROP TRIGGER store_delivery ON {table}")
    op.execute("DROP FUNCTION store_delivery()")
    op.drop_table("deliveries")
