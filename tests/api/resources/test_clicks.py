"""WhatsApp clicks: what they need, and what happens when five characters are not enough."""

from __future__ import annotations

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


@pytest.fixture
def client_behind_cdn(module_database_url):
    settings = {"TRUSTED_PROXY_HOPS": "1", "COUNTRY_HEADER": "CF-IPCountry"}
    with running_site(DATABASE_URL=module_database_url, **settings) as app:
        yield app.test_client()


def tap(client, **change):
    return client.post("/api/whatsapp-click", json=CLICK | change)


def codes(query, start):
    return [row["unique_code"] for row in query("SELECT unique_code FROM whatsapp_clicks WHERE unique_code LIKE %s "
                                                "ORDER BY created_at", f"{start}%")]  # fmt: skip


def test_a_click_is_stored_with_its_attribution(client, query):
    response = tap(client, uniqueCode="AAAAA", analyticsClickId="c-1", browserName="Firefox", deviceType="Mobile")
    assert response.status_code == 201
    assert set(response.json) == {"success", "id"}
    (row,) = query(
        "SELECT * FROM whatsapp_clicks JOIN crm_deliveries USING (id) WHERE id = %s", response.json["id"]
    )
    assert (row["unique_code"], row["button_location"]) == ("AAAAA", "hero-section-landing")
    assert (row["analytics_click_id"], row["browser_name"], row["device_type"]) == ("c-1", "Firefox", "Mobile")
    assert row["ads_timestamp"] == "2026-11-21T10:00:00Z"
    assert row["ip_address"] == "127.0.0.1"
    assert (row["zoho_status"], row["retry_count"]) == ("pending", 0)


@pytest.mark.parametrize(
    ("sent", "header", "stored"),
    [
        ("gb", None, "GB"),
        ("GB", "TR", "TR"),
        ("GB", "XX", "GB"),
        (None, None, None),
        ({}, None, None),
        ("Q9", "", None),
    ],
)
def test_the_cdns_country_counts_before_the_browsers(client_behind_cdn, query, sent, header, stored):
    code = f"K{len(codes(query, 'K')):04}"
    headers = {} if header is None else {"CF-IPCountry": header}
    click = CLICK | {"uniqueCode": code, "countryIso": sent}
    response = client_behind_cdn.post("/api/whatsapp-click", json=click, headers=headers)
    assert response.status_code == 201
    (row,) = query("SELECT country_iso FROM whatsapp_clicks WHERE id = %s", response.json["id"])
    assert row["country_iso"] == stored


def test_the_same_code_from_the_same_session_is_the_same_click(client, query):
    first, second = tap(client, uniqueCode="BBBBB"), tap(client, uniqueCode="BBBBB")
    assert first.json == second.json
    assert codes(query, "BBBBB") == ["BBBBB"]


def test_the_same_code_from_another_session_is_kept_and_stays_findable(client, query):
    ids = {tap(client, uniqueCode="CCCCC", sessionId=session).json["id"] for session in ("s1", "s2", "s3", "s2")}
    assert len(ids) == 3
    found = codes(query, "CCCCC")
    assert len(found) == 3
    assert found[0] == "CCCCC"
    assert all(code.startswith("CCCCC-") for code in found[1:])


@pytest.mark.parametrize("session", [None, "", []])
def test_clicks_without_a_session_are_never_taken_for_each_other(client, query, session):
    start = f"D{'NEL'[[None, '', []].index(session)]}"
    ids = {tap(client, uniqueCode=start, sessionId=session).json["id"] for _ in range(3)}
    assert len(ids) == 3


@pytest.mark.parametrize("field", ["uniqueCode", "buttonLocation", "whatsappMessage"])
@pytest.mark.parametrize("value", [None, "", "   ", [], {}, True])
def test_what_makes_a_click_is_required(client, field, value):
    response = tap(client, **{field: value})
    assert response.status_code == 422
    assert list(response.json["errors"]["json"]) == [field]
    assert len(response.json["errors"]["json"][field]) == 1


def test_long_values_are_cut(client, query):
    response = tap(client, uniqueCode="E" * 100, whatsappMessage="m" * 6000, buttonLocation="b" * 400)
    (row,) = query(
        "SELECT * FROM whatsapp_clicks JOIN crm_deliveries USING (id) WHERE id = %s", response.json["id"]
    )
    assert row["unique_code"] == "E" * 32
    assert len(row["whatsapp_message"]) == 5000
    assert len(row["button_location"]) == 255
