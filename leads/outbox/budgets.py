"""The budgets of acknowledgements: which of the e-mails that are due may be sent now. SQL only.

A policy in front of the claim: it skips what is beyond a budget for good, and names those that may be claimed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from uuid import UUID

from sqlalchemy import Engine, text

from leads.destinations import VISITOR
from leads.lifecycle import Status
from leads.outbox.rows import Lane
from leads.tables.delivery import WAITING

# E-mails are considered from both ends of those that are due, in turn, so that a visitor of this minute does not
# wait behind a flood, and nobody waits for ever.
CONSIDERED = 100  # at each end
# The last part of an hour's budget is kept for e-mails that became due within the last minutes.
BACKLOG_SHARE = 0.8
FRESH_SECONDS = 120.0
_MAILS = f"""
(SELECT budget.*, row.status, row.sent_at, row.next_retry_at, row.lost_leases
 FROM mail_budgets AS budget JOIN deliveries AS row ON row.id = lead_id AND row.destination = '{VISITOR}')
"""  # noqa: S608 - constants of this project
# An e-mail's place within its budget, counting those already sent within the budget's time, those being sent, and
# those that have waited longer.
_PLACES = f"""
SELECT lead_id, row_number() OVER (
    PARTITION BY {{column}} ORDER BY status NOT IN ('sent', 'sending'), created_at, lead_id
) AS place
FROM {_MAILS} AS mails
WHERE {{column}} IN (SELECT {{column}} FROM due)
  AND ({WAITING} OR sent_at > now() - interval '1 {{time}}')
"""  # noqa: S608 - constants of this project
_DUE = f"""
SELECT lead_id, mailbox, domain, client, status, next_retry_at, lost_leases FROM {_MAILS} AS mails
WHERE {{pile}} AND next_retry_at <= now() ORDER BY next_retry_at {{order}} LIMIT :considered
"""  # noqa: S608 - constants of this project
# One that was being sent when its worker was lost may have been sent: it goes again whatever the budgets say.
_CHOOSE = f"""
WITH due AS (
    SELECT *, least(
        row_number() OVER (ORDER BY next_retry_at), row_number() OVER (ORDER BY next_retry_at DESC)
    ) AS turn
    FROM (({_DUE.format(pile="{pile}", order="DESC")}) UNION ({_DUE.format(pile="{pile}", order="")})) AS ends
), of_mailbox AS ({_PLACES.format(column="mailbox", time="day")}),
of_domain AS ({_PLACES.format(column="domain", time="day")}),
of_client AS ({_PLACES.format(column="client", time="hour")}),
ranked AS (
    SELECT due.lead_id, due.lost_leases > 0 AS again, due.turn, due.next_retry_at,
        coalesce(of_mailbox.place, 1) + coalesce(of_client.place, 1) AS repeats,
        CASE WHEN due.lost_leases > 0 THEN NULL
            WHEN of_mailbox.place > :per_mailbox THEN 'address within a day'
            WHEN of_domain.place > :per_domain THEN 'domain within a day'
            WHEN of_client.place > :per_client THEN 'visitor''s network within an hour' END AS beyond
    FROM due LEFT JOIN of_mailbox USING (lead_id) LEFT JOIN of_domain USING (lead_id)
        LEFT JOIN of_client USING (lead_id)
), skipped AS (
    UPDATE deliveries AS row SET status = 'skipped',
        last_error = 'LIMIT: too many e-mails for one ' || ranked.beyond
    FROM ranked WHERE row.id = ranked.lead_id AND row.destination = '{VISITOR}' AND {{still}}
        AND ranked.beyond IS NOT NULL
), spent AS (
    SELECT (
        SELECT count(*) FROM deliveries WHERE destination = '{VISITOR}' AND sent_at > now() - interval '1 hour'
    ) + (
        SELECT count(*) FROM deliveries WHERE destination = '{VISITOR}' AND kind = 'lead' AND status = 'sending'
    ) AS mails
)
SELECT ranked.lead_id FROM (
    SELECT *, row_number() OVER (ORDER BY NOT again, repeats, turn, next_retry_at) AS number
    FROM ranked WHERE beyond IS NULL
) AS ranked, spent
WHERE number <= :rows AND spent.mails + number <= :per_hour * CASE
    WHEN again OR next_retry_at > now() - make_interval(secs => :fresh) THEN 1.0 ELSE :share END
ORDER BY number
"""  # noqa: S608 - constants of this project


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


def choose_mails(engine: Engine, lane: Lane, *, rows: int, budgets: MailBudgets) -> Sequence[UUID]:
    """Return the leads whose due acknowledgement may be sent now, first ones to a mailbox and of a network first.

    An e-mail beyond a budget is skipped for good, with the reason on its row; beyond that of all it waits.

    Args:
        engine: The database.
        lane: Whose e-mails to choose.
        rows: How many at most.
        budgets: How many e-mails may be sent.
    """
    status = Status.PENDING if lane is Lane.FRESH else Status.RETRYING
    statement = text(_CHOOSE.format(pile=f"status = '{status}'", still=f"row.status = '{status}'"))
    values = {
        **asdict(budgets),
        "rows": rows,
        "considered": CONSIDERED,
        "fresh": FRESH_SECONDS,
        "share": BACKLOG_SHARE,
    }
    with engine.connect() as connection:
        return connection.execute(statement, values).scalars().all()
