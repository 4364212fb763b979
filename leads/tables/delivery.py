"""Delivery to the CRM: the state of each row, and what all workers share.

Shared: the gate, the access token, the check of the CRM's fields, the call slots, the workers and the calls that
they began, the log of attempts.
"""

from __future__ import annotations

from sqlalchemy import (
    ARRAY,
    BigInteger,
    Boolean,
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

from leads.lifecycle import LOST_LEASES_ALONE
from leads.tables.columns import metadata

WORKER_NAME_LENGTH = 80
RECORD_ID_LENGTH = 32

STATUSES = ("pending", "sending", "retrying", "sent", "dead", "held")
# New rows, and rows that an operator requeued. PostgreSQL uses a partial index only for its exact condition.
NEW = "zoho_status = 'pending' AND NOT requeued"
REQUEUED = "zoho_status = 'pending' AND requeued"
# Rows that lost so many workers that they are sent one at a time.
ALONE = f"lost_leases >= {LOST_LEASES_ALONE}"
# Rows that retention may touch: they owe the CRM nothing.
SETTLED = "zoho_status IN ('sent', 'dead', 'held')"
# When a row was given up; a held row was never tried.
STOPPED_AT = "coalesce(last_retry_at, queued_at)"

# One row for each lead and each click, stored and deleted with it, and the only row that delivery writes. It is
# narrow, and near the rows stored before and after it, so that a claim costs the same however many rows are
# finished: an update of a lead itself would write into each of its indexes, in the order of addresses and numbers.
deliveries = Table(
    "deliveries",
    metadata,
    Column("id", Uuid, primary_key=True),  # the lead's, or the click's
    Column("kind", String(8), nullable=False),
    Column("zoho_status", String(8), nullable=False, server_default="pending"),
    # The row's only clock: no worker touches the row before then.
    Column("next_retry_at", DateTime(timezone=True), nullable=False, server_default=func.now()),
    # When this row last entered the queue: creation, or the last redrive. Its age decides "no tries left".
    Column("queued_at", DateTime(timezone=True), nullable=False, server_default=func.now()),
    Column("requeued", Boolean, nullable=False, server_default=text("false")),
    Column("retry_count", Integer, nullable=False, server_default="0"),
    Column("lost_leases", SmallInteger, nullable=False, server_default="0"),
    # Of these, the workers whose death nothing but this row explains.
    Column("workers_killed", SmallInteger, nullable=False, server_default="0"),
    Column("last_retry_at", DateTime(timezone=True)),
    Column("zoho_sent_at", DateTime(timezone=True)),
    Column("zoho_record_id", String(RECORD_ID_LENGTH)),
    # The CRM record of an earlier enquiry that gets this one as a note, decided before the first call; else NULL.
    Column("merged_into", String(RECORD_ID_LENGTH)),
    Column("last_error", Text),
    CheckConstraint("kind IN ('lead', 'click')", name="kind"),
    CheckConstraint(f"zoho_status IN {STATUSES}", name="status"),
    # Partial indexes: a finished row costs a claim nothing.
    Index(
        "ix_deliveries_owed",
        "kind",
        "zoho_status",
        "next_retry_at",
        postgresql_where=text(f"zoho_status IN ('sending', 'retrying') OR ({NEW})"),
    ),
    Index("ix_deliveries_requeued", "kind", "next_retry_at", postgresql_where=text(REQUEUED)),
    Index(
        "ix_deliveries_alone",
        "zoho_status",
        "next_retry_at",
        postgresql_where=text(f"zoho_status IN ('sending', 'retrying') AND {ALONE}"),
    ),
    Index(
        "ix_deliveries_stopped",
        "kind",
        "zoho_status",
        text(STOPPED_AT),
        postgresql_where=text("zoho_status IN ('dead', 'held')"),
    ),
    Index("ix_deliveries_queued_at", "queued_at", postgresql_using="brin"),
    Index("ix_deliveries_merged_into", "merged_into", postgresql_where=text("merged_into IS NOT NULL")),
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
    # While shut: when the next probe is due. NULL while shut: an operator must open the gate.
    Column("until_at", DateTime(timezone=True)),
    Column("failures", Integer, nullable=False, server_default="0"),
    # Up to three different rows that failed since the last success: one odd lead is not an outage.
    Column("failed_rows", ARRAY(Uuid), nullable=False, server_default="{}"),
    Column("failing_since", DateTime(timezone=True)),
    Column("successes", Integer, nullable=False, server_default="0"),
    # A lowered limit of calls in flight: halved when the CRM reports too many at once, raised by successes.
    Column("concurrency", Integer),
    # The day's credits left, as the CRM last reported them; it reports none until half of them are used.
    Column("credits_left", BigInteger),
    Column("credits_at", DateTime(timezone=True)),
    # No longer written: crm_workers says when a worker was seen. Workers of the version before still write it.
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
    # Spacing and single flight of mints: the process that sets minting_until mints; no other may until then.
    Column("next_mint_at", DateTime(timezone=True), nullable=False, server_default=func.now()),
    Column("minting_until", DateTime(timezone=True)),
    Column("minted_at", DateTime(timezone=True)),
    # Why the last mint was refused for good, until one succeeds: later failures are only its symptoms.
    Column("refusal", String(64)),
    Column("refused_at", DateTime(timezone=True)),
)

# What the last check of the CRM's fields found: those that our mapping uses and the CRM lacks.
crm_fields = Table(
    "crm_fields",
    metadata,
    Column("destination", String(16), primary_key=True),
    Column("missing", ARRAY(Text), nullable=False, server_default="{}"),
    Column("checked_at", DateTime(timezone=True)),
    # When the next check is due; the worker that moves it on makes the check.
    Column("check_at", DateTime(timezone=True), nullable=False, server_default=func.now()),
)

# One row for each call that may be in flight; a slot is taken until `until_at`, unless its holder frees it earlier.
crm_slots = Table(
    "crm_slots",
    metadata,
    Column("number", SmallInteger, primary_key=True),
    Column("holder", Uuid),
    Column("until_at", DateTime(timezone=True), nullable=False, server_default="-infinity"),
)

# The worker processes, alive and lately dead. A process that was killed has no stopped_at and is seen no more.
crm_workers = Table(
    "crm_workers",
    metadata,
    Column("id", Uuid, primary_key=True),
    Column("name", String(WORKER_NAME_LENGTH), nullable=False),
    Column("started_at", DateTime(timezone=True), nullable=False, server_default=func.now()),
    Column("seen_at", DateTime(timezone=True), nullable=False, server_default=func.now()),
    Column("stopped_at", DateTime(timezone=True)),
)

# The claims whose call to the CRM has begun. `alone`: nothing else was in flight in the process of that worker.
crm_calls = Table(
    "crm_calls",
    metadata,
    Column("id", String(64), primary_key=True),
    Column("worker_id", Uuid, nullable=False),
    Column("alone", Boolean, nullable=False),
    Column("began_at", DateTime(timezone=True), nullable=False, server_default=func.now()),
    Index("ix_crm_calls_began_at", "began_at"),
)

crm_attempts = Table(
    "crm_attempts",
    metadata,
    Column("id", BigInteger, Identity(), primary_key=True),
    Column("at", DateTime(timezone=True), nullable=False, server_default=func.clock_timestamp()),
    Column("kind", String(8), nullable=False),
    Column("row_id", Uuid, nullable=False),
    # The X-Request-ID of the CRM call this belongs to: it links this log to the CRM's own ledger.
    Column("call_id", String(64)),
    Column("event", String(16), nullable=False),
    Column("code", String(64)),
    Column("http_status", SmallInteger),
    Column("detail", Text),
    Column("next_retry_at", DateTime(timezone=True)),
    Index("ix_crm_attempts_row_id", "row_id", "id"),
)
