"""Repeat enquirers: which claimed leads are another enquiry of somebody who wrote before. SQL only.

Both enquiries are kept. What is told of it in the CRM is the mapping's affair.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import text

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime
    from uuid import UUID

    from sqlalchemy import Engine

REPEAT_DAYS = 90  # an enquiry after a longer silence is a new one

# Suspected spam is nobody's earlier enquiry. Each branch is one step down an index, newest first.
_BEFORE = f"""
earlier.zoho_status <> 'held' AND (earlier.created_at, earlier.id) < (lead.created_at, lead.id)
AND earlier.created_at >= lead.created_at - interval '{REPEAT_DAYS} days'
"""
_EARLIER = text(f"""
SELECT lead.id, greatest(
    (SELECT earlier.created_at FROM leads AS earlier
     WHERE lower(earlier.email) = lower(lead.email) AND {_BEFORE} ORDER BY earlier.created_at DESC LIMIT 1),
    (SELECT earlier.created_at FROM leads AS earlier
     WHERE earlier.phone_e164 = lead.phone_e164 AND {_BEFORE} ORDER BY earlier.created_at DESC LIMIT 1)
) AS earlier_at
FROM leads AS lead WHERE lead.id = ANY(cast(:ids AS uuid[]))
""")  # noqa: S608 - this module's own words
# Only on a row's first claim: an earlier call, its reply lost, may have made a record of its own already. Once
# decided it stays, for a note may have been added.
_MERGE = text(f"""
WITH chosen AS (
    SELECT lead.id, (
        SELECT earlier.zoho_record_id FROM leads AS earlier
        WHERE lower(earlier.email) = lower(lead.email) AND {_BEFORE}
          AND earlier.zoho_status = 'sent' AND earlier.zoho_record_id IS NOT NULL
        ORDER BY earlier.created_at DESC LIMIT 1
    ) AS record_id
    FROM leads AS lead WHERE lead.id = ANY(cast(:ids AS uuid[])) AND lead.merged_into IS NULL AND NOT EXISTS (
        SELECT 1 FROM crm_attempts AS tried
        WHERE tried.row_id = lead.id AND tried.event = 'claimed' AND tried.call_id IS DISTINCT FROM :call_id
    )
)
UPDATE leads SET merged_into = chosen.record_id FROM chosen
WHERE leads.id = chosen.id AND chosen.record_id IS NOT NULL AND leads.zoho_status = 'sending'
RETURNING leads.id, leads.merged_into
""")  # noqa: S608 - the same


def find_earlier(engine: Engine, ids: Sequence[UUID]) -> dict[UUID, datetime]:
    """When the person of each of these leads wrote last before it, for those who did: one query for a batch.

    The same person: the same e-mail in any case, or the same phone number in E.164, within REPEAT_DAYS.
    """
    with engine.connect() as connection:
        found = connection.execute(_EARLIER, {"ids": list(ids)})
        return {row.id: row.earlier_at for row in found if row.earlier_at is not None}


def choose_merges(engine: Engine, ids: Sequence[UUID], *, call_id: str) -> dict[UUID, str]:
    """Decide which of these leads join the CRM record of an earlier one (same e-mail), and write it down.

    Only leads that `call_id` claimed as the first, and only where the earlier one is in the CRM by now.
    """
    with engine.connect() as connection:
        found = connection.execute(_MERGE, {"ids": list(ids), "call_id": call_id})
        return {row.id: row.merged_into for row in found}
