"""Tracking values: stored when usable, never a reason to refuse. And no column is forgotten on the way in."""

import pytest

from api.fields import wire_name
from api.schemas import ALIASES, ClickSchema, LeadSchema
from leads.tables import LONG_TRACKING, TRACKING, leads, review_columns, whatsapp_clicks

CLICK = {"uniqueCode": "TRACK", "buttonLocation": "thank-you-page", "whatsappMessage": "[TRACK] Hi"}
BY_THE_SERVER = {"id", "ip_address"} | {column.name for column in review_columns()}
ADDED_LATER = {"call_from", "call_until", "call_chosen", "interest", "already_has"}
OF_A_LEAD = {"reference", "phone_e164", "idempotency_key", "request_digest", *ADDED_LATER}


@pytest.mark.parametrize(
    ("schema", "table", "by_the_server"),
    [(LeadSchema(), leads, BY_THE_SERVER | OF_A_LEAD), (ClickSchema(), whatsapp_clicks, BY_THE_SERVER)],
)
def test_every_column_is_filled_by_the_payload_or_the_server(schema, table, by_the_server):
    loaded = set(schema.fields) - {"website"} - set(ALIASES)
    assert loaded - {"ip_address"} == {column.name for column in table.columns} - by_the_server


@pytest.mark.parametrize(("path", "table"), [("/api/leads", "leads"), ("/api/whatsapp-click", "whatsapp_clicks")])
def test_every_tracking_value_is_stored_under_its_name(client, lead, query, path, table):
    names = {column: wire_name(column) for column in (*TRACKING, *LONG_TRACKING)}
    assert {"googleGclid", "utmSource", "adsTimestamp", "currentUrl"} < set(names.values())
    told = client.post(path, json=lead | CLICK | {name: f"value of {name}" for name in names.values()}).json
    (row,) = query(f"SELECT * FROM {table} WHERE id = %s", told["id"])
    assert {column: row[column] for column in names} == {
        column: f"value of {name}" for column, name in names.items()
    }


@pytest.mark.parametrize(
    ("sent", "kept"),
    [
        (None, None),
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


@pytest.mark.parametrize(
    ("sent", "column", "kept"),
    [
        ({"timestamp": "t"}, "ads_timestamp", "t"),
        ({"adsTimestamp": "a", "timestamp": "t"}, "ads_timestamp", "a"),
        ({"adsTimestamp": None, "timestamp": 1763683200000}, "ads_timestamp", "1763683200000"),
        ({"zc_gad": "g1"}, "google_gclid", "g1"),
        ({"zc_gad": "g1", "googleGclid": "g2"}, "google_gclid", "g2"),
    ],
    ids=range(5),
)
def test_a_second_name_stands_in_for_an_empty_first(client, lead, stored, sent, column, kept):
    response = client.post("/api/leads", json=lead | sent)
    assert response.status_code == 201
    assert stored(response.json["id"])[column] == kept


def test_unknown_fields_are_ignored_and_the_address_is_the_connections(client, lead, stored):
    response = client.post(
        "/api/leads",
        json=lead | {"zohoStatus": "sent", "id": "1", "x": {}, "ipAddress": "6.6.6.6", "ip_address": "6.6.6.6"},
        headers={"X-Forwarded-For": "7.7.7.7"},
        environ_overrides={"REMOTE_ADDR": "203.0.113.9"},
    )
    assert response.status_code == 201
    assert stored(response.json["id"])["ip_address"] == "203.0.113.9"
