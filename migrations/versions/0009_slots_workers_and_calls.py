"""Call slots, workers and begun calls as rows; the workers that a row killed; settings for tables that change much.

All of it is quick on a full table: no row is rewritten.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"

TABLES = ("leads", "whatsapp_clicks")
# The largest CRM_CALLS_IN_FLIGHT.
SLOTS = 25
# By default a table is vacuumed after a fifth of it has changed: too late for the indexes of a million rows.
OFTEN = "autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02"
SETTINGS = {
    "leads": OFTEN,
    "whatsapp_clicks": OFTEN,
    "crm_attempts": f"{OFTEN}, autovacuum_vacuum_insert_scale_factor = 0.02",
}


def upgrade() -> None:
    op.create_table(
        "crm_slots",
        sa.Column("number", sa.SmallInteger(), nullable=False),
        sa.Column("holder", sa.Uuid()),
        sa.Column("until_at", sa.DateTime(timezone=True), nullable=False, server_default="-infinity"),
        sa.PrimaryKeyConstraint("number", name="pk_crm_slots"),
    )
    op.execute(f"INSERT INTO crm_slots (number) SELECT generate_series(1, {SLOTS})")
    op.create_table(
        "crm_workers",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("name", sa.String(80), nullable=False),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=False, server_default=sa.func.now()),
        sa.Column("seen_at", sa.DateTime(timezone=True), nullable=False, server_default=sa.func.now()),
        sa.Column("stopped_at", sa.DateTime(timezone=True)),
        sa.PrimaryKeyConstraint("id", name="pk_crm_workers"),
    )
    op.create_table(
        "crm_calls",
        sa.Column("id", sa.String(64), nullable=False),
        sa.Column("worker_id", sa.Uuid(), nullable=False),
        sa.Column("alone", sa.Boolean(), nullable=False),
        sa.Column("began_at", sa.DateTime(timezone=True), nullable=False, server_default=sa.func.now()),
        sa.PrimaryKeyConstraint("id", name="pk_crm_calls"),
    )
    op.create_index("ix_crm_calls_began_at", "crm_calls", ["began_at"])
    for table in TABLES:
        op.add_column(table, sa.Column("workers_killed", sa.SmallInteger(), nullable=False, server_default="0"))
    for table, settings in SETTINGS.items():
        op.execute(f"ALTER TABLE {table} SET ({settings})")


def downgrade() -> None:
    for table, settings in SETTINGS.items():
        names = ", ".join(setting.split(" = ")[0] for setting in settings.split(", "))
        op.execute(f"ALTER TABLE {table} RESET ({names})")
    for table in TABLES:
        op.drop_column(table, "workers_killed")
    for table in ("crm_calls", "crm_workers", "crm_slots"):
        op.drop_table(table)
