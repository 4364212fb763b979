"""What a visitor adds to an enquiry after it was sent: stored with the lead, and owed to its record in the CRM.

It is a row of the outbox of its own, beside the lead's. A lead's own delivery reads its columns when it is claimed,
so one that is held or dead owes nothing more: whatever sends it carries all of it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from sqlalchemy import Engine, text

from leads.db import run_with_retry
from leads.destinations import CRM, DETAILS
from leads.lifecycle import LOST_CALL_WAIT
from leads.outbox.rows import Claimed, Lane

COLUMNS = {
    "interest": "text",
    "already_has": "text",
    "call_from": "timestamptz",
    "call_until": "timestamptz",
    "call_chosen": "boolean",
}
# Longer and longer while the record is not there; its arrival ends the wait (leads/outbox/lease.py).
MIN_WAIT_SECONDS, MAX_WAIT_SECONDS = 5, 3600
_UNDER_WAY = f"interval '{LOST_CALL_WAIT:g} s'"

# The lock comes first, as an erasure's does. A row in a call keeps its lease, however often it changes: two calls
# for one record could arrive in the wrong order. It is due again when the call has ended, and the call's own result
# is fenced.
_CHANGE = f"""
WITH lead AS (
    SELECT id, status FROM deliveries WHERE id = :id AND destination = '{CRM}' FOR UPDATE
), changed AS (
    UPDATE leads AS row SET {{values}} FROM lead WHERE row.id = lead.id AND ({{old}}) IS DISTINCT FROM ({{new}})
    RETURNING row.id
), owed AS (
    INSERT INTO deliveries AS row (id, destination, kind)
    SELECT id, '{DETAILS}', 'lead' FROM changed JOIN lead USING (id) WHERE lead.status NOT IN ('held', 'dead')
    ON CONFLICT (id, destination) DO UPDATE SET
        status = 'pending', retry_count = 0, lost_leases = 0, queued_at = now(), sent_at = NULL, last_error = NULL,
        next_retry_at = greatest(now(), CASE
            WHEN row.status = 'sending' OR (row.status = 'pending' AND row.began) THEN row.next_retry_at
            WHEN row.status = 'retrying' THEN least(row.next_retry_at, now() + {_UNDER_WAY}) END)
    RETURNING row.id, row.next_retry_at
), noted AS (
    INSERT INTO attempts (destination, kind, row_id, event, next_retry_at)
    SELECT '{DETAILS}', 'lead', id, 'changed', next_retry_at FROM owed
)
SELECT id FROM lead
"""  # noqa: S608 - constants and columns of this project
# What waits for a lead that is held or dead is owed no more. A call for the lead that got no answer may still come,
# after the one that did, with older words.
_CHOOSE = f"""
WITH due AS (
    SELECT id, queued_at, (
        SELECT CASE WHEN status = 'sent' AND EXISTS (
            SELECT FROM attempts WHERE row_id = crm.id AND destination = '{CRM}' AND at > now() - {_UNDER_WAY}
                AND event IN ('deferred', 'retryable', 'lease_lost', 'fenced')
        ) THEN 'sending' ELSE status END
        FROM deliveries AS crm WHERE crm.id = deliveries.id AND crm.destination = '{CRM}'
    ) AS crm_status
    FROM deliveries WHERE destination = '{DETAILS}' AND kind = 'lead' AND {{pile}} AND next_retry_at <= now()
    ORDER BY next_retry_at LIMIT :rows
), early AS (
    UPDATE deliveries AS row SET next_retry_at = now() + least(
        greatest(now() - due.queued_at, make_interval(secs => :shortest)), make_interval(secs => :longest)
    )
    FROM due WHERE row.id = due.id AND destination = '{DETAILS}' AND {{pile}}
        AND crm_status IN ('pending', 'sending', 'retrying')
), needless AS (
    DELETE FROM deliveries AS row USING due WHERE row.id = due.id AND destination = '{DETAILS}' AND {{pile}}
        AND crm_status IN ('held', 'dead')
)
SELECT id FROM due WHERE crm_status = 'sent'
"""  # noqa: S608 - constants of this project
_READ = text(f"SELECT id, timezone, {', '.join(COLUMNS)} FROM leads WHERE id = :id")  # noqa: S608
_CHANGED_MEANWHILE = text(f"""
UPDATE deliveries SET next_retry_at = now() + make_interval(secs => :wait)
WHERE id = :id AND destination = '{DETAILS}' AND status = 'pending' AND next_retry_at = :lease
""")  # noqa: S608 - constants of this project


def change_details(engine: Engine, lead_id: UUID, values: Mapping[str, Any]) -> bool:
    """Store what a visitor adds, and owe it to the CRM, in one durable commit; safe to repeat.

    Args:
        engine: The database.
        lead_id: Whose.
        values: Some of COLUMNS.

    Returns:
        Whether there is such a lead.

    Raises:
        StoreUnavailable: The database is unavailable.
    """
    names = [name for name in COLUMNS if name in values]
    statement = _CHANGE.format(
        values=", ".join(f"{name} = :{name}" for name in names),
        old=", ".join(f"row.{name}" for name in names),
        new=", ".join(f"cast(:{name} AS {COLUMNS[name]})" for name in names),
    )
    given = {"id": lead_id, **values}
    return bool(run_with_retry(engine, lambda connection: connection.execute(text(statement), given).all()))


def choose_details(engine: Engine, lane: Lane, *, rows: int) -> Sequence[UUID]:
    """Return leads whose due additions may be sent now, as their records are in the CRM; the others wait."""
    for pile in lane.piles:
        statement = text(_CHOOSE.format(pile=pile))
        values = {"rows": rows, "shortest": MIN_WAIT_SECONDS, "longest": MAX_WAIT_SECONDS}
        with engine.connect() as connection:
            if found := connection.execute(statement, values).scalars().all():
                return found
    return []


def read_details(engine: Engine, row: Claimed) -> Claimed:
    """Return a claimed row with what the visitor has said by now: the claim may have read older columns."""
    with engine.connect() as connection:
        found = connection.execute(_READ, {"id": row.id}).mappings().one_or_none()
    return row if found is None else row.with_values(**found)


def hurry_changed(engine: Engine, row: Claimed, *, wait: float = 0.0) -> None:
    """Make a row due in so many seconds whose call has ended, if the visitor has said more meanwhile.

    If that fails, it is due when the lease ends.
    """
    with engine.connect() as connection:
        connection.execute(_CHANGED_MEANWHILE, {"id": row.id, "lease": row.lease, "wait": wait})
