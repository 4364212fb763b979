"""Repeat enquiries: which claimed leads come from a person who has enquired before.

Both enquiries are kept. The worker's mapping decides how the CRM shows it.
"""

from __future__ import annotations

import logging
from dataclasses import replace
from typing import TYPE_CHECKING

from sqlalchemy import text

from leads.db import DATABASE_ERRORS, error_name
from leads.outbox.rows import Kind

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime
    from uuid import UUID

    from sqlalchemy import Engine

    from leads.outbox.rows import Claimed

log = logging.getLogger(__name__)

REPEAT_DAYS = 90  # an enquiry after a longer gap counts as a new one

# A held row (suspected spam) never counts as an earlier enquiry. Each branch is one index lookup, newest first.
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
""")  # noqa: S608 - constants of this project
# Only on a row's first claim: an earlier call whose reply was lost may already have made a record of its own. The
# decision is final, because a note may have been added.
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
""")  # noqa: S608 - constants of this project


def mark_repeats(engine: Engine, claimed: Sequence[Claimed], call_id: str, *, merge: bool) -> list[Claimed]:
    """Mark the repeat enquiries among claimed rows. If the database fails, the rows are delivered unmarked.

    Args:
        engine: The database.
        claimed: Rows of one kind, claimed by `call_id`.
        call_id: The claim's id.
        merge: Whether repeats join the earlier record as a note.

    Returns:
        The claimed rows. A repeat enquiry also has `repeat_enquiry` and `earlier_enquiry_at`, and `merged_into`
        when it joins the earlier record.
    """
    if claimed[0].kind is not Kind.LEAD:
        return list(claimed)
    ids = [row.id for row in claimed]
    try:
        merged = _choose_merges(engine, ids, call_id=call_id) if merge else {}
        earlier = find_earlier(engine, ids)
    except DATABASE_ERRORS as error:
        log.warning("repeat enquiries could not be read (%s); the leads are sent unmarked", error_name(error))
        return list(claimed)
    return [_with_repeat(row, earlier.get(row.id), merged.get(row.id)) for row in claimed]


def _with_repeat(row: Claimed, earlier_at: object, merged_into: str | None) -> Claimed:
    added: dict[str, object] = {}
    if earlier_at is not None:
        added |= {"repeat_enquiry": True, "earlier_enquiry_at": earlier_at}
    if merged_into is not None:
        added["merged_into"] = merged_into
    return replace(row, values={**row.values, **added}) if added else row


def find_earlier(engine: Engine, ids: Sequence[UUID]) -> dict[UUID, datetime]:
    """Return when the person behind each lead last enquired before it, for those who did; one query for a batch.

    The same person means the same e-mail, ignoring case, or the same phone number in E.164, within REPEAT_DAYS.
    """
    with engine.connect() as connection:
        found = connection.execute(_EARLIER, {"ids": list(ids)})
        return {row.id: row.earlier_at for row in found if row.earlier_at is not None}


def _choose_merges(engine: Engine, ids: Sequence[UUID], *, call_id: str) -> dict[UUID, str]:
    """Decide which leads are merged into the CRM record of an earlier one (same e-mail); store and return that.

    Only leads that `call_id` was the first to claim, and only where the earlier one is in the CRM by now. The
    result is the id of the CRM record by lead.
    """
    with engine.connect() as connection:
        found = connection.execute(_MERGE, {"ids": list(ids), "call_id": call_id})
        return {row.id: row.merged_into for row in found}
