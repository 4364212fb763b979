"""What came before claimed rows: when the person last enquired, and what else the same visit left.

Both enquiries of a person are kept; the worker's mapping decides how the CRM shows it. Of a visit only what is in
the CRM already is named, so whichever of two rows is sent second names the first. Held and dead rows are not there,
and erased ones are gone.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from sqlalchemy import text

from leads.db import DATABASE_ERRORS, error_name
from leads.outbox.repeats import EARLIER
from leads.outbox.rows import Kind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import Engine, Row

    from leads.outbox.rows import Claimed

log = logging.getLogger(__name__)

MAX_NAMED = 5  # of one visit, the newest
# The newest enquiry before a lead's. Each branch is one index lookup.
_LAST = f"""
greatest(
    (SELECT earlier.created_at FROM leads AS earlier JOIN deliveries AS state USING (id)
     WHERE lower(earlier.email) = lower(lead.email) AND {EARLIER} ORDER BY earlier.created_at DESC LIMIT 1),
    (SELECT earlier.created_at FROM leads AS earlier JOIN deliveries AS state USING (id)
     WHERE earlier.phone_e164 = lead.phone_e164 AND {EARLIER} ORDER BY earlier.created_at DESC LIMIT 1)
)
"""  # noqa: S608 - constants of this project
# Materialized: the look-ups are made once. Most rows tell of nothing, and need not be read. The ids come out of a
# query of their own: PostgreSQL then keeps one plan for any number of them, and planning took longer than looking.
_HISTORY = """
WITH history AS MATERIALIZED (
    SELECT {row}.id, {earlier}::timestamptz AS earlier_at, array(
        SELECT other.{name} FROM {others} AS other JOIN deliveries AS state USING (id)
        WHERE other.session_id = {row}.session_id AND other.session_id <> '' AND state.zoho_status = 'sent'
        ORDER BY other.created_at DESC LIMIT {most}
    ) AS same_visit
    FROM {table} AS {row} WHERE {row}.id = ANY(ARRAY(SELECT unnest(cast(:ids AS uuid[]))))
)
SELECT * FROM history WHERE earlier_at IS NOT NULL OR same_visit <> '{{}}'
"""
_STATEMENTS = {
    kind: text(
        _HISTORY.format(
            row=kind, table=kind.table.name, earlier=earlier, others=other.table.name, name=name, most=MAX_NAMED
        )
    )
    for kind, earlier, other, name in (
        (Kind.LEAD, _LAST, Kind.CLICK, "unique_code"),
        (Kind.CLICK, "NULL", Kind.LEAD, "reference"),
    )
}


def add_history(engine: Engine, claimed: Sequence[Claimed]) -> list[Claimed]:
    """Add to claimed rows of one kind what came before; if the database fails, they are delivered without.

    A repeat enquiry gets `repeat_enquiry` and `earlier_enquiry_at`: an enquiry of the last REPEAT_DAYS has the same
    e-mail, ignoring case, or the same phone number in E.164. A row whose visit left more gets `same_visit`: the
    codes of its taps or the references of its enquiries, newest first.
    """
    try:
        with engine.connect() as connection:
            statement = _STATEMENTS[claimed[0].kind]
            found = {row.id: row for row in connection.execute(statement, {"ids": [row.id for row in claimed]})}
    except DATABASE_ERRORS as error:
        log.warning("earlier rows could not be read (%s); these are sent without them", error_name(error))
        return list(claimed)
    return [_with(row, found[row.id]) if row.id in found else row for row in claimed]


def _with(row: Claimed, history: Row[Any]) -> Claimed:
    added: dict[str, object] = {}
    if history.earlier_at is not None:
        added |= {"repeat_enquiry": True, "earlier_enquiry_at": history.earlier_at}
    if history.same_visit:
        added["same_visit"] = history.same_visit
    return row.with_values(**added)
