"""The outbox: what is owed to whom, and what all workers share.

Shared: the state of the destinations, the CRM's access token and the check of its fields, the log of attempts.
"""

from __future__ import annotations

import sqlalchemy as sa

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
    sa.Column("record_id", sa.String(RECORD_ID_LENGTH)),
    sa.Column("last_error", sa.Text),
    # Since when the destination refuses the row; it is tried again all the same. NULL: it does not.
    sa.Column("refused_at", sa.DateTime(timezone=True)),
    # When the visitor last added something on the thank-you page, which the CRM's record gets too.
    sa.Column("changed_at", sa.DateTime(timezone=True)),
    # Since when a held row waits for a person (leads/outbox/release.py); NULL: it may still go by itself.
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
    # Of staff: when they were last told of rows that need a person.
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
    # Of a sample of the day's sent rows, how many have no record in the CRM; NULL: not looked yet.
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
    # Of a call to the CRM the X-Request-ID: it links this log to the CRM's own ledger.
    sa.Column("call_id", sa.String(64)),
    sa.Column("event", sa.String(16), nullable=False),
    sa.Column("code", sa.String(64)),
    sa.Column("http_status", sa.SmallInteger),
    sa.Column("detail", sa.Text),
    sa.Column("next_retry_at", sa.DateTime(timezone=True)),
    sa.Index("ix_attempts_row_id", "row_id", "id"),
)
