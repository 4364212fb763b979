"""WhatsApp clicks: what they need, and what happens when five characters are not enough."""

import pytest

from tests.support.site import running_site

CLICK = {
    "uniqueCode": "7KQ2Z",
    "buttonLocation": "hero-section-landing",
    "whatsappMessage": "[7KQ2Z] Hi - quick implants price & treatment info, please.",
    "sessionId": "session-1",
    "analyticsClickId": None,
    "timestamp": "2026-11-21T10:00:00Z",
    "ipAddress": None,
    "utmSource": None,
}


def tap(client, headers=None, **change):
    return client.post("/api/whatsapp-click", json=CLICK | change, headers=headers)


@pytest.fixture
def row(query):
    sql = "SELECT * FROM whatsapp_clicks JOIN crm_deliveries USING (id) WHERE id = %s"
    return lambda answer: query(sql, answer.json["id"])[0]


def test_a_click_is_stored_with_its_attribution(client, row):
    response = tap(client, uniqueCode="AAAAA", analyticsClickId="c-1", browserName="Firefox", deviceType="Mobile")
    assert (response.status_code, set(response.json)) == (201, {"success", "id"})
    stored = row(response)
    assert (stored["unique_code"], stored["button_location"]) == ("AAAAA", "hero-section-landing")
    assert (stored["analytics_click_id"], stored["browser_name"], stored["device_type"]) == (
        "c-1",
        "Firefox",
        "Mobile",
    )
    assert (stored["ads_timestamp"], stored["ip_address"]) == ("2026-11-21T10:00:00Z", "127.0.0.1")
    assert (stored["zoho_status"], stored["retry_count"]) == ("pending", 0)


@pytest.mark.parametrize(
    ("sent", "header", "stored"),
    [("gb", None, "GB"), ("GB", "TR", "TR"), ("GB", "XX", "GB"), (None, None, None), ({}, None, None)],
)
def test_the_cdns_country_counts_before_the_browsers(module_database_url, row, sent, header, stored):
    settings = {"TRUSTED_PROXY_HOPS": "1", "COUNTRY_HEADER": "CF-IPCountry"}
    headers = {} if header is None else {"CF-IPCountry": header}
    with running_site(DATABASE_URL=module_database_url, **settings) as app:
        response = tap(app.test_client(), headers, sessionId=None, countryIso=sent)
    assert row(response)["country_iso"] == stored


def test_the_same_code_is_the_same_click_in_the_same_session_alone_and_stays_findable(client, row):
    sessions = ("s1", "s2", "s3", "s2", "s1")
    answers = [tap(client, uniqueCode="CCCCC", sessionId=session) for session in sessions]
    first, second, third, *again = [answer.json["id"] for answer in answers]
    assert (len({first, second, third}), again) == (3, [second, first])
    codes = [row(answer)["unique_code"] for answer in answers[:3]]
    assert (codes[0], len(set(codes))) == ("CCCCC", 3)
    assert all(code.startswith("CCCCC-") for code in codes[1:])


def test_clicks_without_a_session_are_never_taken_for_each_other(client):
    ids = {
        tap(client, uniqueCode="DDDDD", sessionId=session).json["id"] for session in (None, None, "", "", [], [])
    }
    assert len(ids) == 6


@pytest.mark.parametrize("field", ["uniqueCode", "buttonLocation", "whatsappMessage"])
@pytest.mark.parametrize("value", [None, "   ", [], True])
def test_what_makes_a_click_is_required(client, field, value):
    response = tap(client, **{field: value})
    assert response.status_code == 422
    assert [(name, len(told)) for name, told in response.json["errors"]["json"].items()] == [(field, 1)]


def test_long_values_are_cut(client, row):
    response = tap(client, uniqueCode="E" * 100, whatsappMessage="m" * 6000, buttonLocation="b" * 400)
    assert response.status_code == 201
    stored = row(response)
    assert stored["unique_code"] == "E" * 32
    assert (len(stored["whatsapp_message"]), len(stored["button_location"])) == (5000, 255)
