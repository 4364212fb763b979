"""Enquiries of some days ago, and their records in the CRM."""

from __future__ import annotations

from leads.outbox.store import record_lead
from tests.rows import LEAD, change


def enquire(context, *, days_ago=0.0, **values):
    lead = record_lead(context.engine, {**LEAD, **values}).id
    change(
        context.engine,
        "UPDATE leads SET created_at = now() - make_interval(secs => :ago), queued_at = now() -"
        " make_interval(secs => :ago) WHERE id = :id",
        ago=days_ago * 86_400,
        id=lead,
    )
    return lead


def in_crm(sandbox, lead):
    (record,) = sandbox.records(Website_Event_ID=str(lead))
    return record
