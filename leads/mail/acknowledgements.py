"""The outbox of acknowledgement e-mails: claim due ones under a lease, and mark their results. SQL only.

The rules are those of the rows that owe the CRM a call; the worker does the sending.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from datetime import datetime
from uuid import UUID

from sqlalchemy import Engine, text

from leads.lifecycle import Settled, Sync
from leads.mail.owed import give_up, mark, marked
from leads.tables.enquiries import OWED

_ANY_DUE = text(f"SELECT EXISTS (SELECT 1 FROM acknowledgements WHERE {OWED} AND next_retry_at <= now())")  # noqa: S608 - constants of this project
_GIVE_UP = give_up("acknowledgements")
# E-mails are claimed from both ends of those that are due, in turn, so that a visitor of this minute does not wait
# behind a flood, and nobody waits for ever.
CONSIDERED = 100  # at each end
# The last part of an hour's budget is kept for e-mails that became due within the last minutes.
BACKLOG_SHARE = 0.8
FRESH_SECONDS = 120.0
# The place of an e-mail is how many its budget pays for up to this one: those sent within the budget's time, those
# being sent now, and those that have waited longer.
_PLACES = f"""
SELECT lead_id, row_number() OVER (
    PARTITION BY {{column}} ORDER BY status NOT IN ('sent', 'sending'), created_at, lead_id
) AS place
FROM acknowledgements
WHERE {{column}} IN (SELECT {{column}} FROM due)
  AND ({OWED} OR sent_at > now() - interval '1 {{time}}')
"""  # noqa: S608 - constants of this project
# A due row in `sending` has lost its worker: it may have been sent, so it is claimed whatever the budgets say.
_CLAIM = text(f"""
WITH newest AS (
    SELECT lead_id, mailbox, domain, client, status, next_retry_at FROM acknowledgements
    WHERE {OWED} AND next_retry_at <= now() ORDER BY next_retry_at DESC LIMIT :considered
    FOR UPDATE SKIP LOCKED
), oldest AS (
    SELECT lead_id, mailbox, domain, client, status, next_retry_at FROM acknowledgements
    WHERE {OWED} AND next_retry_at <= now() ORDER BY next_retry_at LIMIT :considered
    FOR UPDATE SKIP LOCKED
), due AS (
    SELECT *, least(
        row_number() OVER (ORDER BY next_retry_at), row_number() OVER (ORDER BY next_retry_at DESC)
    ) AS turn
    FROM (SELECT * FROM newest UNION SELECT * FROM oldest) AS ends
), of_mailbox AS ({_PLACES.format(column="mailbox", time="day")}),
of_domain AS ({_PLACES.format(column="domain", time="day")}),
of_client AS ({_PLACES.format(column="client", time="hour")}),
ranked AS (
    SELECT due.lead_id, due.status, due.turn, due.next_retry_at,
        coalesce(of_mailbox.place, 1) + coalesce(of_client.place, 1) AS repeats,
        CASE WHEN due.status = 'sending' THEN NULL
            WHEN of_mailbox.place > :per_mailbox THEN 'address within a day'
            WHEN of_domain.place > :per_domain THEN 'domain within a day'
            WHEN of_client.place > :per_client THEN 'visitor''s network within an hour' END AS beyond
    FROM due LEFT JOIN of_mailbox USING (lead_id) LEFT JOIN of_domain USING (lead_id)
        LEFT JOIN of_client USING (lead_id)
), skipped AS (
    UPDATE acknowledgements AS mail SET status = 'skipped',
        last_error = 'LIMIT: too many e-mails for one ' || ranked.beyond
    FROM ranked WHERE mail.lead_id = ranked.lead_id AND ranked.beyond IS NOT NULL RETURNING mail.lead_id
), spent AS (
    SELECT count(*) AS mails FROM acknowledgements
    WHERE sent_at > now() - interval '1 hour' OR (status = 'sending' AND next_retry_at > now())
), chosen AS (
    SELECT ranked.lead_id FROM (
        SELECT *, row_number() OVER (ORDER BY status <> 'sending', repeats, turn, next_retry_at) AS number
        FROM ranked WHERE beyond IS NULL
    ) AS ranked, spent
    WHERE number <= :rows AND spent.mails + number <= :per_hour * CASE
        WHEN status = 'sending' OR next_retry_at > now() - make_interval(secs => :fresh) THEN 1.0 ELSE :share END
), claimed AS (
    UPDATE acknowledgements AS mail SET status = 'sending',
        lost_leases = mail.lost_leases + CASE WHEN mail.status = 'sending' THEN 1 ELSE 0 END,
        next_retry_at = now() + make_interval(secs => :lease)
    FROM chosen WHERE mail.lead_id = chosen.lead_id
    RETURNING mail.*
)
SELECT claimed.lead_id, claimed.next_retry_at, claimed.retry_count, claimed.lost_leases,
       leads.email, leads.reference, extract(epoch FROM now() - claimed.created_at)::float8 AS age,
       NULL::bigint AS skipped, claimed.created_at
FROM claimed JOIN leads ON leads.id = claimed.lead_id
UNION ALL SELECT NULL, NULL, NULL, NULL, NULL, NULL, NULL, count(*), NULL FROM skipped
ORDER BY created_at
""")  # noqa: S608
_MARK = mark("acknowledgements", "lead_id = :id")


@dataclass(frozen=True, slots=True, kw_only=True)
class MailBudgets:
    """How many e-mails may be sent.

    To one mailbox, and to one domain outside the large providers, within a day; for the enquiries of one network
    address, and in all, within an hour.
    """

    per_mailbox: int
    per_domain: int
    per_client: int
    per_hour: int


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


def claim_owed(engine: Engine, *, rows: int, lease_seconds: float, budgets: MailBudgets) -> tuple[list[Owed], int]:
    """Claim e-mails that are due, first ones to a mailbox and of a network before further ones.

    An e-mail beyond a budget is skipped for good, with the reason on its row; beyond that of all it waits.

    Args:
        engine: The database.
        rows: How many to claim at most.
        lease_seconds: How long only this worker may send them.
        budgets: How many e-mails may be sent.

    Returns:
        The claimed e-mails, and how many due ones were skipped.
    """
    values = {
        **asdict(budgets),
        "rows": rows,
        "lease": lease_seconds,
        "considered": CONSIDERED,
        "fresh": FRESH_SECONDS,
        "share": BACKLOG_SHARE,
    }
    with engine.connect() as connection:
        connection.execute(_GIVE_UP)
        *found, last = connection.execute(_CLAIM, values).all()
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
    with engine.connect() as connection:
        return connection.execute(_MARK, {"id": owed.lead_id, **marked(owed.lease, settled)}).rowcount == 1
