"""The forms as a browser sends them without any script: stored once, with what the request tells."""

import json
import re
from datetime import datetime, timedelta
from pathlib import Path
from urllib.parse import quote

import phonenumbers
import pytest

from api.validators import country_of
from tests.support.attribution import TABLE, read_cases
from tests.support.samples import PAYLOAD

FEATURE = Path(__file__).parents[3] / "frontend/src/features/lead-form"
FORM = PAYLOAD | dict.fromkeys(("message", "website", "zc_gad", "key", "start", "visit"), "")
CASES = {case.name: case for case in read_cases()}
TYPED = json.loads((Path(__file__).parents[2] / "typed_values.json").read_text("utf-8"))
VISITS = {case["name"]: case["visits"][0] for case in TABLE["cases"] if len(case["visits"]) == 1}


@pytest.fixture
def send(client):
    client.tokens = False

    def post(change=None, **headers):
        named = {name.replace("_", "-"): text for name, text in headers.items()}
        return client.post("/enquiry", data=FORM | (change or {}), headers=named)

    return post


@pytest.fixture
def row(query):
    """The lead that an answer leads to."""

    def find(answer):
        assert answer.status_code == 303, answer.text
        receipt = r"/thank-you\?reference=(\d{6})&details=[0-9a-f]{32}\.[0-9a-f]{24}"
        (reference,) = re.fullmatch(receipt, answer.location).groups()
        sql = "SELECT * FROM leads JOIN crm_deliveries USING (id) WHERE reference = %s ORDER BY created_at DESC"
        (found,) = query(sql, reference)
        return found

    return find


@pytest.fixture
def count(query):
    return lambda: query("SELECT count(*) AS n FROM leads")[0]["n"]


def test_a_form_is_stored_and_leads_to_its_reference(send, row):
    stored = row(send({"message": "How long?\r\n\r\nAnd how much?"}))
    assert {name: stored[name] for name in ("name", "surname", "email", "phone")} == {
        name: PAYLOAD[name] for name in ("name", "surname", "email", "phone")
    }
    assert (stored["country_code"], stored["country_iso"], stored["phone_e164"]) == ("+44", "GB", "+447911123456")
    assert stored["message"] == "How long?\n\nAnd how much?"
    assert (stored["zoho_status"], stored["held_reason"]) == ("held", "no-start")
    assert (stored["marketing_opt_in"], stored["marketing_version"]) == (False, None)
    assert stored["ip_address"] == "127.0.0.1"


def test_the_ticked_box_is_kept_with_the_version_of_its_wording(send, row):
    stored = row(send({"marketing": "2026-11-22"}))
    assert (stored["marketing_opt_in"], stored["marketing_version"]) == (True, "2026-11-22")


@pytest.mark.parametrize("typed", TYPED, ids=lambda typed: f"{typed['field']}: {typed['why']}")
def test_a_value_is_stored_as_it_is_meant_or_has_its_message(send, row, typed):
    """The page's own test reads the same table."""
    field = typed["field"]
    answer = send({"countryCode": typed.get("countryCode", "+44"), field: typed["typed"]})
    if typed["stored"] is None:
        assert answer.status_code == 422
        assert list(answer.json["errors"]["form"]) == [field]
    else:
        stored = row(answer)
        assert stored[field] == typed["stored"]
        assert field != "phone" or stored["phone_e164"] == typed["e164"]


@pytest.mark.parametrize(
    ("option", "phone", "code", "iso"),
    [
        ("+1-ca", "604 555 0123", "+1", "CA"),
        ("+1", "604 555 0123", "+1", "US"),
        ("+7-kz", "701 234 5678", "+7", "KZ"),
    ],
)
def test_the_country_is_the_options_own_else_the_codes_main_one(send, row, option, phone, code, iso):
    stored = row(send({"countryCode": option, "phone": phone}))
    assert (stored["country_code"], stored["country_iso"]) == (code, iso)


def test_each_option_of_the_site_has_the_country_that_the_script_sends():
    """Otherwise a form that is sent after a lost answer to the script would be a second enquiry."""
    source = (FEATURE / "countries.ts").read_text("utf-8")
    owners = set(re.findall('"([A-Z]{2})"', re.search(r"OWNERS = new Set\(\[(.*?)\]", source, re.DOTALL).group(1)))
    rows = {iso: phonenumbers.country_code_for_region(iso) for iso in phonenumbers.SUPPORTED_REGIONS}
    codes = list(rows.values())
    assert len(rows) > 200
    for iso, code in rows.items():
        is_alone = codes.count(code) == 1 or iso in owners
        assert country_of(f"+{code}" if is_alone else f"+{code}-{iso.lower()}") == iso


def test_everything_that_is_wrong_is_told_at_its_field(send):
    answer = send({"name": "A", "email": "ada@", "countryCode": "", "phone": "", "message": "x" * 5001})
    assert answer.status_code == 422
    assert answer.json["errors"]["form"] == {
        "name": ["Name must be at least 2 characters"],
        "email": ["Please enter a valid email address"],
        "countryCode": ["Please select a country code"],
        "phone": ["Please enter your phone number"],
        "message": ["Please use at most 5,000 characters"],
    }


def test_a_double_press_a_reload_and_back_and_press_are_one_enquiry(send, count):
    entry = {"message": "pressed again"}
    before, first = count(), send(entry)
    assert {send(entry).location for _ in range(3)} == {first.location}
    # What the request tells of the visit may change meanwhile, and so may what surrounds the words.
    assert send({"message": " pressed again\r\n"}, Accept_Language="de").location == first.location
    assert count() == before + 1
    assert send({"message": "another question"}).location != first.location
    assert count() == before + 2


def test_the_same_entry_from_another_network_gets_neither_the_receipt_nor_the_token(client, send, count):
    entry = {"message": "mine alone"}
    before, first = count(), send(entry)
    stranger = client.post("/enquiry", data=FORM | entry, environ_base={"REMOTE_ADDR": "198.51.100.7"})
    assert stranger.status_code == 303
    assert stranger.location != first.location
    assert count() == before + 2


def test_the_same_entry_on_another_day_is_an_enquiry_of_its_own(send, count, monkeypatch):
    class Tomorrow:
        @staticmethod
        def now(zone):
            return datetime.now(zone) + timedelta(days=1)

    before, entry = count(), {"message": "day by day"}
    first = send(entry)
    monkeypatch.setattr("api.resources.forms.datetime", Tomorrow)
    assert send(entry).status_code == first.status_code == 303
    assert count() == before + 2


def test_after_a_lost_answer_to_the_script_the_form_is_the_same_enquiry(client, send, row, count):
    more = {"message": "Line one\nLine two", "marketingOptIn": True, "marketingVersion": "v", "countryIso": "GB"}
    script = client.post("/api/leads", json=PAYLOAD | more, headers={"Idempotency-Key": "press-1"})
    before = count()
    form = {"message": "Line one\r\nLine two", "marketing": "v", "key": "press-1"}
    assert row(send(form))["reference"] == script.json["reference"]
    assert count() == before


@pytest.mark.parametrize("key", ["a b", "ü", "x" * 256])
def test_a_key_that_is_none_costs_nothing(send, row, key):
    stored = row(send({"key": key, "message": key}))
    assert re.fullmatch("[0-9a-f]{24}", stored["idempotency_key"])


@pytest.mark.parametrize(
    ("headers", "reason"),
    [
        ({"Sec_Fetch_Site": "cross-site"}, "forged"),
        ({"Origin": "https://evil.example"}, "forged"),
        ({"Origin": "http://["}, "forged"),
        ({"Origin": "null"}, None),
        ({"Origin": "https://localhost:8443"}, None),
        # A proxy may change the host that we see, never what the browser says of the request.
        ({"Sec_Fetch_Site": "same-origin", "Origin": "https://clinic.example"}, None),
    ],
)
def test_a_form_of_another_site_is_stored_and_not_trusted(app, send, row, headers, reason):
    token = app.extensions["context"].guard.tokens.issue(age=60)
    answer = send({"start": token, "message": str(headers)}, **headers)
    assert row(answer)["held_reason"] == reason


def browser_address(visit):
    """The page's address as a browser sends it in the header: encoded, without the fragment."""
    parts = visit["url"] if isinstance(visit["url"], list) else [visit["url"]]
    text = "".join(part if isinstance(part, str) else part["text"] * part["times"] for part in parts)
    return "http://localhost" + quote(text.partition("#")[0], safe="/?&=%:;+,@!'()*~[]")


@pytest.mark.parametrize("name", VISITS)
def test_the_pages_own_address_gives_the_campaign(send, row, name):
    address = browser_address(VISITS[name])
    stored = row(send({"message": name}, Referer=address))
    arrival = {"ads_timestamp", "landing_url", "referrer", "first_touch"}
    campaign = {column: text for column, text in CASES[name].row.items() if column not in arrival}
    assert {column: stored[column] for column in campaign} == campaign
    assert stored["current_url"] == address[:2048]
    known = {column: text for column, text in campaign.items() if text}
    assert stored["first_touch"] == ({**known, "landing_url": address[:2048]} if known else None)
    assert stored["landing_url"] == (address[:2048] if known else None)


def test_the_request_tells_language_and_browser(send, row):
    headers = {"Accept_Language": "de-AT,de;q=0.9,en;q=0.8", "User_Agent": "Mozilla/5.0 (old)"}
    stored = row(send({"message": "facts"}, Referer="http://localhost/offers", **headers))
    assert (stored["language"], stored["user_agent"]) == ("de-AT", "Mozilla/5.0 (old)")
    assert stored["current_url"] == "http://localhost/offers"
    assert (stored["landing_url"], stored["device_type"], stored["session_id"]) == (None, "Desktop", None)


@pytest.mark.parametrize("page", ["https://evil.example/?gclid=G1", "http://[", "about:blank"])
def test_another_sites_address_tells_nothing(send, row, page):
    stored = row(send({"message": page}, Referer=page))
    assert (stored["current_url"], stored["google_gclid"]) == (None, None)


def test_what_the_script_knew_of_the_visit_goes_under_the_forms_own_fields(send, row):
    visit = {
        "name": "Eve",
        "countryIso": "FR",
        "marketingOptIn": True,
        "googleGclid": "G1",
        "currentUrl": "https://clinic.example/offers",
        "firstTouch": {"googleGclid": "G0"},
        "consentChoice": {"analytics": True, "advertising": False},
        "deviceType": "mobile",
    }
    stored = row(send({"message": "visit", "visit": json.dumps(visit)}, Referer="http://localhost/?gclid=G9"))
    assert (stored["name"], stored["country_iso"], stored["marketing_opt_in"]) == ("Ada", "GB", False)
    assert (stored["google_gclid"], stored["current_url"]) == ("G1", "https://clinic.example/offers")
    assert stored["first_touch"] == {"google_gclid": "G0"}
    assert stored["consent_choice"] == {"analytics": True, "advertising": False}
    assert stored["device_type"] == "mobile"


@pytest.mark.parametrize("visit", ["{", "[1]", "{}", "[" * 20_000, '{"googleGclid": NaN}', '{"utmSource": ["a"]}'])
def test_a_visit_that_cannot_be_read_costs_nothing(send, row, visit):
    stored = row(send({"message": f"garbage {hash(visit)}", "visit": visit}, Referer="http://localhost/?gclid=G9"))
    assert stored["google_gclid"] == (None if "utmSource" in visit else "G9")


@pytest.mark.parametrize(("fields", "status"), [(200, 422), (201, 413)])
def test_a_form_of_thousands_of_fields_is_not_read(client, fields, status):
    body = "&".join(f"a{number}=" for number in range(fields))
    answer = client.post("/enquiry", data=body, content_type="application/x-www-form-urlencoded")
    assert answer.status_code == status


def test_bytes_that_are_no_text_are_never_an_error_of_ours(client):
    for body in (b"name=\xff\xfe&email=%ff%00", b"&&&===", b"", b"name=" + b"%" * 1000):
        answer = client.post("/enquiry", data=body, content_type="application/x-www-form-urlencoded")
        assert answer.status_code == 422
