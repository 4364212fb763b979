"""Leads to deliver in tests, and what became of them."""

from __future__ import annotations

from leads.outbox.store import record_lead
from tests.rows import LEAD, change, rows_of


def record(crm, count=1, **values):
    return [record_lead(crm.engine, {**LEAD, **values}).id for _ in range(count)]


def statuses(crm):
    found = rows_of(crm.engine, "SELECT zoho_status, count(*) AS n FROM leads GROUP BY zoho_status")
    return {row["zoho_status"]: row["n"] for row in found}


def make_due(crm):
    change(
        crm.engine, "UPDATE leads SET next_retry_at = now() WHERE zoho_status IN ('pending', 'retrying', 'sending')"
    )
    change(crm.engine, "UPDATE crm_gate SET until_at = now() WHERE until_at IS NOT NULL")
