"""The metadata of all tables, and the columns and indexes that tables share."""

from __future__ import annotations

from sqlalchemy import (
    CheckConstraint,
    Column,
    DateTime,
    Index,
    Integer,
    MetaData,
    SmallInteger,
    String,
    Text,
    func,
    text,
)
from sqlalchemy.dialects.postgresql import JSONB

from leads.lifecycle import LOST_LEASES_ALONE

metadata = MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "uq": "uq_%(table_name)s_%(column_0_name)s",
        "ix": "ix_%(table_name)s_%(column_0_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
    }
)

STATUSES = ("pending", "sending", "retrying", "sent", "dead", "held")
# New rows, and rows that an operator requeued. PostgreSQL uses a partial index only for its exact condition.
NEW = "zoho_status = 'pending' AND queued_at <= created_at"
REQUEUED = "zoho_status = 'pending' AND queued_at > created_at"
# Rows that lost so many workers that they are sent one at a time.
ALONE = f"lost_leases >= {LOST_LEASES_ALONE}"

# Rows that retention may touch: they owe the CRM nothing.
SETTLED = "zoho_status IN ('sent', 'dead', 'held')"

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


def tracking_columns() -> list[Column[object]]:
    """Return the tracking columns that leads and clicks share.

    `first_touch` is an object of CAMPAIGN and FIRST_TOUCH_URLS; NULL when unknown.
    """
    short: list[Column[object]] = [Column(name, String(TRACKING_LENGTH)) for name in TRACKING]
    long: list[Column[object]] = [Column(name, String(LONG_TRACKING_LENGTH)) for name in LONG_TRACKING]
    return [
        *short,
        *long,
        Column("first_touch", JSONB(none_as_null=True)),
        Column("ip_address", String(ADDRESS_LENGTH)),
    ]


def sync_columns() -> list[Column[object]]:
    """Return the columns of the delivery state that leads and clicks share.

    `next_retry_at` is the row's only clock: no worker touches the row before then.
    """
    return [
        Column("zoho_status", String(8), nullable=False, server_default="pending"),
        Column("zoho_sent_at", DateTime(timezone=True)),
        Column("zoho_record_id", String(32)),
        Column("retry_count", Integer, nullable=False, server_default="0"),
        Column("last_retry_at", DateTime(timezone=True)),
        Column("next_retry_at", DateTime(timezone=True), nullable=False, server_default=func.now()),
        Column("lost_leases", SmallInteger, nullable=False, server_default="0"),
        # Of these, the workers whose death nothing but this row explains.
        Column("workers_killed", SmallInteger, nullable=False, server_default="0"),
        Column("last_error", Text),
        # Why the row was stored as held (leads/outbox/holds.py); it stays when the row is released.
        Column("held_reason", String(HELD_REASON_LENGTH)),
        # When this row last entered the queue: creation, or the last redrive. Its age decides "no tries left".
        Column("queued_at", DateTime(timezone=True), nullable=False, server_default=func.now()),
        # When the CRM reported that the record became a customer's: retention does not delete such a row.
        Column("converted_at", DateTime(timezone=True)),
        Column("created_at", DateTime(timezone=True), nullable=False, server_default=func.now()),
    ]


def status_check() -> CheckConstraint:
    """Return the constraint that allows only the lifecycle's states."""
    return CheckConstraint(f"zoho_status IN {STATUSES}", name="status")


def sync_indexes(table: str) -> list[Index]:
    """Return partial indexes: a finished row costs a claim nothing."""
    owed, stopped, alone, address = (
        text(f"zoho_status IN ('sending', 'retrying') OR ({NEW})"),
        text("zoho_status IN ('dead', 'held')"),
        text(f"zoho_status IN ('sending', 'retrying') AND {ALONE}"),
        text(f"ip_address IS NOT NULL AND {SETTLED}"),
    )
    since = text("coalesce(last_retry_at, created_at)")
    return [
        Index(f"ix_{table}_owed", "zoho_status", "next_retry_at", postgresql_where=owed),
        Index(f"ix_{table}_requeued", "next_retry_at", postgresql_where=text(REQUEUED)),
        Index(f"ix_{table}_stopped", "zoho_status", since, postgresql_where=stopped),
        Index(f"ix_{table}_alone", "zoho_status", "next_retry_at", postgresql_where=alone),
        # For the daily retention. Rows are stored in the order of their age, so that a BRIN index is enough.
        Index(f"ix_{table}_created_at", "created_at", postgresql_using="brin"),
        Index(f"ix_{table}_address", "created_at", postgresql_where=address),
        # For what else came from a session: whatever is in the CRM already.
        Index(f"ix_{table}_session_id", "session_id", "created_at", postgresql_where=text("zoho_status = 'sent'")),
    ]
