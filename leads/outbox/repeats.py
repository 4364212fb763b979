"""Repeat enquiries that join the CRM record of an earlier one, as a note, instead of becoming one themselves."""

from __future__ import annotations

import logging
from collections.abc import Sequence

from sqlalchemy import Engine, text

from leads.db import DATABASE_ERRORS, error_name
from leads.outbox.rows import Claimed, Kind

log = logging.getLogger(__name__)

REPEAT_DAYS = 90  # an enquiry after a longer gap counts as a new one

# A held row (suspected spam) never counts as an earlier enquiry.
EARLIER = f"""
state.zoho_status <> 'held' AND (earlier.created_at, earlier.id) < (lead.created_at, lead.id)
AND earlier.created_at >= lead.created_at - interval '{REPEAT_DAYS} days'
"""
# Only on a row's first claim: an earlier call whose reply was lost may already have made a record of its own. The
# decision is final, because a note may have been added.
_MERGE = text(f"""
WITH chosen AS (
    SELECT lead.id, (
        SELECT state.zoho_record_id FROM leads AS earlier JOIN crm_deliveries AS state USING (id)
        WHERE lower(earlier.email) = lower(lead.email) AND {EARLIER}
          AND state.zoho_status = 'sent' AND state.zoho_record_id IS NOT NULL
        ORDER BY earlier.created_at DESC LIMIT 1
    ) AS record_id
    FROM leads AS lead WHERE lead.id = ANY(cast(:ids AS uuid[])) AND NOT EXISTS (
        SELECT 1 FROM crm_attempts AS tried
        WHERE tried.row_id = lead.id AND tried.event = 'claimed' AND tried.call_id IS DISTINCT FROM :call_id
    )
)
UPDATE crm_deliveries AS state SET merged_into = chosen.record_id FROM chosen
WHERE state.id = chosen.id AND chosen.record_id IS NOT NULL AND merged_into IS NULL AND zoho_status = 'sending'
RETURNING state.id, merged_into
""")  # noqa: S608 - constants of this project


def choose_merges(engine: Engine, claimed: Sequence[Claimed], call_id: str) -> list[Claimed]:
    """Decide which leads are merged into the record of an earlier one (same e-mail), and store that.

    If that fails, they become records of their own.

    Args:
        engine: The database.
        claimed: Rows of one kind, claimed by `call_id`.
        call_id: The claim's id: only leads that it was the first to claim are merged.

    Returns:
        The claimed rows; those that are merged have the id of the CRM's record as `merged_into`.
    """
    if claimed[0].kind is not Kind.LEAD:
        return list(claimed)
    try:
        with engine.connect() as connection:
            found = connection.execute(_MERGE, {"ids": [row.id for row in claimed], "call_id": call_id})
            merged = {row.id: row.merged_into for row in found}
    except Exception as error:  # noqa: BLE001 - whatever it is, the enquiries must arrive
        level = logging.WARNING if isinstance(error, DATABASE_ERRORS) else logging.ERROR
        log.log(level, "repeat enquiries could not be merged (%s); they become records", error_name(error))
        return list(claimed)
    return [row.with_values(merged_into=merged[row.id]) if row.id in merged else row for row in claimed]
