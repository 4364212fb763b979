"""The tables, as SQLAlchemy Core: leads, acknowledgements, WhatsApp clicks, users, the CRM's gate, token, attempts.

Core, not mapped classes: the accept path is one INSERT. Schema changes go through `migrations/`; a test compares.
Those of privacy rights stand in `privacy_tables.py`.
"""

from __future__ import annotations

from sqlalchemy import (
    ARRAY,
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    DateTime,
    ForeignKey,
    Identity,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    SmallInteger,
    String,
    Table,
    Text,
    Uuid,
    func,
    text,
)
from sqlalchemy.dialects.postgresql import JSONB

from leads.columns import (
    CONSENT_VERSION_LENGTH,
    TRACKING_LENGTH,
    status_check,
    sync_columns,
    sync_indexes,
    tracking_columns,
)

metadata = MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "uq": "uq_%(table_name)s_%(column_0_name)s",
        "ix": "ix_%(table_name)s_%(column_0_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
    }
)

LONGEST_MAILBOX = 100
UNACKNOWLEDGED = "status IN ('pending', 'sending', 'retrying')"
REFERENCE = "lpad(mod(floor(extract(epoch FROM now()) * 1000)::bigint, 1000000)::text, 6, '0')"

leads = Table(
    "leads",
    metadata,
    Column("id", Uuid, primary_key=True),
    # Six digits from the time of creation: the last six of its milliseconds since 1970.
    Column("reference", String(6), nullable=False, server_default=text(REFERENCE)),
    Column("name", String(80), nullable=False),
    Column("surname", String(80), nullable=False),
    Column("email", String(100), nullable=False),
    Column("country_code", String(8), nullable=False),
    Column("country_iso", String(2)),
    Column("phone", String(250), nullable=False),
    Column("phone_e164", String(20), nullable=False),
    Column("message", String(5000)),
    *tracking_columns(),
    # The banner: which wording, {"analytics": bool, "advertising": bool} as chosen, and when.
    Column("consent_version", String(CONSENT_VERSION_LENGTH)),
    Column("consent_choice", JSONB(none_as_null=True)),
    Column("consent_at", DateTime(timezone=True)),
    Column("marketing_opt_in", Boolean, nullable=False, server_default=text("false")),
    Column("marketing_version", String(CONSENT_VERSION_LENGTH)),  # which wording stood beside the ticked box
    # The visitor's repeat of the same press gives the same receipt; the digest tells a repeat from a misuse.
    Column("idempotency_key", String(255), unique=True),
    Column("request_digest", LargeBinary(32)),
    # The CRM record of an earlier enquiry that takes this one as a note, decided before the first call; else NULL.
    Column("merged_into", String(32)),
    *sync_columns(),
    status_check(),
    *sync_indexes("leads"),
    Index("ix_leads_email", text("lower(email)"), "created_at"),
    Index("ix_leads_phone", "phone_e164", "created_at"),
    Index("ix_leads_merged_into", "merged_into", postgresql_where=text("merged_into IS NOT NULL")),
)

# The e-mail that acknowledges a lead: made with it, gone with it, and delivered like a row for the CRM.
acknowledgements = Table(
    "acknowledgements",
    metadata,
    Column("lead_id", ForeignKey(leads.c.id, ondelete="CASCADE"), primary_key=True),
    Column("status", String(8), nullable=False, server_default="pending"),
    Column("sent_at", DateTime(timezone=True)),
    Column("retry_count", Integer, nullable=False, server_default="0"),
    Column("next_retry_at", DateTime(timezone=True), nullable=False, server_default=func.now()),
    Column("lost_leases", SmallInteger, nullable=False, server_default="0"),
    Column("last_error", Text),
    Column("created_at", DateTime(timezone=True), nullable=False, server_default=func.now()),
    # Whose mailbox it is, however it was typed: what counts towards the limit of a day.
    Column("mailbox", String(LONGEST_MAILBOX)),
    CheckConstraint("status IN ('pending', 'sending', 'retrying', 'sent', 'dead', 'skipped')", name="status"),
    Index("ix_acknowledgements_mailbox", "mailbox", "created_at"),
    Index("ix_acknowledgements_owed", "next_retry_at", postgresql_where=text(UNACKNOWLEDGED)),
)

whatsapp_clicks = Table(
    "whatsapp_clicks",
    metadata,
    Column("id", Uuid, primary_key=True),
    # As sent, or with a suffix when another session already used the same five characters.
    Column("unique_code", String(80), nullable=False, unique=True),
    Column("analytics_click_id", String(TRACKING_LENGTH)),
    Column("whatsapp_message", String(5000), nullable=False),
    Column("button_location", String(TRACKING_LENGTH), nullable=False),
    *tracking_columns(),
    *sync_columns(),
    status_check(),
    *sync_indexes("whatsapp_clicks"),
)

users = Table(
    "users",
    metadata,
    Column("id", BigInteger, Identity(), primary_key=True),
    Column("username", String(80), nullable=False, unique=True),
    Column("password", String(255), nullable=False),  # a salted hash, never the password
    Column("created_at", DateTime(timezone=True), nullable=False, server_default=func.now()),
)

crm_gate = Table(
    "crm_gate",
    metadata,
    Column("destination", String(16), primary_key=True),
    Column("state", String(4), nullable=False, server_default="open"),
    Column("reason", String(16)),
    Column("detail", Text),
    Column("changed_by", String(80)),
    Column("changed_at", DateTime(timezone=True), nullable=False, server_default=func.now()),
    # While shut: nothing but one probe before this moment. NULL while shut: a person must open it.
    Column("until_at", DateTime(timezone=True)),
    Column("failures", Integer, nullable=False, server_default="0"),
    # Up to three different rows that failed in a row: an outage is not one odd lead.
    Column("failed_rows", ARRAY(Uuid), nullable=False, server_default="{}"),
    Column("failing_since", DateTime(timezone=True)),
    Column("successes", Integer, nullable=False, server_default="0"),
    # The cap of calls in flight, halved when the CRM says too many at once, recovering with success.
    Column("concurrency", Integer),
    # What the CRM last said of the day's credits; it says nothing until half of them are used.
    Column("credits_left", BigInteger),
    Column("credits_at", DateTime(timezone=True)),
    Column("last_tick_at", DateTime(timezone=True)),
    CheckConstraint("state IN ('open', 'shut')", name="state"),
)

crm_token = Table(
    "crm_token",
    metadata,
    Column("destination", String(16), primary_key=True),
    Column("value", Text),
    Column("scopes", Text, nullable=False, server_default=""),
    Column("expires_at", DateTime(timezone=True)),
    # Spacing of mints, and single flight: whoever sets minting_until mints; nobody else may until then.
    Column("next_mint_at", DateTime(timezone=True), nullable=False, server_default=func.now()),
    Column("minting_until", DateTime(timezone=True)),
    Column("minted_at", DateTime(timezone=True)),
)

crm_attempts = Table(
    "crm_attempts",
    metadata,
    Column("id", BigInteger, Identity(), primary_key=True),
    Column("at", DateTime(timezone=True), nullable=False, server_default=func.clock_timestamp()),
    Column("kind", String(8), nullable=False),
    Column("row_id", Uuid, nullable=False),
    # The X-Request-ID of the CRM call this belongs to: the tie between this log and the CRM's own ledger.
    Column("call_id", String(64)),
    Column("event", String(16), nullable=False),
    Column("code", String(64)),
    Column("http_status", SmallInteger),
    Column("detail", Text),
    Column("next_retry_at", DateTime(timezone=True)),
    Index("ix_crm_attempts_row_id", "row_id", "id"),
)
