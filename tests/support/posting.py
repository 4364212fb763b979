"""One POST to the real API, and where its values must be afterwards: in the row and in the CRM."""

from __future__ import annotations

from leads.outbox.rows import Lane
from tests.rows import rows_of
from worker.delivery.deliver import deliver


def check(context, sandbox, path, body, post, stored, fields):
    answer = post(path, body)
    assert answer.status_code == 201, answer.text
    table = "leads" if path == "/api/leads" else "whatsapp_clicks"
    (row,) = rows_of(context.engine, f"SELECT * FROM {table}")
    assert {name: row[name] for name in stored} == stored
    assert deliver(context.delivery, Lane.FRESH).sent == 1
    (record,) = sandbox.records(Website_Event_ID=answer.json["id"])
    assert {name: record.get(name) for name in fields} == fields
