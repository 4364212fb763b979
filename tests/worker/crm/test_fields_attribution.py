"""From the JSON of a POST to the stored columns and on to the fields of the CRM's record, as a table."""

from __future__ import annotations

import json

import pytest

from tests.support.pipeline import check_post
from tests.support.samples import PAYLOAD

CLICK = {"uniqueCode": "AB12C", "whatsappMessage": "[AB12C] Hi", "buttonLocation": "thank-you-page"}
LONG = "x" * 5000
LONG_PAGE = "https://clinic.example/?q=" + "y" * 5000
ENCODED = "Zahn%C3%A4rzte%20%26%20Implants%2B"
LAST_ARRIVAL = {
    "googleCampaign": "google_campaign",
    "googleAdgroup": "google_adgroup",
    "googleKeyword": "google_keyword",
    "googleAd": "google_ad",
    "googleGclid": "google_gclid",
    "utmSource": "utm_source",
    "utmMedium": "utm_medium",
    "utmContent": "utm_content",
    "utmTerm": "utm_term",
    "googleMatchtype": "google_matchtype",
    "googleNetwork": "google_network",
    "googleDevice": "google_device",
    "gbraid": "gbraid",
    "wbraid": "wbraid",
    "fbclid": "fbclid",
    "msclkid": "msclkid",
    "adsTimestamp": "ads_timestamp",
    "eventId": "event_id",
    "currentUrl": "current_url",
    "landingUrl": "landing_url",
    "referrer": "referrer",
}
IN_CRM = {
    "google_campaign": "Google_Campaign",
    "google_adgroup": "Google_Ad_Group",
    "google_keyword": "Google_Keyword",
    "google_ad": "Google_Ad",
    "google_gclid": "Google_Click_ID",
    "utm_source": "UTM_Source",
    "utm_medium": "UTM_Medium",
    "utm_content": "UTM_Content",
    "utm_term": "UTM_Term",
    "google_matchtype": "Match_Type",
    "google_network": "Ad_Network_Name",
    "google_device": "Ad_Device",
    "gbraid": "GBRAID",
    "wbraid": "WBRAID",
    "fbclid": "Facebook_Click_ID",
    "msclkid": "Microsoft_Click_ID",
    "ads_timestamp": "Ads_Timestamp",
    "event_id": "Browser_Event_ID",
    "current_url": "Page_URL",
    "landing_url": "Landing_URL",
    "referrer": "Page_Referrer",
}
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
    **{
        f"{name} by its name": (
            {name: f"Value Of {name}"},
            {column: f"Value Of {name}"},
            {IN_CRM[column]: f"Value Of {name}"},
        )
        for name, column in LAST_ARRIVAL.items()
    },
    **{
        f"{name} empty": ({name: "  "}, {column: None}, {IN_CRM[column]: None})
        for name, column in LAST_ARRIVAL.items()
    },
    "percent encoding is kept as sent": (
        {"utmTerm": ENCODED, "gbraid": ENCODED},
        {"utm_term": ENCODED, "gbraid": ENCODED},
        {"UTM_Term": ENCODED, "GBRAID": ENCODED},
    ),
    "5,000 characters are cut": (
        {"googleCampaign": LONG, "fbclid": LONG, "landingUrl": LONG_PAGE},
        {"google_campaign": LONG[:255], "fbclid": LONG[:255], "landing_url": LONG_PAGE[:2048]},
        {"Google_Campaign": LONG[:255], "Facebook_Click_ID": LONG[:255], "Landing_URL": LONG_PAGE[:2000]},
    ),
    "case is kept": ({"msclkid": "AbCdEf"}, {"msclkid": "AbCdEf"}, {"Microsoft_Click_ID": "AbCdEf"}),
    "timestamp alone": ({"timestamp": "T1"}, {"ads_timestamp": "T1"}, {"Ads_Timestamp": "T1"}),
    "timestamp beside adsTimestamp": (
        {"timestamp": "T1", "adsTimestamp": "T2"},
        {"ads_timestamp": "T2"},
        {"Ads_Timestamp": "T2"},
    ),
    "timestamp beside an empty adsTimestamp": (
        {"timestamp": "T1", "adsTimestamp": ""},
        {"ads_timestamp": "T1"},
        {"Ads_Timestamp": "T1"},
    ),
    "zc_gad alone": ({"zc_gad": "G1"}, {"google_gclid": "G1"}, {"Google_Click_ID": "G1"}),
    "zc_gad beside googleGclid": (
        {"zc_gad": "G1", "googleGclid": "G2"},
        {"google_gclid": "G2"},
        {"Google_Click_ID": "G2"},
    ),
    "a repeated value is a list and no text": ({"wbraid": ["a", "b"]}, {"wbraid": None}, {"WBRAID": None}),
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
    "first touch with both timestamps": (
        {"firstTouch": {"timestamp": "T1", "adsTimestamp": "T2"}},
        {"first_touch": {"ads_timestamp": "T2"}},
        {"First_Touch_At": "T2"},
    ),
    "first touch is bounded and keeps known names alone": (
        {"firstTouch": {"utmSource": LONG, "landingUrl": LONG_PAGE, "name": "Ada", "x": {"y": 1}, "referrer": 7}},
        {"first_touch": {"utm_source": LONG[:255], "landing_url": LONG_PAGE[:2048], "referrer": "7"}},
        {"First_UTM_Source": LONG[:255], "First_Landing_URL": LONG_PAGE[:2000], "First_Referrer": "7"},
    ),
    "first touch that is none": ({"firstTouch": "yes"}, {"first_touch": None}, {"First_Campaign": None}),
    "first touch with nothing in it": (
        {"firstTouch": {"utmSource": ""}},
        {"first_touch": None},
        {"First_UTM_Source": None},
    ),
}


@pytest.mark.parametrize("case", TABLE)
def test_a_leads_campaign_reaches_its_columns_and_the_crm(context, sandbox, post, case):
    sent, stored, fields = TABLE[case]
    check_post(context, sandbox, "/api/leads", json.dumps(PAYLOAD | sent), post, stored, fields)


@pytest.mark.parametrize("case", ["first touch beside the last", "zc_gad alone", "5,000 characters are cut"])
def test_a_clicks_campaign_reaches_its_columns_and_the_crm(context, sandbox, post, case):
    sent, stored, fields = TABLE[case]
    if "zc_gad" in sent:
        stored, fields = {"google_gclid": None}, {"Google_Click_ID": None}  # the form's own hidden field
    check_post(context, sandbox, "/api/whatsapp-click", json.dumps(CLICK | sent), post, stored, fields)


def test_of_a_name_given_twice_the_last_one_counts(context, sandbox, post):
    body = json.dumps(PAYLOAD)[:-1] + ', "utmSource": "first", "utmSource": "second"}'
    check_post(context, sandbox, "/api/leads", body, post, {"utm_source": "second"}, {"UTM_Source": "second"})
