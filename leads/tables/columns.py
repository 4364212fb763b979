"""The metadata of all tables, and the columns and indexes that tables share."""

from __future__ import annotations

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import JSONB

metadata = sa.MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "uq": "uq_%(table_name)s_%(column_0_name)s",
        "ix": "ix_%(table_name)s_%(column_0_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
    }
)

# Where a visitor came from: the columns hold the last arrival with parameters, `first_touch` holds the first.
CAMPAIGN = (
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
    "gbraid",
    "wbraid",
    "fbclid",
    "msclkid",
    "ads_timestamp",
)
TRACKING = (
    *CAMPAIGN,
    "event_id",
    "session_id",
    "device_type",
    "browser_name",
    "browser_version",
    "operating_system",
    "screen_resolution",
    "timezone",
    "language",
)
LONG_TRACKING = ("current_url", "landing_url", "referrer", "user_agent")
FIRST_TOUCH_URLS = ("landing_url", "referrer")
TRACKING_LENGTH = 255
LONG_TRACKING_LENGTH = 2048
ADDRESS_LENGTH = 45  # of the longest IPv6 address
CONSENT_VERSION_LENGTH = 64
HELD_REASON_LENGTH = 12


def tracking_columns() -> list[sa.Column[object]]:
    """Return the tracking columns that leads and clicks share.

    `first_touch` is an object of CAMPAIGN and FIRST_TOUCH_URLS; NULL when unknown.
    """
    lengths = dict.fromkeys(TRACKING, TRACKING_LENGTH) | dict.fromkeys(LONG_TRACKING, LONG_TRACKING_LENGTH)
    texts: list[sa.Column[object]] = [sa.Column(name, sa.String(length)) for name, length in lengths.items()]
    return [
        *texts,
        sa.Column("first_touch", JSONB(none_as_null=True)),
        sa.Column("ip_address", sa.String(ADDRESS_LENGTH)),
    ]


def review_columns() -> list[sa.Column[object]]:
    """Return the columns of what was decided about an enquiry or a click, which delivery only reads."""
    return [
        # Why the row was stored as held (leads/outbox/holds.py); it stays when the row is released.
        sa.Column("held_reason", sa.String(HELD_REASON_LENGTH)),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False, server_default=sa.func.now()),
    ]


def shared_indexes(table: str) -> list[sa.Index]:
    """Return the indexes that leads and clicks share. None is of a column that delivery writes."""
    return [
        # For retention. Rows are stored in the order of their age, so that a BRIN index is enough.
        sa.Index(f"ix_{table}_created_at", "created_at", postgresql_using="brin"),
        sa.Index(f"ix_{table}_ip_address", "created_at", postgresql_where=sa.text("ip_address IS NOT NULL")),
        # For what else came from a session.
        sa.Index(
            f"ix_{table}_session", "session_id", "created_at", postgresql_where=sa.text("session_id IS NOT NULL")
        ),
    ]
