"""What visitors submit, leads and WhatsApp clicks; and users.

Core tables, not mapped classes: the accept path is one INSERT.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    DateTime,
    Identity,
    Index,
    LargeBinary,
    String,
    Table,
    Uuid,
    text,
)
from sqlalchemy.dialects.postgresql import JSONB

from leads.tables.columns import (
    CONSENT_VERSION_LENGTH,
    TRACKING_LENGTH,
    metadata,
    review_columns,
    shared_indexes,
    tracking_columns,
)

ADDED_LENGTH = 80
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
    # When the clinic calls, as the visitor was told (leads/call_times.py); NULL: the site knew no opening hours.
    Column("call_from", DateTime(timezone=True)),
    Column("call_until", DateTime(timezone=True)),
    # What the visitor added after sending, in words: whether they chose that time, the treatment, what there is.
    Column("call_chosen", Boolean),
    Column("interest", String(ADDED_LENGTH)),
    Column("already_has", String(ADDED_LENGTH)),
    *tracking_columns(),
    # The consent banner: the version of its wording, the choice {"analytics": bool, "advertising": bool}, and when.
    Column("consent_version", String(CONSENT_VERSION_LENGTH)),
    Column("consent_choice", JSONB(none_as_null=True)),
    Column("consent_at", DateTime(timezone=True)),
    Column("marketing_opt_in", Boolean, nullable=False, server_default=text("false")),
    Column("marketing_version", String(CONSENT_VERSION_LENGTH)),  # of the wording beside the ticked box
    # A repeat of the same submission gets the same receipt; the digest distinguishes it from a misused key.
    Column("idempotency_key", String(255), unique=True),
    Column("request_digest", LargeBinary(32)),
    *review_columns(),
    *shared_indexes("leads"),
    Index("ix_leads_email", text("lower(email)"), "created_at"),
    Index("ix_leads_phone", "phone_e164", "created_at"),
)

whatsapp_clicks = Table(
    "whatsapp_clicks",
    metadata,
    Column("id", Uuid, primary_key=True),
    # As sent, or with a suffix when another session already used the same five characters.
    Column("unique_code", String(80), nullable=False, unique=True),
    Column("analytics_click_id", String(TRACKING_LENGTH)),
    Column("country_iso", String(2)),
    Column("whatsapp_message", String(5000), nullable=False),
    Column("button_location", String(TRACKING_LENGTH), nullable=False),
    *tracking_columns(),
    *review_columns(),
    *shared_indexes("whatsapp_clicks"),
)

# Part of the data model; no code uses it.
users = Table(
    "users",
    metadata,
    Column("id", BigInteger, Identity(), primary_key=True),
    Column("username", String(80), nullable=False, unique=True),
    Column("password", String(255)),  # a salted hash or nothing
)
