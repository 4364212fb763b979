"""What visitors type is read as they mean it, by script or form; the page's own test reads the same table."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

ROWS = json.loads((Path(__file__).parents[2] / "typed_values.json").read_text(encoding="utf-8"))
FORM = {
    "name": "Ada",
    "surname": "Sample",
    "email": "ada@example.com",
    "countryCode": "+44",
    "phone": "07911 123456",
    "message": "",
}


def by_script(client, values):
    answer = client.post("/api/leads", json=values)
    if answer.status_code == 201:
        return "id", answer.json["id"], None
    return None, None, answer.json["errors"]["json"]


def by_form(client, values):
    answer = client.post("/enquiry", data=values)
    if answer.status_code == 303:
        return "reference", re.search(r"reference=(\d{6})", answer.location)[1], None
    return None, None, answer.json["errors"]["form"]


@pytest.mark.parametrize("send", [by_script, by_form])
@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row['field']}: {row['why']}")
def test_a_value_is_stored_as_it_is_meant_or_has_its_message(client, query, row, send):
    field = row["field"]
    values = FORM | {"countryCode": row.get("countryCode", "+44"), field: row["typed"]}
    column, value, messages = send(client, values)
    if row["stored"] is None:
        assert list(messages or ()) == [field]
        return
    assert not messages
    [stored] = query(f"SELECT * FROM leads WHERE {column} = %s ORDER BY created_at DESC LIMIT 1", value)
    assert stored[field] == row["stored"]
    if field == "phone":
        assert stored["phone_e164"] == row["e164"]
