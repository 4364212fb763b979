"""From the JSON of a POST to the stored columns and on to the CRM's record: what the table of addresses lacks."""

from __future__ import annotations

import json

import pytest

from tests.support.pipeline import check_post
from tests.support.samples import PAYLOAD

CLICK = {"uniqueCode": "AB12C", "whatsappMessage": "[AB12C] Hi", "buttonLocation": "thank-you-page"}
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
}


@pytest.mark.parametrize("case", TABLE)
def test_a_leads_campaign_reaches_its_columns_and_the_crm(context, sandbox, post, case):
    sent, stored, fields = TABLE[case]
    check_post(context, sandbox, "/api/leads", json.dumps(PAYLOAD | sent), post, stored, fields)


@pytest.mark.parametrize("case", ["first touch beside the last", "the form's hidden click id"])
def test_a_clicks_campaign_reaches_its_columns_and_the_crm(context, sandbox, post, case):
    sent, stored, fields = TABLE[case]
    if "zc_gad" in sent:
        stored, fields = {"google_gclid": None}, {"Google_Click_ID": None}  # a tap sends no form
    check_post(context, sandbox, "/api/whatsapp-click", json.dumps(CLICK | sent), post, stored, fields)


def test_of_a_name_given_twice_the_last_one_counts(context, sandbox, post):
    body = json.dumps(PAYLOAD)[:-1] + ', "utmSource": "first", "utmSource": "second"}'
    check_post(context, sandbox, "/api/leads", body, post, {"utm_source": "second"}, {"UTM_Source": "second"})
