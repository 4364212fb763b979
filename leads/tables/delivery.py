"""The outbox: what is owed to whom, and what all workers share.

Shared: the state of the destinations, the CRM's access token and the check of its fields, the log of attempts.
"""

from __future__ import annotations

from sqlalchemy import (
    ARRAY,
    BigInteger,
    CheckConstraint,
    Column,
    DateTime,
    Identity,
    Index,
    Integer,
    SmallInteger,
    String,
    Table,
    Text,
    Uuid,
    func,
    text,
)

from leads.destinations import CRM, VISITOR
from leads.lifecycle import Status
from leads.tables.columns import metadata

DESTINATION_LENGTH = 16
RECORD_ID_LENGTH = 64

STATUSES = tuple(status.value for status in Status)
WAITING = "status IN ('pending', 'sending', 'retrying')"
# When a row was given up; a held row was never tried.
STOPPED_AT = "coalesce(last_retry_at, queued_at)"

# The outbox: one row for each lead or click and each destination that is owed something for it. Stored and deleted
# with the lead or click, and the only rows that delivery writes. They are narrow, and near the rows stored before
# and after them, so that a claim costs the same however many rows are finished: an update of a lead itself would
# write into each of its indexes, in the order of addresses and numbers.
deliveries = Table(
    "deliveries",
    metadata,
    Column("id", Uuid, primary_key=True),  # the lead's, or the click's
    Column("destination", String(DESTINATION_LENGTH), primary_key=True, server_default=CRM),
    Column("kind", String(8), nullable=False),
    Column("status", String(8), nullable=False, server_default="pending"),
    # The row's only clock: no worker touches the row before then.
    Column("next_retry_at", DateTime(timezone=True), nullable=False, server_default=func.now()),
    # When this row last entered the queue: creation, or the last redrive. Its age decides "no tries left".
    Column("queued_at", DateTime(timezone=True), nullable=False, server_default=func.now()),
    Column("retry_count", Integer, nullable=False, server_default="0"),
    Column("lost_leases", SmallInteger, nullable=False, server_default="0"),
    Column("last_retry_at", DateTime(timezone=True)),
    Column("sent_at", DateTime(timezone=True)),
    Column("record_id", String(RECORD_ID_LENGTH)),
    Column("last_error", Text),
    # Since when the destination refuses the row; it is tried again all the same. NULL: it does not.
    Column("refused_at", DateTime(timezone=True)),
    # When the visitor last added something on the thank-you page, which the CRM's record gets too.
    Column("changed_at", DateTime(timezone=True)),
    # Since when a held row waits for a person (leads/outbox/release.py); NULL: it may still go by itself.
    Column("judged_at", DateTime(timezone=True)),
    CheckConstraint("kind IN ('lead', 'click')", name="kind"),
    CheckConstraint(f"status IN {STATUSES}", name="status"),
    # Partial indexes: finished rows do not slow a claim down.
    Index(
        "ix_deliveries_due",
        "destination",
        text("(retry_count > 0)"),
        "next_retry_at",
        postgresql_where=text(WAITING),
    ),
    Index(
        "ix_deliveries_stopped",
        "destination",
        "kind",
        "status",
        text(STOPPED_AT),
        postgresql_where=text("status IN ('dead', 'held', 'skipped')"),
    ),
    Index("ix_deliveries_queued_at", "queued_at", postgresql_using="brin"),
    # The budgets of e-mails count the last day's.
    Index(
        "ix_deliveries_acknowledged",
        "sent_at",
        postgresql_where=text(f"destination = '{VISITOR}' AND sent_at IS NOT NULL"),
    ),
)

# One row for each destination. Calls may be made while `reason` is NULL.
destinations = Table(
    "destinations",
    metadata,
    Column("name", String(DESTINATION_LENGTH), primary_key=True),
    Column("reason", String(16)),
    Column("detail", Text),
    # When the next row goes as a trial. NULL while paused: an operator must resume.
    Column("until_at", DateTime(timezone=True)),
    # Calls in a row without an answer, and since when calls fail.
    Column("failures", Integer, nullable=False, server_default="0"),
    Column("failing_since", DateTime(timezone=True)),
    Column("changed_by", String(80)),
    Column("changed_at", DateTime(timezone=True), nullable=False, server_default=func.now()),
    # When a worker last looked for rows that are due to it.
    Column("seen_at", DateTime(timezone=True)),
    # Of staff: when they were last told of rows that need a person.
    Column("told_at", DateTime(timezone=True)),
)

crm_token = Table(
    "crm_token",
    metadata,
    Column("destination", String(16), primary_key=True),
    Column("value", Text),
    Column("scopes", Text, nullable=False, server_default=""),
    Column("expires_at", DateTime(timezone=True)),
    # The process that moves it on mints; no other may until then.
    Column("next_mint_at", DateTime(timezone=True), nullable=False, server_default=func.now()),
    # Why the last mint was refused for good, until one succeeds: later failures are only its symptoms.
    Column("refusal", String(64)),
    Column("refused_at", DateTime(timezone=True)),
)

# What the last check of the CRM's fields found: those that our mapping uses and the CRM lacks, or that do not fit.
crm_fields = Table(
    "crm_fields",
    metadata,
    Column("destination", String(16), primary_key=True),
    Column("missing", ARRAY(Text), nullable=False, server_default="{}"),
    Column("checked_at", DateTime(timezone=True)),
    # Of a sample of the day's sent rows, how many have no record in the CRM; NULL: not looked yet.
    Column("missing_records", Integer),
    # When the next check is due; the worker that moves it on makes the check.
    Column("check_at", DateTime(timezone=True), nullable=False, server_default=func.now()),
)

# The timeline of each row of the outbox. Append-only, without personal data.
attempts = Table(
    "attempts",
    metadata,
    Column("id", BigInteger, Identity(), primary_key=True),
    Column("at", DateTime(timezone=True), nullable=False, server_default=func.clock_timestamp()),
    Column("destination", String(DESTINATION_LENGTH), nullable=False, server_default=CRM),
    Column("kind", String(8), nullable=False),
    Column("row_id", Uuid, nullable=False),
    # Of a call to the CRM the X-Request-ID: it links this log to the CRM's own ledger.
    Column("call_id", String(64)),
    Column("event", String(16), nullable=False),
    Column("code", String(64)),
    Column("http_status", SmallInteger),
    Column("detail", Text),
    Column("next_retry_at", DateTime(timezone=True)),
    Index("ix_attempts_row_id", "row_id", "id"),
)
