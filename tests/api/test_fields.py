"""Tracking values: stored when usable, never a reason to refuse."""

from __future__ import annotations

import pytest

from leads.tables.columns import LONG_TRACKING, TRACKING

CLICK = {"uniqueCode": "TRACK", "buttonLocation": "thank-you-page", "whatsappMessage": "[TRACK] Hi"}


@pytest.mark.parametrize(("path", "table"), [("/api/leads", "leads"), ("/api/whatsapp-click", "whatsapp_clicks")])
def test_every_tracking_value_is_stored_under_its_name(client, lead, query, path, table):
    columns = (*TRACKING, *LONG_TRACKING)
    names = {column: column[0] + column.title().replace("_", "")[1:] for column in columns}
    assert {"googleGclid", "utmSource", "adsTimestamp", "currentUrl"} < set(names.values())
    sent = {name: f"value of {name}" for name in names.values()}
    told = client.post(path, json=lead | CLICK | sent).json
    (row,) = query(f"SELECT * FROM {table} WHERE id = %s", told["id"])
    assert {column: row[column] for column in columns} == {
        column: f"value of {names[column]}" for column in columns
    }


@pytest.mark.parametrize(
    ("sent", "kept"),
    [
        (None, None),
        ("", None),
        ("  ", None),
        (["a"], None),
        ({"a": "b"}, None),
        (True, None),
        (42, "42"),
        (1.5, "1.5"),
        ("a\x00b\ud800c", "abc"),
        ("x" * 300, "x" * 255),
        (10**399, "1" + "0" * 254),
    ],
)
def test_junk_is_converted_cut_or_dropped(client, lead, stored, sent, kept):
    response = client.post("/api/leads", json=lead | {"utmSource": sent})
    assert response.status_code == 201, response.text
    assert stored(response.json["id"])["utm_source"] == kept


@pytest.mark.parametrize("name", ["currentUrl", "referrer", "userAgent"])
def test_addresses_and_user_agents_are_cut_at_2048(client, lead, stored, name):
    row = stored(client.post("/api/leads", json=lead | {name: "u" * 3000}).json["id"])
    assert row[{"currentUrl": "current_url", "userAgent": "user_agent"}.get(name, name)] == "u" * 2048


@pytest.mark.parametrize(
    ("sent", "kept"),
    [
        ({"timestamp": "t"}, "t"),
        ({"adsTimestamp": "a"}, "a"),
        ({"adsTimestamp": "a", "timestamp": "t"}, "a"),
        ({"adsTimestamp": None, "timestamp": 1763683200000}, "1763683200000"),
    ],
)
def test_the_timestamp_has_two_names(client, lead, stored, sent, kept):
    assert stored(client.post("/api/leads", json=lead | sent).json["id"])["ads_timestamp"] == kept


def test_the_hidden_click_id_stands_in_for_a_missing_gclid(client, lead, stored):
    assert stored(client.post("/api/leads", json=lead | {"zc_gad": "g1"}).json["id"])["google_gclid"] == "g1"
    both = lead | {"zc_gad": "g1", "googleGclid": "g2"}
    assert stored(client.post("/api/leads", json=both).json["id"])["google_gclid"] == "g2"


def test_unknown_fields_are_ignored(client, lead):
    assert client.post("/api/leads", json=lead | {"zohoStatus": "sent", "id": "1", "x": {}}).status_code == 201


def test_the_address_is_the_connections_and_never_the_payloads(client, lead, stored):
    response = client.post(
        "/api/leads",
        json=lead | {"ipAddress": "6.6.6.6", "ip_address": "6.6.6.6"},
        headers={"X-Forwarded-For": "7.7.7.7"},
        environ_overrides={"REMOTE_ADDR": "203.0.113.9"},
    )
    assert stored(response.json["id"])["ip_address"] == "203.0.113.9"
