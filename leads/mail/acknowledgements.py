"""The outbox of acknowledgement e-mails: claim due ones under a lease, and mark their results. SQL only.

The rules are those of the rows that owe the CRM a call; the worker does the sending.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from sqlalchemy import text

from leads.lifecycle import Sync
from leads.tables.enquiries import UNACKNOWLEDGED

if TYPE_CHECKING:
    from datetime import datetime
    from uuid import UUID

    from sqlalchemy import Engine

    from leads.lifecycle import Settled

# An e-mail is given up when three workers were lost while they sent it: nobody needs it as much as the next one.
LOST_LEASES_DEAD = 3

# `oldest_due`: how many seconds the oldest owed e-mail has been due; NULL when none is.
_COUNT = text(f"""
SELECT count(*) FILTER (WHERE {UNACKNOWLEDGED}) AS owed, count(*) FILTER (WHERE status = 'sent') AS sent,
       count(*) FILTER (WHERE status = 'dead') AS failed, count(*) FILTER (WHERE status = 'skipped') AS skipped,
       extract(epoch FROM now() - min(next_retry_at)
           FILTER (WHERE {UNACKNOWLEDGED} AND next_retry_at <= now()))::float8 AS oldest_due
FROM acknowledgements
""")  # noqa: S608 - constants of this project
_ANY_DUE = text(f"SELECT EXISTS (SELECT 1 FROM acknowledgements WHERE {UNACKNOWLEDGED} AND next_retry_at <= now())")  # noqa: S608 - constants of this project
_GIVE_UP = text("""
UPDATE acknowledgements SET status = 'dead', lost_leases = lost_leases + 1,
    last_error = 'WORKER_LOST: worker lost three times while sending this e-mail'
WHERE status = 'sending' AND next_retry_at <= now() AND lost_leases + 1 >= :dead
""")
# A due row in `sending` has lost its worker. Towards a mailbox's daily limit count the e-mails sent to it within a
# day, those being sent now, and those that have waited longer.
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
    UPDATE acknowledgements AS mail SET status = 'skipped', last_error = :reason
    FROM due JOIN ranked ON ranked.lead_id = due.lead_id
    WHERE mail.lead_id = due.lead_id AND ranked.place > :limit AND ranked.status <> 'sending' RETURNING mail.lead_id
), claimed AS (
    UPDATE acknowledgements AS mail SET status = 'sending',
        lost_leases = mail.lost_leases + CASE WHEN mail.status = 'sending' THEN 1 ELSE 0 END,
        next_retry_at = now() + make_interval(secs => :lease)
    FROM due LEFT JOIN ranked ON ranked.lead_id = due.lead_id
    WHERE mail.lead_id = due.lead_id
        AND (ranked.place <= :limit OR ranked.status = 'sending' OR ranked.place IS NULL)
    RETURNING mail.*
)
SELECT claimed.lead_id, claimed.next_retry_at, claimed.retry_count, claimed.lost_leases,
       leads.email, leads.reference, extract(epoch FROM now() - claimed.created_at)::float8 AS age,
       NULL::bigint AS skipped, claimed.created_at
FROM claimed JOIN leads ON leads.id = claimed.lead_id
UNION ALL SELECT NULL, NULL, NULL, NULL, NULL, NULL, NULL, count(*), NULL FROM skipped
ORDER BY created_at
""")  # noqa: S608
# A mark holds only under the lease that the claim wrote; a success is kept even when the lease was lost.
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
    """How many e-mails are owed, sent, failed for good and skipped. `oldest_due`: seconds; None: none is due."""

    owed: int
    sent: int
    failed: int
    skipped: int
    oldest_due: float | None


@dataclass(frozen=True, slots=True)
class Owed:
    """An e-mail that only this worker may send until `lease`. Its repr hides the address."""

    lead_id: UUID
    lease: datetime
    sync: Sync
    reference: str
    email: str = field(repr=False)


def any_owed(engine: Engine) -> bool:
    """Return whether an e-mail is due now."""
    with engine.connect() as connection:
        return bool(connection.execute(_ANY_DUE).scalar_one())


def count_acknowledgements(engine: Engine) -> Acknowledgements:
    """Count all e-mails by state."""
    with engine.connect() as connection:
        return Acknowledgements(**connection.execute(_COUNT).mappings().one())


def claim_owed(engine: Engine, *, rows: int, lease_seconds: float, daily_limit: int) -> tuple[list[Owed], int]:
    """Claim e-mails that are due, those of the oldest leads first.

    An e-mail over its mailbox's daily limit is skipped for good, with the reason on its row.

    Args:
        engine: The database.
        rows: How many to claim at most.
        lease_seconds: How long only this worker may send them.
        daily_limit: How many e-mails one mailbox may get within a day.

    Returns:
        The claimed e-mails, and how many due ones were skipped.
    """
    reason = f"LIMIT: more than {daily_limit} e-mails to this address within a day"
    with engine.connect() as connection:
        connection.execute(_GIVE_UP, {"dead": LOST_LEASES_DEAD})
        *found, last = connection.execute(
            _CLAIM, {"rows": rows, "lease": lease_seconds, "limit": daily_limit, "reason": reason}
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
    """Record the result of an e-mail; False when the lease was lost meanwhile (or the lead was erased)."""
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
