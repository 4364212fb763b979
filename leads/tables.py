"""All tables, as SQLAlchemy Core, not mapped classes: the accept path is one INSERT.

Schema changes go through `migrations/`; a test compares the two.
"""

from enum import StrEnum

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import JSONB

from leads.destinations import CRM, VISITOR
from leads.lifecycle import Status

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
    *("google_campaign", "google_adgroup", "google_keyword", "google_ad", "google_gclid"),
    *("utm_source", "utm_medium", "utm_content", "utm_term", "google_matchtype", "google_network", "google_device"),
    *("gbraid", "wbraid", "fbclid", "msclkid", "ads_timestamp"),
)
TRACKING = (
    *(*CAMPAIGN, "event_id", "session_id", "device_type", "browser_name", "browser_version", "operating_system"),
    *("screen_resolution", "timezone", "language"),
)
LONG_TRACKING = ("current_url", "landing_url", "referrer", "user_agent")
FIRST_TOUCH_URLS = ("landing_url", "referrer")
TRACKING_LENGTH = 255
LONG_TRACKING_LENGTH = 2048
ADDRESS_LENGTH = 45  # of the longest IPv6 address
CONSENT_VERSION_LENGTH = 64


def tracking_columns() -> list[sa.Column[object]]:
    """Return the tracking columns that leads and clicks share."""
    lengths = dict.fromkeys(TRACKING, TRACKING_LENGTH) | dict.fromkeys(LONG_TRACKING, LONG_TRACKING_LENGTH)
    return [
        *(sa.Column[object](name, sa.String(length)) for name, length in lengths.items()),
        # An object of CAMPAIGN and FIRST_TOUCH_URLS; NULL when unknown.
        sa.Column("first_touch", JSONB(none_as_null=True)),
        sa.Column("ip_address", sa.String(ADDRESS_LENGTH)),
    ]


def review_columns() -> list[sa.Column[object]]:
    """Return the columns of what was decided about an enquiry or a click, which delivery only reads."""
    return [
        # Why the row was stored as held (leads/outbox/holds.py); it stays when the row is released.
        sa.Column("held_reason", sa.String(12)),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False, server_default=sa.func.now()),
    ]


def shared_indexes(table: str) -> list[sa.Index]:
    """Return the indexes that leads and clicks share. Delivery writes none of their columns."""
    return [
        # For retention. Rows are stored in the order of their age, so that a BRIN index is enough.
        sa.Index(f"ix_{table}_created_at", "created_at", postgresql_using="brin"),
        sa.Index(f"ix_{table}_ip_address", "created_at", postgresql_where=sa.text("ip_address IS NOT NULL")),
        # For what else came from a session.
        sa.Index(
            f"ix_{table}_session", "session_id", "created_at", postgresql_where=sa.text("session_id IS NOT NULL")
        ),
    ]


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
    sa.Column("interest", sa.String(80)),
    sa.Column("already_has", sa.String(80)),
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


class Kind(StrEnum):
    """What a row is: an enquiry, or a tap on a WhatsApp button."""

    LEAD = "lead"
    CLICK = "click"

    @property
    def table(self) -> sa.Table:
        """The table of this kind's rows."""
        return {Kind.LEAD: leads, Kind.CLICK: whatsapp_clicks}[self]

    @property
    def reference(self) -> str:
        """The column of this kind's table with what people name a row by."""
        return {Kind.LEAD: "reference", Kind.CLICK: "unique_code"}[self]


# The outbox: what is owed to whom, and what all workers share.
DESTINATION_LENGTH = 16

STATUSES = tuple(status.value for status in Status)
WAITING = "status IN ('pending', 'sending', 'retrying')"
# When a row was given up; a held row was never tried.
STOPPED_AT = "coalesce(last_retry_at, queued_at)"

# The outbox: one row for each lead or click and each destination that is owed something for it. Stored and deleted
# with the lead or click, and the only rows that delivery writes. They are narrow, and near the rows stored before
# and after them, so that a claim costs the same however many rows are finished: an update of a lead itself would
# write into each of its indexes, in the order of addresses and numbers.
deliveries = sa.Table(
    "deliveries",
    metadata,
    sa.Column("id", sa.Uuid, primary_key=True),  # the lead's, or the click's
    sa.Column("destination", sa.String(DESTINATION_LENGTH), primary_key=True, server_default=CRM),
    sa.Column("kind", sa.String(8), nullable=False),
    sa.Column("status", sa.String(8), nullable=False, server_default="pending"),
    # The row's only clock: no worker touches the row before then.
    sa.Column("next_retry_at", sa.DateTime(timezone=True), nullable=False, server_default=sa.func.now()),
    # When this row last entered the queue: creation, or the last redrive. Its age decides "no tries left".
    sa.Column("queued_at", sa.DateTime(timezone=True), nullable=False, server_default=sa.func.now()),
    sa.Column("retry_count", sa.Integer, nullable=False, server_default="0"),
    sa.Column("lost_leases", sa.SmallInteger, nullable=False, server_default="0"),
    sa.Column("last_retry_at", sa.DateTime(timezone=True)),
    sa.Column("sent_at", sa.DateTime(timezone=True)),
    sa.Column("record_id", sa.String(64)),
    sa.Column("last_error", sa.Text),
    # Since when the destination refuses the row; it is tried again all the same. NULL: it does not.
    sa.Column("refused_at", sa.DateTime(timezone=True)),
    # When the visitor last added something on the thank-you page, which the CRM's record gets too.
    sa.Column("changed_at", sa.DateTime(timezone=True)),
    # Since when a held row waits for a person (leads/outbox/holds.py); NULL: it may still go by itself.
    sa.Column("judged_at", sa.DateTime(timezone=True)),
    sa.CheckConstraint("kind IN ('lead', 'click')", name="kind"),
    sa.CheckConstraint(f"status IN {STATUSES}", name="status"),
    # Partial indexes: finished rows do not slow a claim down.
    sa.Index(
        "ix_deliveries_due",
        "destination",
        sa.text("(retry_count > 0)"),
        "next_retry_at",
        postgresql_where=sa.text(WAITING),
    ),
    sa.Index(
        "ix_deliveries_stopped",
        "destination",
        "kind",
        "status",
        sa.text(STOPPED_AT),
        postgresql_where=sa.text("status IN ('dead', 'held', 'skipped')"),
    ),
    sa.Index("ix_deliveries_queued_at", "queued_at", postgresql_using="brin"),
    # The budgets of e-mails count the last day's.
    sa.Index(
        "ix_deliveries_acknowledged",
        "sent_at",
        postgresql_where=sa.text(f"destination = '{VISITOR}' AND sent_at IS NOT NULL"),
    ),
)

# One row for each destination. Calls may be made while `reason` is NULL.
destinations = sa.Table(
    "destinations",
    metadata,
    sa.Column("name", sa.String(DESTINATION_LENGTH), primary_key=True),
    sa.Column("reason", sa.String(16)),
    sa.Column("detail", sa.Text),
    # When the next row goes as a trial. NULL while paused: an operator must resume.
    sa.Column("until_at", sa.DateTime(timezone=True)),
    # Calls in a row without an answer, and since when calls fail.
    sa.Column("failures", sa.Integer, nullable=False, server_default="0"),
    sa.Column("failing_since", sa.DateTime(timezone=True)),
    sa.Column("changed_by", sa.String(80)),
    sa.Column("changed_at", sa.DateTime(timezone=True), nullable=False, server_default=sa.func.now()),
    # When a worker last looked for rows that are due to it.
    sa.Column("seen_at", sa.DateTime(timezone=True)),
    # When staff were last told here of rows that need a person.
    sa.Column("told_at", sa.DateTime(timezone=True)),
)

crm_token = sa.Table(
    "crm_token",
    metadata,
    sa.Column("destination", sa.String(16), primary_key=True),
    sa.Column("value", sa.Text),
    sa.Column("scopes", sa.Text, nullable=False, server_default=""),
    sa.Column("expires_at", sa.DateTime(timezone=True)),
    # The process that moves it on mints; no other may until then.
    sa.Column("next_mint_at", sa.DateTime(timezone=True), nullable=False, server_default=sa.func.now()),
    # Why the last mint was refused for good, until one succeeds: later failures are only its symptoms.
    sa.Column("refusal", sa.String(64)),
    sa.Column("refused_at", sa.DateTime(timezone=True)),
)

# What the last check of the CRM's fields found: those that our mapping uses and the CRM lacks, or that do not fit.
crm_fields = sa.Table(
    "crm_fields",
    metadata,
    sa.Column("destination", sa.String(16), primary_key=True),
    sa.Column("missing", sa.ARRAY(sa.Text), nullable=False, server_default="{}"),
    sa.Column("checked_at", sa.DateTime(timezone=True)),
    # How many of a sample of the day's sent rows have no record in the CRM; NULL: not looked yet.
    sa.Column("missing_records", sa.Integer),
    # When the next check is due; the worker that moves it on makes the check.
    sa.Column("check_at", sa.DateTime(timezone=True), nullable=False, server_default=sa.func.now()),
)

# When each periodic job ran last, and what came of it.
periodic_runs = sa.Table(
    "periodic_runs",
    metadata,
    sa.Column("name", sa.String(32), primary_key=True),
    sa.Column("ran_at", sa.DateTime(timezone=True), nullable=False),
    sa.Column("result", sa.Text, nullable=False),
)

# The timeline of each row of the outbox. Append-only, without personal data.
attempts = sa.Table(
    "attempts",
    metadata,
    sa.Column("id", sa.BigInteger, sa.Identity(), primary_key=True),
    sa.Column("at", sa.DateTime(timezone=True), nullable=False, server_default=sa.func.clock_timestamp()),
    sa.Column("destination", sa.String(DESTINATION_LENGTH), nullable=False, server_default=CRM),
    sa.Column("kind", sa.String(8), nullable=False),
    sa.Column("row_id", sa.Uuid, nullable=False),
    # The X-Request-ID of a call to the CRM: it links this log to the CRM's own.
    sa.Column("call_id", sa.String(64)),
    sa.Column("event", sa.String(16), nullable=False),
    sa.Column("code", sa.String(64)),
    sa.Column("http_status", sa.SmallInteger),
    sa.Column("detail", sa.Text),
    sa.Column("next_retry_at", sa.DateTime(timezone=True)),
    sa.Index("ix_attempts_row_id", "row_id", "id"),
)

# The erased people, as keyed hashes (NULL without a key).
erasures = sa.Table(
    "erasures",
    metadata,
    sa.Column("id", sa.BigInteger, sa.Identity(), primary_key=True),
    sa.Column("at", sa.DateTime(timezone=True), nullable=False, server_default=sa.func.now()),
    sa.Column("by", sa.String(80), nullable=False),
    sa.Column("email_hash", sa.LargeBinary(32)),
    sa.Column("phone_hash", sa.LargeBinary(32)),
    sa.Column("leads", sa.Integer, nullable=False),
    sa.Column("clicks", sa.Integer, nullable=False),
)

# The idempotency keys of erased leads, as SHA-256: a late repeat must not bring the person's data back.
erased_keys = sa.Table(
    "erased_keys",
    metadata,
    sa.Column("key_hash", sa.LargeBinary(32), primary_key=True),
    sa.Column("erased_at", sa.DateTime(timezone=True), nullable=False, server_default=sa.func.now()),
)

# What an erasure searches for in the CRM: the erased row's event id, and its record where that was known.
erased_rows = sa.Table(
    "erased_rows",
    metadata,
    sa.Column("id", sa.Uuid, primary_key=True),
    sa.Column("erasure_id", sa.ForeignKey(erasures.c.id), nullable=False, index=True),
    sa.Column("kind", sa.String(8), nullable=False),
    sa.Column("record_ids", sa.ARRAY(sa.String(32)), nullable=False, server_default="{}"),
    # No check begins before check_at; a successful check that begins after watch_until is the last one.
    sa.Column("check_at", sa.DateTime(timezone=True), nullable=False, server_default=sa.func.now()),
    sa.Column("watch_until", sa.DateTime(timezone=True), nullable=False),
    sa.Column("records_deleted", sa.Integer, nullable=False, server_default="0"),
    sa.Column("last_error", sa.Text),
    sa.Column("done_at", sa.DateTime(timezone=True)),
    sa.Index("ix_erased_rows_check_at", "check_at", postgresql_where=sa.text("done_at IS NULL")),
)
