"""Leads on their way to the CRM: stored now or some days ago, posted, and what became of them."""

import requests

from leads.destinations import CRM
from leads.outbox.claim import find_due
from tests.support.database import change, rows_of
from tests.support.samples import LEAD, record_lead


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


def deliver(context, *names):
    """Try once each row that is due to the CRM, or to these destinations; the codes of the outcomes."""
    due = list(find_due(context.engine, names or [CRM], limit=999))
    results = [context.deliveries.deliver(name, row_id) for name, row_id in due]
    return [result.outcome.code for result in results if result is not None]


def statuses(context):
    found = rows_of(context.engine, "SELECT zoho_status, count(*) AS n FROM crm_deliveries GROUP BY zoho_status")
    return {row["zoho_status"]: row["n"] for row in found}


def make_due(context):
    """Let every wait and every pause be over."""
    change(
        context.engine,
        "UPDATE deliveries SET next_retry_at = now() WHERE status IN ('pending', 'retrying', 'sending')",
    )
    change(context.engine, "UPDATE destinations SET until_at = now() WHERE until_at IS NOT NULL")


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
    assert deliver(context) == ["SENT"]
    found = crm_record(sandbox, answer.json["id"])
    assert {name: found.get(name) for name in fields} == fields
