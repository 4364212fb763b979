"""Add the daily limit of acknowledgements, converted records, erased keys and the version of the opt-in."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"

STATUSES = "status IN ('pending', 'sending', 'retrying', 'sent', 'dead'{more})"
# The rule of leads/mail/mailbox.py: lower case, without a plus and what follows it. Dots are kept here.
MAILBOX = "regexp_replace(lower(leads.email), '\\+[^@]*@', '@')"


def upgrade() -> None:
    op.add_column("leads", sa.Column("marketing_version", sa.String(64)))
    for table in ("leads", "whatsapp_clicks"):
        op.add_column(table, sa.Column("converted_at", sa.DateTime(timezone=True)))
    op.add_column("retention_runs", sa.Column("converted", sa.Integer, server_default=sa.text("0"), nullable=False))
    op.add_column("acknowledgements", sa.Column("mailbox", sa.String(100)))
    op.execute(f"UPDATE acknowledgements SET mailbox = {MAILBOX} FROM leads WHERE leads.id = lead_id")  # noqa: S608 - constants of this module
    op.create_index("ix_acknowledgements_mailbox", "acknowledgements", ["mailbox", "created_at"])
    _limit_statuses(", 'skipped'")
    op.create_table(
        "erased_keys",
        sa.Column("key_hash", sa.LargeBinary(32), nullable=False),
        sa.Column("erased_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.PrimaryKeyConstraint("key_hash", name="pk_erased_keys"),
    )


def downgrade() -> None:
    op.drop_table("erased_keys")
    op.execute("DELETE FROM acknowledgements WHERE status = 'skipped'")
    _limit_statuses("")
    op.drop_column("acknowledgements", "mailbox")
    op.drop_column("retention_runs", "converted")
    for table in ("leads", "whatsapp_clicks"):
        op.drop_column(table, "converted_at")
    op.drop_column("leads", "marketing_version")


def _limit_statuses(more: str) -> None:
    # The name as revision 0004 created it: the naming convention was applied to an already complete name.
    name = op.f("ck_acknowledgements_ck_acknowledgements_status")
    op.drop_constraint(name, "acknowledgements")
    op.create_check_constraint(name, "acknowledgements", STATUSES.format(more=more))
