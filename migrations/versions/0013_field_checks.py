"""What the last check of the CRM's fields found, and when the next one is due."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    now = sa.text("now()")
    op.create_table(
        "crm_fields",
        sa.Column("destination", sa.String(16), nullable=False),
        sa.Column("missing", sa.ARRAY(sa.Text), server_default="{}", nullable=False),
        sa.Column("checked_at", sa.DateTime(timezone=True)),
        sa.Column("check_at", sa.DateTime(timezone=True), server_default=now, nullable=False),
        sa.PrimaryKeyConstraint("destination", name="pk_crm_fields"),
    )
    op.execute("INSERT INTO crm_fields (destination) VALUES ('zoho')")


def downgrade() -> None:
    op.drop_table("crm_fields")
