"""What the outboxes of messages to people share: acknowledgements to visitors, notices to staff.

Their rows have the same state: status, next_retry_at, retry_count, lost_leases, last_error, sent_at.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Engine, TextClause, text

from leads.lifecycle import Settled
from leads.tables.enquiries import OWED

# A message is given up when three workers were lost while they sent it: nobody needs it as much as the next one.
LOST_LEASES_DEAD = 3


@dataclass(frozen=True, slots=True)
class Messages:
    """How many messages are owed, sent, failed for good and skipped. `oldest_due`: seconds; None: none is due."""

    owed: int
    sent: int
    failed: int
    skipped: int
    oldest_due: float | None


def count_messages(engine: Engine, table: str) -> Messages:
    """Count the messages of one table by state."""
    statement = text(f"""
        SELECT count(*) FILTER (WHERE {OWED}) AS owed, count(*) FILTER (WHERE status = 'sent') AS sent,
               count(*) FILTER (WHERE status = 'dead') AS failed,
               count(*) FILTER (WHERE status = 'skipped') AS skipped,
               extract(epoch FROM now() - min(next_retry_at)
                   FILTER (WHERE {OWED} AND next_retry_at <= now()))::float8 AS oldest_due
        FROM {table}
    """)  # noqa: S608 - constants of this project
    with engine.connect() as connection:
        return Messages(**connection.execute(statement).mappings().one())


def give_up(table: str) -> TextClause:
    """Return the statement that ends messages of which too many workers died."""
    return text(f"""
        UPDATE {table} SET status = 'dead', lost_leases = lost_leases + 1,
            last_error = 'WORKER_LOST: worker lost three times while sending this message'
        WHERE status = 'sending' AND next_retry_at <= now() AND lost_leases + 1 >= {LOST_LEASES_DEAD}
    """)  # noqa: S608 - constants of this project


def mark(table: str, message: str) -> TextClause:
    """Return the statement that records a result, with the parameters of `marked`; `message` selects the row.

    It holds only under the lease that the claim wrote; a success is kept even when the lease was lost.
    """
    return text(f"""
        UPDATE {table} SET status = cast(:status AS text), retry_count = :count, last_error = :error,
            sent_at = CASE WHEN cast(:status AS text) = 'sent' THEN now() END,
            next_retry_at = coalesce(now() + make_interval(secs => cast(:wait AS float8)), next_retry_at)
        WHERE {message} AND (
            (status = 'sending' AND next_retry_at = :lease) OR (cast(:status AS text) = 'sent' AND status <> 'sent')
        )
    """)  # noqa: S608 - constants of this project


def marked(lease: datetime, settled: Settled) -> dict[str, object]:
    """Return the parameters of `mark`."""
    return {
        "lease": lease,
        "status": str(settled.status),
        "count": settled.retry_count,
        "wait": settled.wait,
        "error": settled.error,
    }
