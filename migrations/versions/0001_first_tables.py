"""Create leads, WhatsApp clicks, users, the CRM gate, the CRM token and the log of attempts."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

TRACKING = (
    "google_campaign",
    "google_adgroup",
    "google_keyword",
    "google_ad",
    "google_gclid",
    "utm_source",
    "utm_medium",
    "utm_content",
    "utm_term",
    "google_matchtype",
    "google_network",
    "google_device",
    "ads_timestamp",
    "session_id",
    "device_type",
    "browser_name",
    "browser_version",
    "operating_system",
    "screen_resolution",
    "timezone",
    "language",
)
REFERENCE = "lpad(mod(floor(extract(epoch FROM now()) * 1000)::bigint, 1000000)::text, 6, '0')"
STATUSES = "zoho_status IN ('pending', 'sending', 'retrying', 'sent', 'dead', 'held')"
OWED = "zoho_status IN ('pending', 'sending', 'retrying')"


def _time(name: str, *, now: bool = False) -> sa.Column[object]:
    default = sa.text("now()") if now else None
    return sa.Column(name, sa.DateTime(timezone=True), server_default=default, nullable=not now)


def _tracking() -> list[sa.Column[object]]:
    return [
        *(sa.Column(name, sa.String(255)) for name in TRACKING),
        *(sa.Column(name, sa.String(2048)) for name in ("current_url", "referrer", "user_agent")),
        sa.Column("ip_address", sa.String(45)),
    ]


def _sync() -> list[sa.Column[object]]:
    return [
        sa.Column("zoho_status", sa.String(8), server_default="pending", nullable=False),
        _time("zoho_sent_at"),
        sa.Column("zoho_record_id", sa.String(32)),
        sa.Column("retry_count", sa.Integer, server_default="0", nullable=False),
        _time("last_retry_at"),
        _time("next_retry_at", now=True),
        sa.Column("lost_leases", sa.SmallInteger, server_default="0", nullable=False),
        sa.Column("last_error", sa.Text),
        _time("queued_at", now=True),
        _time("created_at", now=True),
    ]


def _owed_index(table: str) -> None:
    op.create_index(f"ix_{table}_owed", table, ["zoho_status", "next_retry_at"], postgresql_where=sa.text(OWED))


def upgrade() -> None:
    op.create_table(
        "leads",
        sa.Column("id", sa.Uuid, nullable=False),
        sa.Column("reference", sa.String(6), server_default=sa.text(REFERENCE), nullable=False),
        sa.Column("name", sa.String(80), nullable=False),
        sa.Column("surname", sa.String(80), nullable=False),
        sa.Column("email", sa.String(100), nullable=False),
        sa.Column("country_code", sa.String(8), nullable=False),
        sa.Column("country_iso", sa.String(2)),
        sa.Column("phone", sa.String(250), nullable=False),
        sa.Column("phone_e164", sa.String(20), nullable=False),
        sa.Column("message", sa.String(5000)),
        *_tracking(),
        sa.Column("idempotency_key", sa.String(255)),
        sa.Column("request_digest", sa.LargeBinary(32)),
        *_sync(),
        sa.CheckConstraint(STATUSES, name="ck_leads_status"),
        sa.PrimaryKeyConstraint("id", name="pk_leads"),
        sa.UniqueConstraint("idempotency_key", name="uq_leads_idempotency_key"),
    )
    _owed_index("leads")
    op.create_table(
        "whatsapp_clicks",
        sa.Column("id", sa.Uuid, nullable=False),
        sa.Column("unique_code", sa.String(80), nullable=False),
        sa.Column("analytics_click_id", sa.String(255)),
        sa.Column("whatsapp_message", sa.String(5000), nullable=False),
        sa.Column("button_location", sa.String(255), nullable=False),
        *_tracking(),
        *_sync(),
        sa.CheckConstraint(STATUSES, name="ck_whatsapp_clicks_status"),
        sa.PrimaryKeyConstraint("id", name="pk_whatsapp_clicks"),
        sa.UniqueConstraint("unique_code", name="uq_whatsapp_clicks_unique_code"),
    )
    _owed_index("whatsapp_clicks")
    op.create_table(
        "users",
        sa.Column("id", sa.BigInteger, sa.Identity(), nullable=False),
        sa.Column("username", sa.String(80), nullable=False),
        sa.Column("password", sa.String(255), nullable=False),
        _time("created_at", now=True),
        sa.PrimaryKeyConstraint("id", name="pk_users"),
        sa.UniqueConstraint("username", name="uq_users_username"),
    )
    _create_crm_tables()


def _create_crm_tables() -> None:
    op.create_table(
        "crm_gate",
        sa.Column("destination", sa.String(16), nullable=False),
        sa.Column("state", sa.String(4), server_default="open", nullable=False),
        sa.Column("reason", sa.String(16)),
        sa.Column("detail", sa.Text),
        sa.Column("changed_by", sa.String(80)),
        _time("changed_at", now=True),
        _time("until_at"),
        sa.Column("failures", sa.Integer, server_default="0", nullable=False),
        sa.Column("failed_rows", sa.ARRAY(sa.Uuid), server_default="{}", nullable=False),
        _time("failing_since"),
        sa.Column("successes", sa.Integer, server_default="0", nullable=False),
        sa.Column("concurrency", sa.Integer),
        sa.Column("credits_left", sa.BigInteger),
        _time("credits_at"),
        _time("last_tick_at"),
        sa.CheckConstraint("state IN ('open', 'shut')", name="ck_crm_gate_state"),
        sa.PrimaryKeyConstraint("destination", name="pk_crm_gate"),
    )
    op.create_table(
        "crm_token",
        sa.Column("destination", sa.String(16), nullable=False),
        sa.Column("value", sa.Text),
        sa.Column("scopes", sa.Text, server_default="", nullable=False),
        _time("expires_at"),
        _time("next_mint_at", now=True),
        _time("minting_until"),
        _time("minted_at"),
        sa.PrimaryKeyConstraint("destination", name="pk_crm_token"),
    )
    op.create_table(
        "crm_attempts",
        sa.Column("id", sa.BigInteger, sa.Identity(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), server_default=sa.text("clock_timestamp()"), nullable=False),
        sa.Column("kind", sa.String(8), nullable=False),
        sa.Column("row_id", sa.Uuid, nullable=False),
        sa.Column("call_id", sa.String(64)),
        sa.Column("event", sa.String(16), nullable=False),
        sa.Column("code", sa.String(64)),
        sa.Column("http_status", sa.SmallInteger),
        sa.Column("detail", sa.Text),
        _time("next_retry_at"),
        sa.PrimaryKeyConstraint("id", name="pk_crm_attempts"),
    )
    op.create_index("ix_crm_attempts_row_id", "crm_attempts", ["row_id", "id"])
    # There is one destination. Its two rows exist from the start, so that nothing has to create them under load.
    op.execute("INSERT INTO crm_gate (destination) VALUES ('zoho')")
    op.execute("INSERT INTO crm_token (destination) VALUES ('zoho')")


def downgrade() -> None:
    for table in ("crm_attempts", "crm_token", "crm_gate", "users", "whatsapp_clicks", "leads"):
        op.drop_table(table)
