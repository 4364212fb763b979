"""Add more click ids, landing page, first touch, the browser's event id, and the visitor's consent."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision = "0003"
down_revision = "0002"

TABLES = ("leads", "whatsapp_clicks")
SHORT = ("gbraid", "wbraid", "fbclid", "msclkid", "event_id")
CONSENT = ("consent_version", "consent_choice", "consent_at", "marketing_opt_in")


def upgrade() -> None:
    for table in TABLES:
        for name in SHORT:
            op.add_column(table, sa.Column(name, sa.String(255)))
        op.add_column(table, sa.Column("landing_url", sa.String(2048)))
        op.add_column(table, sa.Column("first_touch", JSONB))
    op.add_column("leads", sa.Column("consent_version", sa.String(64)))
    op.add_column("leads", sa.Column("consent_choice", JSONB))
    op.add_column("leads", sa.Column("consent_at", sa.DateTime(timezone=True)))
    opted_in = sa.Column("marketing_opt_in", sa.Boolean, server_default=sa.text("false"), nullable=False)
    op.add_column("leads", opted_in)


def downgrade() -> None:
    for name in CONSENT:
        op.drop_column("leads", name)
    for table in TABLES:
        for name in (*SHORT, "landing_url", "first_touch"):
            op.drop_column(table, name)
