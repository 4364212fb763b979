"""Leads and clicks without the state of their delivery, when no site of the version before runs any more."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"

TABLES = ("leads", "whatsapp_clicks")
COLUMNS = (
    ("zoho_status", "varchar(8) NOT NULL DEFAULT 'pending'"),
    ("zoho_sent_at", "timestamptz"),
    ("zoho_record_id", "varchar(32)"),
    ("retry_count", "integer NOT NULL DEFAULT 0"),
    ("last_retry_at", "timestamptz"),
    ("next_retry_at", "timestamptz NOT NULL DEFAULT now()"),
    ("lost_leases", "smallint NOT NULL DEFAULT 0"),
    ("workers_killed", "smallint NOT NULL DEFAULT 0"),
    ("last_error", "text"),
    ("queued_at", "timestamptz NOT NULL DEFAULT now()"),
)
NEW = "zoho_status = 'pending' AND queued_at <= created_at"
STOPPED_AT = "coalesce(last_retry_at, created_at)"
OLD_INDEXES = {
    "owed": (["zoho_status", "next_retry_at"], f"zoho_status IN ('sending', 'retrying') OR ({NEW})"),
    "requeued": (["next_retry_at"], "zoho_status = 'pending' AND queued_at > created_at"),
    "stopped": (["zoho_status", sa.text(STOPPED_AT)], "zoho_status IN ('dead', 'held')"),
    "alone": (
        ["zoho_status", "next_retry_at"],
        "zoho_status IN ('sending', 'retrying') AND lost_leases >= 2",
    ),
    "address": (["created_at"], "ip_address IS NOT NULL AND zoho_status IN ('sent', 'dead', 'held')"),
    "session_id": (["session_id", "created_at"], "zoho_status = 'sent'"),
}


def upgrade() -> None:
    for table in TABLES:
        op.execute(f"DROP TRIGGER store_delivery ON {table}")
        # The indexes of these columns go with them.
        op.execute(f"ALTER TABLE {table} {', '.join(f'DROP COLUMN {name}' for name, _ in COLUMNS)}")
    op.execute("ALTER TABLE leads DROP COLUMN merged_into")
    op.execute("DROP FUNCTION store_delivery()")


def downgrade() -> None:
    op.execute("ALTER TABLE leads ADD COLUMN merged_into varchar(32)")
    op.execute("UPDATE leads SET merged_into = d.merged_into FROM deliveries AS d WHERE d.id = leads.id")
    merged = sa.text("merged_into IS NOT NULL")
    op.create_index("ix_leads_merged_into", "leads", ["merged_into"], postgresql_where=merged)
    op.execute("""
CREATE FUNCTION store_delivery() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO deliveries (id, kind, zoho_status) VALUES (NEW.id, TG_ARGV[0], NEW.zoho_status)
    ON CONFLICT DO NOTHING;
    RETURN NULL;
END $$
""")
    for kind, table in zip(("lead", "click"), TABLES, strict=True):
        op.execute(f"ALTER TABLE {table} {', '.join(f'ADD COLUMN {name} {kind_}' for name, kind_ in COLUMNS)}")
        values = ", ".join(f"{name} = d.{name}" for name, _ in COLUMNS if name != "queued_at")
        # A row is new when it was queued no later than stored.
        queued_at = (
            "CASE WHEN d.requeued THEN greatest(d.queued_at, created_at + interval '1 us')"
            " ELSE least(d.queued_at, created_at) END"
        )
        taken = "FROM deliveries AS d WHERE d.id"
        op.execute(f"UPDATE {table} SET {values}, queued_at = {queued_at} {taken} = {table}.id")  # noqa: S608
        op.create_check_constraint(
            op.f(f"ck_{table}_status"),
            table,
            "zoho_status IN ('pending', 'sending', 'retrying', 'sent', 'dead', 'held')",
        )
        for name, (columns, where) in OLD_INDEXES.items():
            op.create_index(f"ix_{table}_{name}", table, columns, postgresql_where=sa.text(where))
        op.execute(
            f"CREATE TRIGGER store_delivery AFTER INSERT ON {table}"
            f" FOR EACH ROW EXECUTE FUNCTION store_delivery('{kind}')"
        )
