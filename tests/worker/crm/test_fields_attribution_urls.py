"""From what the browser sends for an address to the stored row and on to the CRM's record, by the shared table."""

from __future__ import annotations

import pytest

from leads.settings import read_settings
from sandbox import credentials
from tests.support.attribution import read_cases
from tests.support.database import rows_of
from tests.support.pipeline import deliver
from tests.support.site import running_site
from worker.context import make_context

CASES = {case.name: case for case in read_cases()}
CLICKED = [
    "no parameters",
    "the utm names of all parameters",
    "all click ids together",
    "a later campaign: the earlier one is the first, and nothing of it is mixed in",
]


def lead_body(number, case):
    """Another person each time: a person's second enquiry would be a note on the first one's record."""
    return case.sent | {
        "name": "Ada",
        "surname": "Sample",
        "email": f"ada{number}@example.com",
        "countryCode": "+44",
        "phone": f"07911 {123000 + number}",
    }


def click_body(number, case):
    code = f"AB{number:03}"
    return case.sent | {"uniqueCode": code, "whatsappMessage": f"[{code}] Hi", "buttonLocation": "thank-you-page"}


@pytest.fixture(scope="module")
def environment(module_database_url, sandbox_process):
    sandbox_process.reset()
    return {
        "DATABASE_URL": module_database_url,
        "REDIS_URL": "redis://127.0.0.1:1/0",
        "FRONTEND_DIR": "no-such-build",
        **credentials.settings(sandbox_process.url),
    }


@pytest.fixture(scope="module")
def post(environment):
    with running_site(**environment) as app:
        client = app.test_client()

        def send(path, body):
            answer = client.post(path, json=body)
            assert answer.status_code == 201, answer.text
            return answer.json["id"]

        yield send


@pytest.fixture(scope="module")
def delivered(environment, post, sandbox_process):
    """By kind and case: the stored row, and the record that the worker made of it."""
    ids = {("lead", name): post("/api/leads", lead_body(n, CASES[name])) for n, name in enumerate(CASES)}
    ids |= {
        ("click", name): post("/api/whatsapp-click", click_body(n, CASES[name])) for n, name in enumerate(CLICKED)
    }
    context = make_context(read_settings(environment))
    assert deliver(context) == ["SENT"] * (len(CASES) + len(CLICKED))
    rows = rows_of(context.engine, "SELECT * FROM leads") + rows_of(context.engine, "SELECT * FROM whatsapp_clicks")
    stored = {str(row["id"]): row for row in rows}
    context.close()
    return {key: (stored[found], sandbox_process.records(Website_Event_ID=found)) for key, found in ids.items()}


@pytest.mark.parametrize(
    ("kind", "name"), [*(("lead", name) for name in CASES), *(("click", name) for name in CLICKED)]
)
def test_an_address_is_stored_and_reaches_the_crm(delivered, kind, name):
    row, (record,) = delivered[kind, name]
    assert {column: row[column] for column in CASES[name].row} == CASES[name].row
    assert {field: record.get(field) for field in CASES[name].crm} == CASES[name].crm
