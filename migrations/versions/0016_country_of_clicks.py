"""Add the visitor's country to whatsapp_clicks."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"


def upgrade() -> None:
    op.add_column("whatsapp_clicks", sa.Column("country_iso", sa.String(2)))


def downgrade() -> None:
    op.drop_column("whatsapp_clicks", "country_iso")
