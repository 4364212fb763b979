"""When the clinic calls, as a visitor was told, and what a visitor adds to an enquiry after sending."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    op.add_column("leads", sa.Column("call_from", sa.DateTime(timezone=True), nullable=True))
    op.add_column("leads", sa.Column("call_until", sa.DateTime(timezone=True), nullable=True))
    op.add_column("leads", sa.Column("call_chosen", sa.Boolean(), nullable=True))
    op.add_column("leads", sa.Column("interest", sa.String(length=80), nullable=True))
    op.add_column("leads", sa.Column("already_has", sa.String(length=80), nullable=True))


def downgrade() -> None:
    op.drop_column("leads", "already_has")
    op.drop_column("leads", "interest")
    op.drop_column("leads", "call_chosen")
    op.drop_column("leads", "call_until")
    op.drop_column("leads", "call_from")
