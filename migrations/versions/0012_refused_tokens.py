"""Why the last mint of an access token was refused."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    op.add_column("crm_token", sa.Column("refusal", sa.String(64)))
    op.add_column("crm_token", sa.Column("refused_at", sa.DateTime(timezone=True)))


def downgrade() -> None:
    op.drop_column("crm_token", "refused_at")
    op.drop_column("crm_token", "refusal")
