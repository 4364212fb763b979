"""The tables of the first release: what visitors send, the outbox, and the views of the CRM's part of it.

From here on a migration only adds, and what the version before reads or writes is removed one release later.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from alembic.util import CommandError
from sqlalchemy.dialects import postgresql

revision = "0100"
down_revision = None

# Where a visitor came from and with what, of leads and clicks alike.
TRACKING = """
    google_campaign google_adgroup google_keyword google_ad google_gclid utm_source utm_medium utm_content
    utm_term google_matchtype google_network google_device gbraid wbraid fbclid msclkid ads_timestamp
    event_id session_id device_type browser_name browser_version operating_system screen_resolution timezone
    language
"""
LONG_TRACKING = ("current_url", "landing_url", "referrer", "user_agent")
DESTINATIONS = ("zoho", "visitor", "staff-mail", "staff-webhook")
# By default a table is vacuumed after a fifth of it has changed: too late for the indexes of a million rows.
OFTEN = "autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02"
SETTINGS = {
    "leads": OFTEN,
    "whatsapp_clicks": OFTEN,
    # Room in each page for the next versions of its rows, which each delivery writes three times.
    "deliveries": f"{OFTEN}, fillfactor = 70",
    "attempts": f"{OFTEN}, autovacuum_vacuum_insert_scale_factor = 0.02",
}
# The first has the specification's names.
VIEWS = {
    "crm_deliveries": """
        SELECT id, kind, status AS zoho_status, sent_at AS zoho_sent_at, record_id AS zoho_record_id, retry_count,
            last_retry_at, next_retry_at, last_error, queued_at, lost_leases, refused_at
        FROM deliveries WHERE destination = 'zoho'
    """,
    "crm_attempts": "SELECT * FROM attempts WHERE destination = 'zoho'",
}


def shared_columns() -> list[sa.Column[object]]:
    """Return the columns that leads and clicks share: of TRACKING, LONG_TRACKING and of what was decided."""
    lengths = (
        dict.fromkeys(TRACKING.split(), 255)
        | dict.fromkeys(LONG_TRACKING, 2048)
        | {"ip_address": 45, "held_reason": 12}
    )
    return [
        *(sa.Column(name, sa.String(length=length), nullable=True) for name, length in lengths.items()),
        sa.Column("first_touch", postgresql.JSONB(none_as_null=True, astext_type=sa.Text()), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
    ]


def upgrade() -> None:
    op.create_table(
        "attempts",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=False), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), server_default=sa.text("clock_timestamp()"), nullable=False),
        sa.Column("destination", sa.String(length=16), server_default="zoho", nullable=False),
        sa.Column("kind", sa.String(length=8), nullable=False),
        sa.Column("row_id", sa.Uuid(), nullable=False),
        sa.Column("call_id", sa.String(length=64), nullable=True),
        sa.Column("event", sa.String(length=16), nullable=False),
        sa.Column("code", sa.String(length=64), nullable=True),
        sa.Column("http_status", sa.SmallInteger(), nullable=True),
        sa.Column("detail", sa.Text(), nullable=True),
        sa.Column("next_retry_at", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_attempts")),
    )
    op.create_index("ix_attempts_row_id", "attempts", ["row_id", "id"])
    op.create_table(
        "crm_fields",
        sa.Column("destination", sa.String(length=16), nullable=False),
        sa.Column("missing", sa.ARRAY(sa.Text()), server_default="{}", nullable=False),
        sa.Column("checked_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("missing_records", sa.Integer(), nullable=True),
        sa.Column("check_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.PrimaryKeyConstraint("destination", name=op.f("pk_crm_fields")),
    )
    op.create_table(
        "crm_token",
        sa.Column("destination", sa.String(length=16), nullable=False),
        sa.Column("value", sa.Text(), nullable=True),
        sa.Column("scopes", sa.Text(), server_default="", nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("next_mint_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("refusal", sa.String(length=64), nullable=True),
        sa.Column("refused_at", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("destination", name=op.f("pk_crm_token")),
    )
    op.create_table(
        "deliveries",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("destination", sa.String(length=16), server_default="zoho", nullable=False),
        sa.Column("kind", sa.String(length=8), nullable=False),
        sa.Column("status", sa.String(length=8), server_default="pending", nullable=False),
        sa.Column("next_retry_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("queued_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("retry_count", sa.Integer(), server_default="0", nullable=False),
        sa.Column("lost_leases", sa.SmallInteger(), server_default="0", nullable=False),
        sa.Column("last_retry_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("sent_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("record_id", sa.String(length=64), nullable=True),
        sa.Column("last_error", sa.Text(), nullable=True),
        sa.Column("refused_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("changed_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("judged_at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint("kind IN ('lead', 'click')", name=op.f("ck_deliveries_kind")),
        sa.CheckConstraint(
            "status IN ('pending', 'sending', 'retrying', 'sent', 'dead', 'held', 'skipped')",
            name=op.f("ck_deliveries_status"),
        ),
        sa.PrimaryKeyConstraint("id", "destination", name=op.f("pk_deliveries")),
    )
    op.create_index(
        "ix_deliveries_acknowledged",
        "deliveries",
        ["sent_at"],
        postgresql_where=sa.text("destination = 'visitor' AND sent_at IS NOT NULL"),
    )
    op.create_index(
        "ix_deliveries_due",
        "deliveries",
        ["destination", sa.literal_column("(retry_count > 0)"), "next_retry_at"],
        postgresql_where=sa.text("status IN ('pending', 'sending', 'retrying')"),
    )
    op.create_index("ix_deliveries_queued_at", "deliveries", ["queued_at"], postgresql_using="brin")
    op.create_index(
        "ix_deliveries_stopped",
        "deliveries",
        ["destination", "kind", "status", sa.literal_column("coalesce(last_retry_at, queued_at)")],
        postgresql_where=sa.text("status IN ('dead', 'held', 'skipped')"),
    )
    op.create_table(
        "destinations",
        sa.Column("name", sa.String(length=16), nullable=False),
        sa.Column("reason", sa.String(length=16), nullable=True),
        sa.Column("detail", sa.Text(), nullable=True),
        sa.Column("until_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("failures", sa.Integer(), server_default="0", nullable=False),
        sa.Column("failing_since", sa.DateTime(timezone=True), nullable=True),
        sa.Column("changed_by", sa.String(length=80), nullable=True),
        sa.Column("changed_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("seen_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("told_at", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_destinations")),
    )
    op.create_table(
        "erased_keys",
        sa.Column("key_hash", sa.LargeBinary(length=32), nullable=False),
        sa.Column("erased_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.PrimaryKeyConstraint("key_hash", name=op.f("pk_erased_keys")),
    )
    op.create_table(
        "erasures",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=False), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("by", sa.String(length=80), nullable=False),
        sa.Column("email_hash", sa.LargeBinary(length=32), nullable=True),
        sa.Column("phone_hash", sa.LargeBinary(length=32), nullable=True),
        sa.Column("leads", sa.Integer(), nullable=False),
        sa.Column("clicks", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_erasures")),
    )
    op.create_table(
        "leads",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column(
            "reference",
            sa.String(length=6),
            server_default=sa.text(
                "lpad(mod(floor(extract(epoch FROM now()) * 1000)::bigint, 1000000)::text, 6, '0')"
            ),
            nullable=False,
        ),
        sa.Column("name", sa.String(length=80), nullable=False),
        sa.Column("surname", sa.String(length=80), nullable=False),
        sa.Column("email", sa.String(length=100), nullable=False),
        sa.Column("country_code", sa.String(length=8), nullable=False),
        sa.Column("country_iso", sa.String(length=2), nullable=True),
        sa.Column("phone", sa.String(length=250), nullable=False),
        sa.Column("phone_e164", sa.String(length=20), nullable=False),
        sa.Column("message", sa.String(length=5000), nullable=True),
        *shared_columns(),
        sa.Column("consent_version", sa.String(length=64), nullable=True),
        sa.Column("consent_choice", postgresql.JSONB(none_as_null=True, astext_type=sa.Text()), nullable=True),
        sa.Column("consent_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("marketing_opt_in", sa.Boolean(), server_default=sa.text("false"), nullable=False),
        sa.Column("marketing_version", sa.String(length=64), nullable=True),
        sa.Column("idempotency_key", sa.String(length=255), nullable=True),
        sa.Column("request_digest", sa.LargeBinary(length=32), nullable=True),
        sa.Column("call_from", sa.DateTime(timezone=True), nullable=True),
        sa.Column("call_until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("call_chosen", sa.Boolean(), nullable=True),
        sa.Column("interest", sa.String(length=80), nullable=True),
        sa.Column("already_has", sa.String(length=80), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_leads")),
        sa.UniqueConstraint("idempotency_key", name=op.f("uq_leads_idempotency_key")),
    )
    op.create_index("ix_leads_created_at", "leads", ["created_at"], postgresql_using="brin")
    op.create_index("ix_leads_email", "leads", [sa.literal_column("lower(email)"), "created_at"])
    op.create_index(
        "ix_leads_ip_address", "leads", ["created_at"], postgresql_where=sa.text("ip_address IS NOT NULL")
    )
    op.create_index("ix_leads_phone", "leads", ["phone_e164", "created_at"])
    op.create_index(
        "ix_leads_session",
        "leads",
        ["session_id", "created_at"],
        postgresql_where=sa.text("session_id IS NOT NULL"),
    )
    op.create_table(
        "periodic_runs",
        sa.Column("name", sa.String(length=32), nullable=False),
        sa.Column("ran_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("result", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_periodic_runs")),
    )
    op.create_table(
        "users",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=False), nullable=False),
        sa.Column("username", sa.String(length=80), nullable=False),
        sa.Column("password", sa.String(length=255), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_users")),
        sa.UniqueConstraint("username", name=op.f("uq_users_username")),
    )
    op.create_table(
        "whatsapp_clicks",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("unique_code", sa.String(length=80), nullable=False),
        sa.Column("analytics_click_id", sa.String(length=255), nullable=True),
        sa.Column("country_iso", sa.String(length=2), nullable=True),
        sa.Column("whatsapp_message", sa.String(length=5000), nullable=False),
        sa.Column("button_location", sa.String(length=255), nullable=False),
        *shared_columns(),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_whatsapp_clicks")),
        sa.UniqueConstraint("unique_code", name=op.f("uq_whatsapp_clicks_unique_code")),
    )
    op.create_index("ix_whatsapp_clicks_created_at", "whatsapp_clicks", ["created_at"], postgresql_using="brin")
    op.create_index(
        "ix_whatsapp_clicks_ip_address",
        "whatsapp_clicks",
        ["created_at"],
        postgresql_where=sa.text("ip_address IS NOT NULL"),
    )
    op.create_index(
        "ix_whatsapp_clicks_session",
        "whatsapp_clicks",
        ["session_id", "created_at"],
        postgresql_where=sa.text("session_id IS NOT NULL"),
    )
    op.create_table(
        "erased_rows",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("erasure_id", sa.BigInteger(), nullable=False),
        sa.Column("kind", sa.String(length=8), nullable=False),
        sa.Column("record_ids", sa.ARRAY(sa.String(length=32)), server_default="{}", nullable=False),
        sa.Column("check_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("watch_until", sa.DateTime(timezone=True), nullable=False),
        sa.Column("records_deleted", sa.Integer(), server_default="0", nullable=False),
        sa.Column("last_error", sa.Text(), nullable=True),
        sa.Column("done_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["erasure_id"], ["erasures.id"], name=op.f("fk_erased_rows_erasure_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_erased_rows")),
    )
    op.create_index(
        "ix_erased_rows_check_at", "erased_rows", ["check_at"], postgresql_where=sa.text("done_at IS NULL")
    )
    op.create_index(op.f("ix_erased_rows_erasure_id"), "erased_rows", ["erasure_id"])
    for table, settings in SETTINGS.items():
        op.execute(f"ALTER TABLE {table} SET ({settings})")
    for view, query in VIEWS.items():
        op.execute(f"CREATE VIEW {view} AS {query}")
    for destination in DESTINATIONS:
        op.execute(f"INSERT INTO destinations (name) VALUES ('{destination}')")  # noqa: S608 - constants of this module
    for table in ("crm_token", "crm_fields"):
        op.execute(f"INSERT INTO {table} (destination) VALUES ('zoho')")  # noqa: S608 - as above


def downgrade() -> None:
    raise CommandError("Nothing comes before the first release. To start anew: make clean DATA=yes.")
