"""Leads to deliver in tests, and what became of them."""

from __future__ import annotations

from leads.outbox.store import record_lead
from tests.rows import LEAD, change, rows_of


def record(context, count=1, **values):
    return [record_lead(context.engine, {**LEAD, **values}).id for _ in range(count)]


def statuses(context):
    found = rows_of(context.engine, "SELECT zoho_status, count(*) AS n FROM leads GROUP BY zoho_status")
    return {row["zoho_status"]: row["n"] for row in found}


def make_due(context):
    change(
        context.engine,
        "UPDATE leads SET next_retry_at = now() WHERE zoho_status IN ('pending', 'retrying', 'sending')",
    )
    change(context.engine, "UPDATE crm_gate SET until_at = now() WHERE until_at IS NOT NULL")
