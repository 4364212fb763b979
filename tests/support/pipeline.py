"""Leads on their way to the CRM: stored now or some days ago, posted, and what became of them."""

from __future__ import annotations

import requests

from leads.outbox.rows import Lane
from leads.outbox.store import record_lead
from tests.support.database import change, rows_of
from tests.support.samples import LEAD
from worker.delivery.deliver import deliver


def record(context, count=1, **values):
    return [record_lead(context.engine, {**LEAD, **values}).id for _ in range(count)]


def record_earlier(context, *, days_ago=0.0, **values):
    (lead,) = record(context, **values)
    change(
        context.engine,
        "WITH stored AS ("
        " UPDATE leads SET created_at = now() - make_interval(secs => :ago) WHERE id = :id RETURNING id, created_at"
        ") UPDATE crm_deliveries SET queued_at = created_at FROM stored WHERE crm_deliveries.id = stored.id",
        ago=days_ago * 86_400,
        id=lead,
    )
    return lead


def statuses(context):
    found = rows_of(context.engine, "SELECT zoho_status, count(*) AS n FROM crm_deliveries GROUP BY zoho_status")
    return {row["zoho_status"]: row["n"] for row in found}


def make_due(context):
    change(
        context.engine,
        "UPDATE crm_deliveries SET next_retry_at = now() WHERE zoho_status IN ('pending', 'retrying', 'sending')",
    )
    change(context.engine, "UPDATE crm_gate SET until_at = now() WHERE until_at IS NOT NULL")


def crm_record(sandbox, lead):
    (found,) = sandbox.records(Website_Event_ID=str(lead))
    return found


def read_crm(context, sandbox, path):
    """What the CRM answers to a GET, with the product's token."""
    (stored,) = rows_of(context.engine, "SELECT value FROM crm_token")
    headers = {"Authorization": f"Zoho-oauthtoken {stored['value']}"}
    answer = requests.get(f"{sandbox.url}/crm/v8/{path}", headers=headers, timeout=10)
    return answer.json()["data"] if answer.content else []


def check_post(context, sandbox, path, body, post, stored, fields):
    """One POST to the real API: its values are in the row, and after one delivery in the CRM's record."""
    answer = post(path, body)
    assert answer.status_code == 201, answer.text
    table = "leads" if path == "/api/leads" else "whatsapp_clicks"
    (row,) = rows_of(context.engine, f"SELECT * FROM {table}")
    assert {name: row[name] for name in stored} == stored
    assert deliver(context.delivery, context.crm, Lane.FRESH).sent == 1
    found = crm_record(sandbox, answer.json["id"])
    assert {name: found.get(name) for name in fields} == fields
