"""What a user agent says: the device as the browser's script reads it, and the engine."""

import json
import re
from pathlib import Path

import pytest

from api.fields import wire_name
from api.user_agents import FIRST_VERSIONS, BrowserEngine, describe_device, read_engine
from tests.support.samples import CLICK

ENGINE_TS = Path(__file__).parents[2] / "frontend/src/lib/engine.ts"
LINUX = "Mozilla/5.0 (X11; Linux x86_64)"
APPLE = "(KHTML, like Gecko)"
IPHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15"
ANDROID = f"Mozilla/5.0 (Linux; Android 14; SM-S918B) AppleWebKit/537.36 {APPLE}"
WINDOWS = f"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 {APPLE}"
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


@pytest.mark.parametrize(
    ("agent", "engine", "version", "runs_app"),
    [
        (f"{WINDOWS} Chrome/156.0.0.0 Safari/537.36", "chromium", 156, True),
        (f"{ANDROID} Version/4.0 Chrome/104.0.5112.97 Mobile Safari/537.36 Instagram", "chromium", 104, False),
        ("Mozilla/5.0 (Android 14; Mobile; rv:109.0) Gecko/109.0 Firefox/109.0", "firefox", 109, False),
        (f"{IPHONE} {APPLE} Version/16.4 Mobile/15E148 Safari/604.1", "webkit", 16, True),
        (f"{IPHONE} {APPLE} Version/16.3 Mobile/15E148 Safari/604.1", "webkit", 16, False),
        (f"{IPHONE} {APPLE} CriOS/156.0.1 Mobile/15E148 Safari/604.1", "webkit", 17, True),
        (f"{IPHONE} {APPLE} Mobile/15E148 [FBAN/FBIOS;FBAV/450.0]", "webkit", 17, True),
        (f"{LINUX} AppleWebKit/605.1.15 {APPLE} Version/26.0 Safari/605.1.15", "webkit", 26, True),
        (f"{WINDOWS} Chrome/64.0.3282.140 Safari/537.36 Edge/18.17763", "other", 0, False),
        (f"{WINDOWS} Chrome/99999999999999999999.0 Safari/537.36", "chromium", 999, True),
        (f"{ANDROID} Chrome/150.0.0.0 Mobile Safari/537.36 (compatible; Googlebot/2.1)", "other", 0, False),
        ("", "other", 0, False),
        ("Version/" * 100_000, "other", 0, False),
    ],
)  # fmt: skip
def test_a_browser_has_its_engine_and_major_version(agent, engine, version, runs_app):
    assert read_engine(agent) == BrowserEngine(engine, version, runs_app)


def test_the_script_is_expected_from_the_versions_on_for_which_it_is_built():
    (words,) = re.findall(r"Chrome and Edge ([\d.]+), Firefox ([\d.]+), Safari ([\d.]+)", ENGINE_TS.read_text())
    named = [tuple(int(part) for part in f"{version}.0".split(".")[:2]) for version in words]
    assert dict(zip(("chromium", "firefox", "webkit"), named, strict=True)) == FIRST_VERSIONS
