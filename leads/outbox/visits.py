"""The rest of a visit: the codes of the taps in an enquiry's session, the references of the enquiries in a tap's.

Only what the CRM has already is named, so whichever of the two is sent second names the first. Held and dead rows
are not in the CRM, and erased ones are gone.
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

    from sqlalchemy import Engine

    from leads.outbox.rows import Claimed

log = logging.getLogger(__name__)

MAX_NAMED = 5  # of one session, the newest
_NAMES = {Kind.LEAD: (Kind.CLICK, "unique_code"), Kind.CLICK: (Kind.LEAD, "reference")}
# One index lookup for each row. The index holds sent rows only, so that a claim and a retry write nothing into it.
_SAME_VISIT = """
SELECT claimed.id, array(
    SELECT other.{name} FROM {others} AS other
    WHERE other.session_id = claimed.session_id AND other.zoho_status = 'sent'
    ORDER BY other.created_at DESC LIMIT {most}
) AS names
FROM {table} AS claimed WHERE claimed.id = ANY(cast(:ids AS uuid[])) AND claimed.session_id <> ''
"""
_STATEMENTS = {
    kind: text(_SAME_VISIT.format(name=name, others=other.table.name, table=kind.table.name, most=MAX_NAMED))
    for kind, (other, name) in _NAMES.items()
}


def mark_visits(engine: Engine, claimed: Sequence[Claimed]) -> list[Claimed]:
    """Give claimed rows of one kind the codes, or references, of the same session as `same_visit`.

    If the database fails, the rows are delivered without.
    """
    ids = [row.id for row in claimed if row.values.get("session_id")]
    if not ids:
        return list(claimed)
    try:
        with engine.connect() as connection:
            found = connection.execute(_STATEMENTS[claimed[0].kind], {"ids": ids})
            names = {row.id: row.names for row in found if row.names}
    except DATABASE_ERRORS as error:
        log.warning("visits could not be read (%s); the rows are sent without them", error_name(error))
        return list(claimed)
    return [
        replace(row, values={**row.values, "same_visit": names[row.id]}) if row.id in names else row
        for row in claimed
    ]
