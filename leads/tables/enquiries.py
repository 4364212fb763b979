"""What visitors submit, leads and WhatsApp clicks; and users.

Core tables, not mapped classes: the accept path is one INSERT.
"""

from __future__ import annotations

import sqlalchemy as sa
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

leads = sa.Table(
    "leads",
    metadata,
    sa.Column("id", sa.Uuid, primary_key=True),
    # Six digits from the time of creation: the last six of its milliseconds since 1970.
    sa.Column("reference", sa.String(6), nullable=False, server_default=sa.text(REFERENCE)),
    sa.Column("name", sa.String(80), nullable=False),
    sa.Column("surname", sa.String(80), nullable=False),
    sa.Column("email", sa.String(100), nullable=False),
    sa.Column("country_code", sa.String(8), nullable=False),
    sa.Column("country_iso", sa.String(2)),
    sa.Column("phone", sa.String(250), nullable=False),
    sa.Column("phone_e164", sa.String(20), nullable=False),
    sa.Column("message", sa.String(5000)),
    # When the clinic calls, as the visitor was told (leads/call_times.py); NULL: the site knew no opening hours.
    sa.Column("call_from", sa.DateTime(timezone=True)),
    sa.Column("call_until", sa.DateTime(timezone=True)),
    # What the visitor added after sending, in words: whether they chose that time, the treatment, what there is.
    sa.Column("call_chosen", sa.Boolean),
    sa.Column("interest", sa.String(ADDED_LENGTH)),
    sa.Column("already_has", sa.String(ADDED_LENGTH)),
    *tracking_columns(),
    # The consent banner: the version of its wording, the choice {"analytics": bool, "advertising": bool}, and when.
    sa.Column("consent_version", sa.String(CONSENT_VERSION_LENGTH)),
    sa.Column("consent_choice", JSONB(none_as_null=True)),
    sa.Column("consent_at", sa.DateTime(timezone=True)),
    sa.Column("marketing_opt_in", sa.Boolean, nullable=False, server_default=sa.text("false")),
    sa.Column("marketing_version", sa.String(CONSENT_VERSION_LENGTH)),  # of the wording beside the ticked box
    # A repeat of the same submission gets the same receipt; the digest distinguishes it from a misused key.
    sa.Column("idempotency_key", sa.String(255), unique=True),
    sa.Column("request_digest", sa.LargeBinary(32)),
    *review_columns(),
    *shared_indexes("leads"),
    sa.Index("ix_leads_email", sa.text("lower(email)"), "created_at"),
    sa.Index("ix_leads_phone", "phone_e164", "created_at"),
)

whatsapp_clicks = sa.Table(
    "whatsapp_clicks",
    metadata,
    sa.Column("id", sa.Uuid, primary_key=True),
    # As sent, or with a suffix when another session already used the same five characters.
    sa.Column("unique_code", sa.String(80), nullable=False, unique=True),
    sa.Column("analytics_click_id", sa.String(TRACKING_LENGTH)),
    sa.Column("country_iso", sa.String(2)),
    sa.Column("whatsapp_message", sa.String(5000), nullable=False),
    sa.Column("button_location", sa.String(TRACKING_LENGTH), nullable=False),
    *tracking_columns(),
    *review_columns(),
    *shared_indexes("whatsapp_clicks"),
)

# Part of the data model; no code uses it.
users = sa.Table(
    "users",
    metadata,
    sa.Column("id", sa.BigInteger, sa.Identity(), primary_key=True),
    sa.Column("username", sa.String(80), nullable=False, unique=True),
    sa.Column("password", sa.String(255)),  # a salted hash or nothing
)
