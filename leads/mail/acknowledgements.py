"""The outbox of acknowledgements: which e-mails are due, taking them under a lease, marking what came of it. SQL.

The same rules as for rows that owe the CRM a call; how mail is sent is the worker's affair.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from sqlalchemy import text

from leads.lifecycle import LOST_LEASES_DEAD, Sync
from leads.tables.enquiries import UNACKNOWLEDGED

if TYPE_CHECKING:
    from datetime import datetime
    from uuid import UUID

    from sqlalchemy import Engine

    from leads.lifecycle import Settled

# Seconds that the oldest one owed has been due; NULL when none is.
_COUNT = text(f"""
SELECT count(*) FILTER (WHERE {UNACKNOWLEDGED}) AS owed, count(*) FILTER (WHERE status = 'sent') AS sent,
       count(*) FILTER (WHERE status = 'dead') AS failed, count(*) FILTER (WHERE status = 'skipped') AS skipped,
       extract(epoch FROM now() - min(next_retry_at)
           FILTER (WHERE {UNACKNOWLEDGED} AND next_retry_at <= now()))::float8 AS oldest_due
FROM acknowledgements
""")  # noqa: S608 - this project's own words
_ANY_DUE = text(f"SELECT EXISTS (SELECT 1 FROM acknowledgements WHERE {UNACKNOWLEDGED} AND next_retry_at <= now())")  # noqa: S608 - this project's own words
_BURY = text("""
UPDATE acknowledgements SET status = 'dead', lost_leases = lost_leases + 1,
    last_error = 'WORKER_LOST: worker lost three times while sending this e-mail'
WHERE status = 'sending' AND next_retry_at <= now() AND lost_leases + 1 >= :dead
""")
# A row that is found in sending has lost its worker. Towards the day's limit of a mailbox count the mails that went
# to it within a day, those being sent, and those that have waited longer.
_CLAIM = text(f"""
WITH due AS (
    SELECT lead_id, mailbox FROM acknowledgements
    WHERE {UNACKNOWLEDGED} AND next_retry_at <= now() ORDER BY next_retry_at LIMIT :rows FOR UPDATE SKIP LOCKED
), ranked AS (
    SELECT lead_id, status, row_number() OVER (
        PARTITION BY mailbox ORDER BY status NOT IN ('sent', 'sending'), created_at, lead_id
    ) AS place
    FROM acknowledgements
    WHERE mailbox IN (SELECT mailbox FROM due) AND ({UNACKNOWLEDGED} OR sent_at > now() - interval '1 day')
), skipped AS (
    UPDATE acknowledgements AS mail SET status = 'skipped', last_error = :why
    FROM due JOIN ranked ON ranked.lead_id = due.lead_id
    WHERE mail.lead_id = due.lead_id AND ranked.place > :most AND ranked.status <> 'sending' RETURNING mail.lead_id
), claimed AS (
    UPDATE acknowledgements AS mail SET status = 'sending',
        lost_leases = mail.lost_leases + CASE WHEN mail.status = 'sending' THEN 1 ELSE 0 END,
        next_retry_at = now() + make_interval(secs => :lease)
    FROM due LEFT JOIN ranked ON ranked.lead_id = due.lead_id
    WHERE mail.lead_id = due.lead_id
        AND (ranked.place <= :most OR ranked.status = 'sending' OR ranked.place IS NULL)
    RETURNING mail.*
)
SELECT claimed.lead_id, claimed.next_retry_at, claimed.retry_count, claimed.lost_leases,
       leads.email, leads.reference, extract(epoch FROM now() - claimed.created_at)::float8 AS age,
       NULL::bigint AS skipped, claimed.created_at
FROM claimed JOIN leads ON leads.id = claimed.lead_id
UNION ALL SELECT NULL, NULL, NULL, NULL, NULL, NULL, NULL, count(*), NULL FROM skipped
ORDER BY created_at
""")  # noqa: S608
# Only under the lease that the claim wrote; a success is kept whatever became of the lease.
_MARK = text("""
UPDATE acknowledgements SET status = cast(:status AS text), retry_count = :count, last_error = :error,
    sent_at = CASE WHEN cast(:status AS text) = 'sent' THEN now() END,
    next_retry_at = coalesce(now() + make_interval(secs => cast(:wait AS float8)), next_retry_at)
WHERE lead_id = :id AND (
    (status = 'sending' AND next_retry_at = :lease) OR (cast(:status AS text) = 'sent' AND status <> 'sent')
)
""")


@dataclass(frozen=True, slots=True)
class Acknowledgements:
    """How many e-mails are owed, were sent, failed for good, were skipped. `oldest_due` is in seconds."""

    owed: int
    sent: int
    failed: int
    skipped: int
    oldest_due: float | None


@dataclass(frozen=True, slots=True)
class Owed:
    """An e-mail that this worker alone may send until `lease`. Does not show whom it is for."""

    lead_id: UUID
    lease: datetime
    sync: Sync
    reference: str
    email: str = field(repr=False)


def any_owed(engine: Engine) -> bool:
    """Whether an e-mail is due now."""
    with engine.connect() as connection:
        return bool(connection.execute(_ANY_DUE).scalar_one())


def count_acknowledgements(engine: Engine) -> Acknowledgements:
    """All e-mails there are, by what became of them."""
    with engine.connect() as connection:
        return Acknowledgements(**connection.execute(_COUNT).mappings().one())


def claim_owed(engine: Engine, *, rows: int, lease_seconds: float, most: int) -> tuple[list[Owed], int]:
    """Take up to `rows` e-mails that are due, oldest leads first; and how many of the due ones were skipped.

    Skipped is what would be more than `most` to one mailbox within a day. It is final, with the reason on the row.
    """
    why = f"LIMIT: more than {most} e-mails to this address within a day"
    with engine.connect() as connection:
        connection.execute(_BURY, {"dead": LOST_LEASES_DEAD})
        *found, last = connection.execute(
            _CLAIM, {"rows": rows, "lease": lease_seconds, "most": most, "why": why}
        ).all()
    owed = [
        Owed(
            row.lead_id,
            row.next_retry_at,
            Sync(row.retry_count, row.lost_leases, row.age),
            row.reference,
            row.email,
        )
        for row in found
    ]
    return owed, last.skipped


def mark_owed(engine: Engine, owed: Owed, settled: Settled) -> bool:
    """Write down what became of an e-mail; False when the lease was lost meanwhile (or the lead erased)."""
    values = {
        "id": owed.lead_id,
        "lease": owed.lease,
        "status": str(settled.status),
        "count": settled.retry_count,
        "wait": settled.wait,
        "error": settled.error,
    }
    with engine.connect() as connection:
        return connection.execute(_MARK, values).rowcount == 1
