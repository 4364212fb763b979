"""The state of delivery to the CRM that all workers share.

The gate, the access token, the check of the CRM's fields, the call slots, the workers and the calls that they
began, the log of attempts.
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
)

from leads.tables.columns import metadata

WORKER_NAME_LENGTH = 80

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
