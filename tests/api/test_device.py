"""The device of a user agent, as the browser's script reads it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from api.device import describe_device
from api.fields import wire_name
from tests.support.samples import CLICK

CASES = json.loads((Path(__file__).parents[1] / "user_agents.json").read_text())
# Only a script tells an iPad that claims to be a Mac, by its touch screen.
TOLD = [case for case in CASES if not ("Macintosh" in case["userAgent"] and case["touch"])]
PHONE = next(case["userAgent"] for case in CASES if case["name"] == "Safari, iPhone")
KNOWN = {"device_type": "Mobile", "browser_name": "Safari", "browser_version": "18.5", "operating_system": "iOS"}


@pytest.mark.parametrize("case", TOLD, ids=[case["name"] for case in TOLD])
def test_it_says_what_the_script_says(case):
    assert describe_device(case["userAgent"]) == {
        "device_type": case["type"],
        "browser_name": case["browser"],
        "browser_version": case["version"],
        "operating_system": case["system"],
    }


def test_a_long_header_takes_no_time():
    assert describe_device("Android " * 100_000)["device_type"] == "Tablet"


@pytest.mark.parametrize(("path", "table"), [("/api/leads", "leads"), ("/api/whatsapp-click", "whatsapp_clicks")])
def test_what_comes_without_it_gets_it_from_the_user_agent(client, lead, query, path, table):
    body = lead if table == "leads" else {wire_name(column): text for column, text in CLICK.items()}

    def row(sent):
        answer = client.post(path, json=sent, headers={"User-Agent": PHONE})
        return query(f"SELECT * FROM {table} WHERE id = %s", answer.json["id"])[0]

    told = row(body)
    assert {column: told[column] for column in KNOWN} == KNOWN
    own = body | {"browserName": "Firefox", "deviceType": "Desktop"}
    told = row(own | {"uniqueCode": "ZZ99Z"})
    assert (told["browser_name"], told["device_type"], told["operating_system"]) == ("Firefox", "Desktop", None)
