"""What came before a row, as SQL of its claim: the person's last enquiry, and what else the same visit left.

Both enquiries of a person are kept; the worker's mapping decides how the CRM shows it. Of a visit only what is in
the CRM already is named, so whichever of two rows is sent second names the first. Held and dead rows are not there,
and erased ones are gone.
"""

from __future__ import annotations

from typing import assert_never

from leads.outbox.rows import Kind

MAX_NAMED = 5  # of one visit, the newest
REPEAT_DAYS = 90  # an enquiry after a longer gap counts as a new one

# A held row (suspected spam) never counts as an earlier enquiry.
_EARLIER = f"""
state.zoho_status <> 'held' AND (earlier.created_at, earlier.id) < (lead.created_at, lead.id)
AND earlier.created_at >= lead.created_at - interval '{REPEAT_DAYS} days'
"""
# The newest enquiry before a lead's. Each branch is one index lookup.
_LAST = f"""
greatest(
    (SELECT earlier.created_at FROM leads AS earlier JOIN crm_deliveries AS state USING (id)
     WHERE lower(earlier.email) = lower(lead.email) AND {_EARLIER} ORDER BY earlier.created_at DESC LIMIT 1),
    (SELECT earlier.created_at FROM leads AS earlier JOIN crm_deliveries AS state USING (id)
     WHERE earlier.phone_e164 = lead.phone_e164 AND {_EARLIER} ORDER BY earlier.created_at DESC LIMIT 1)
)
"""  # noqa: S608 - constants of this project
_HISTORY = """
{earlier}::timestamptz AS earlier_enquiry_at, array(
    SELECT other.{name} FROM {others} AS other JOIN crm_deliveries AS state USING (id)
    WHERE other.session_id = {row}.session_id AND other.session_id <> '' AND state.zoho_record_id IS NOT NULL
    ORDER BY other.created_at DESC LIMIT {most}
) AS same_visit
"""


def history_of(kind: Kind) -> str:
    """Return SQL for two columns of a row of the kind's table, under the kind's name.

    `earlier_enquiry_at`: when the person enquired before, within REPEAT_DAYS, by the e-mail, ignoring case, or the
    phone number in E.164; NULL for a click. `same_visit`: the codes of the visit's taps or the references of its
    enquiries, newest first.
    """
    match kind:
        case Kind.LEAD:
            other, earlier = Kind.CLICK, _LAST
        case Kind.CLICK:
            other, earlier = Kind.LEAD, "NULL"
        case _:
            assert_never(kind)
    return _HISTORY.format(row=kind, earlier=earlier, others=other.table.name, name=other.reference, most=MAX_NAMED)
