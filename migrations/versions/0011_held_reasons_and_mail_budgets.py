"""Why a row is held, what the budgets of acknowledgements count, and the digest that finds a repeated complaint."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"

TABLES = ("leads", "whatsapp_clicks")
BEFORE = "'pending', 'sending', 'retrying', 'sent', 'dead', 'skipped'"
DIGEST_DAY = sa.text("((created_at AT TIME ZONE 'UTC')::date)")
# Name, columns, condition.
INDEXES = (
    ("domain", ["domain", "created_at"], "domain IS NOT NULL"),
    ("client", ["client", "created_at"], "client IS NOT NULL"),
    ("sent_at", ["sent_at"], "sent_at IS NOT NULL"),
)


def upgrade() -> None:
    # What comes before the indexes is committed before them, and is there when they were interrupted.
    for table in TABLES:
        op.add_column(table, sa.Column("held_reason", sa.String(12)), if_not_exists=True)
    op.add_column("acknowledgements", sa.Column("domain", sa.String(100)), if_not_exists=True)
    op.add_column("acknowledgements", sa.Column("client", sa.String(24)), if_not_exists=True)
    _allow(f"{BEFORE}, 'held'")
    op.add_column("complaints", sa.Column("request_digest", sa.LargeBinary(32)), if_not_exists=True)
    op.create_index(
        "ix_complaints_request_digest",
        "complaints",
        ["request_digest", DIGEST_DAY],
        unique=True,
        if_not_exists=True,
        postgresql_where=sa.text("request_digest IS NOT NULL"),
    )
    with op.get_context().autocommit_block():
        # Waits for the transactions that are open, and makes no one wait.
        op.execute("SET lock_timeout = 0")
        for name, columns, condition in INDEXES:
            # An index that was interrupted is there, but not valid.
            op.execute(f"DROP INDEX CONCURRENTLY IF EXISTS ix_acknowledgements_{name}")
            op.create_index(
                f"ix_acknowledgements_{name}",
                "acknowledgements",
                columns,
                postgresql_where=sa.text(condition),
                postgresql_concurrently=True,
            )
        op.execute("RESET lock_timeout")


def downgrade() -> None:
    for name, _, _ in INDEXES:
        op.drop_index(f"ix_acknowledgements_{name}", "acknowledgements")
    op.drop_index("ix_complaints_request_digest", "complaints")
    op.drop_column("complaints", "request_digest")
    op.execute("DELETE FROM acknowledgements WHERE status = 'held'")
    _allow(BEFORE)
    op.drop_column("acknowledgements", "client")
    op.drop_column("acknowledgements", "domain")
    for table in TABLES:
        op.drop_column(table, "held_reason")


def _allow(statuses: str) -> None:
    # The name as revision 0004 created it.
    name = op.f("ck_acknowledgements_ck_acknowledgements_status")
    op.drop_constraint(name, "acknowledgements")
    op.create_check_constraint(name, "acknowledgements", f"status IN ({statuses})")
