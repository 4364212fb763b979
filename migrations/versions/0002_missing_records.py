"""How many of a day's sampled rows have no record in the CRM."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.add_column("crm_fields", sa.Column("missing_records", sa.Integer(), nullable=True))


def downgrade() -> None:
    op.drop_column("crm_fields", "missing_records")
