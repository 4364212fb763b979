"""From what the browser sends to the columns and on to the CRM's record: campaigns, first touch and consent."""

import json
from datetime import UTC, datetime

import pytest

from tests.support.attribution import read_cases
from tests.support.database import rows_of
from tests.support.pipeline import check_post, crm_record, deliver
from tests.support.samples import PAYLOAD


@pytest.fixture
def environment(crm_environment):
    return crm_environment | {"ZOHO_FIELDS": "all"}


CLICK = {"whatsappMessage": "[AB12C] Hi", "buttonLocation": "thank-you-page"}
CLICKED = [
    "no parameters",
    "the utm names of all parameters",
    "all click ids together",
    "a later campaign: the earlier one is the first, and nothing of it is mixed in",
]
LONG = "x" * 5000
LONG_PAGE = "https://clinic.example/?q=" + "y" * 5000
FIRST = {
    "googleCampaign": "first-campaign",
    "utmSource": "newsletter",
    "googleGclid": "first-click",
    "timestamp": "2026-10-01T08:00:00Z",
    "landingUrl": "https://clinic.example/dental-implants?gclid=first-click",
    "referrer": "https://search.example/",
}
# What is sent; what is stored (None: NULL); which fields the record has (None: the field is left out).
TABLE = {
    "what no address has": (
        {"adsTimestamp": "T1", "eventId": "E1", "currentUrl": "https://clinic.example/offers"},
        {"ads_timestamp": "T1", "event_id": "E1", "current_url": "https://clinic.example/offers"},
        {"Ads_Timestamp": "T1", "Browser_Event_ID": "E1", "Page_URL": "https://clinic.example/offers"},
    ),
    "the form's hidden click id": ({"zc_gad": "G1"}, {"google_gclid": "G1"}, {"Google_Click_ID": "G1"}),
    "first touch beside the last": (
        {"googleCampaign": "last-campaign", "firstTouch": FIRST},
        {
            "google_campaign": "last-campaign",
            "first_touch": {
                "google_campaign": "first-campaign",
                "utm_source": "newsletter",
                "google_gclid": "first-click",
                "ads_timestamp": "2026-10-01T08:00:00Z",
                "landing_url": "https://clinic.example/dental-implants?gclid=first-click",
                "referrer": "https://search.example/",
            },
        },
        {
            "Google_Campaign": "last-campaign",
            "First_Campaign": "first-campaign",
            "First_UTM_Source": "newsletter",
            "First_Google_Click_ID": "first-click",
            "First_Touch_At": "2026-10-01T08:00:00Z",
            "First_Landing_URL": "https://clinic.example/dental-implants?gclid=first-click",
            "First_Referrer": "https://search.example/",
        },
    ),
    "first touch is bounded and keeps known names alone": (
        {"firstTouch": {"utmSource": LONG, "landingUrl": LONG_PAGE, "name": "Ada", "x": {"y": 1}, "referrer": 7}},
        {"first_touch": {"utm_source": LONG[:255], "landing_url": LONG_PAGE[:2048], "referrer": "7"}},
        {"First_UTM_Source": LONG[:255], "First_Landing_URL": LONG_PAGE[:2000], "First_Referrer": "7"},
    ),
    "yes to one": (
        {
            "consentVersion": "2026-11",
            "consentChoice": {"analytics": True, "advertising": False},
            "consentAt": "2026-11-21T09:30:00+03:00",
            "marketingOptIn": True,
            "marketingVersion": "2026-11-21",
        },
        {
            "consent_version": "2026-11",
            "consent_choice": {"analytics": True, "advertising": False},
            "consent_at": datetime(2026, 11, 21, 6, 30, tzinfo=UTC),
            "marketing_opt_in": True,
            "marketing_version": "2026-11-21",
        },
        {
            "Consent_Version": "2026-11",
            "Consent_Choice": "advertising no, analytics yes",
            "Consent_At": "2026-11-21T06:30:00+00:00",
            "Marketing_Opt_In": True,
        },
    ),
    "nothing chosen": (
        {},
        {"consent_version": None, "consent_choice": None, "consent_at": None, "marketing_opt_in": False},
        {"Consent_Version": None, "Consent_Choice": None, "Consent_At": None, "Marketing_Opt_In": None},
    ),
    "only true is a yes": (
        {"consentChoice": {"analytics": "true", "advertising": True}, "marketingOptIn": "true"},
        {"consent_choice": {"analytics": False, "advertising": True}, "marketing_opt_in": False},
        {"Consent_Choice": "advertising yes, analytics no", "Marketing_Opt_In": None},
    ),
    "junk is no consent": (
        {"consentVersion": "v" * 99, "consentChoice": "all", "consentAt": "yesterday", "marketingOptIn": 1},
        {"consent_version": "v" * 64, "consent_choice": None, "consent_at": None, "marketing_opt_in": False},
        {"Consent_Version": "v" * 64, "Consent_Choice": None, "Consent_At": None, "Marketing_Opt_In": None},
    ),
    "a clock that cannot be": ({"consentAt": 1e308}, {"consent_at": None}, {"Consent_At": None}),
}


@pytest.mark.parametrize("case", TABLE)
def test_what_a_lead_says_reaches_its_columns_and_the_crm(context, sandbox, post, case):
    sent, stored, fields = TABLE[case]
    check_post(context, sandbox, "/api/leads", json.dumps(PAYLOAD | sent), post, stored, fields)


def test_a_tap_has_its_first_touch_and_no_form(context, sandbox, post):
    sent, stored, fields = TABLE["first touch beside the last"]
    body = CLICK | {"uniqueCode": "AB12C", "zc_gad": "G1"} | sent
    stored, fields = stored | {"google_gclid": None}, fields | {"Google_Click_ID": None}
    check_post(context, sandbox, "/api/whatsapp-click", json.dumps(body), post, stored, fields)


@pytest.mark.slow
def test_an_address_is_stored_and_reaches_the_crm(context, sandbox, post):
    """By the table that the browser's tests read too."""
    cases, ids = {case.name: case for case in read_cases()}, {}
    for number, (name, case) in enumerate(cases.items()):
        ids["leads", name] = post("/api/leads", json.dumps(PAYLOAD | {"email": f"a{number}@b.co"} | case.sent))
    for number, name in enumerate(CLICKED):
        body = CLICK | {"uniqueCode": f"AB{number:03}"} | cases[name].sent
        ids["whatsapp_clicks", name] = post("/api/whatsapp-click", json.dumps(body))
    assert deliver(context) == ["SENT"] * len(ids)
    for (table, name), answer in ids.items():
        (row,) = rows_of(context.engine, f"SELECT * FROM {table} WHERE id = :id", id=answer.json["id"])
        record, case = crm_record(sandbox, answer.json["id"]), cases[name]
        assert {column: row[column] for column in case.row} == case.row, (table, name)
        assert {field: record.get(field) for field in case.crm} == case.crm, (table, name)
