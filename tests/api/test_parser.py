"""Bodies that are no lead: size, content type, JSON, shape. And errors' common shape."""

import json

import pytest


def post(client, data, content_type="application/json", path="/api/leads"):
    return client.post(path, data=data, content_type=content_type)


def assert_error(response, code):
    assert (response.status_code, response.content_type) == (code, "application/json")
    assert response.json["code"] == code
    assert response.json["status"]
    assert len(response.json["message"]) > 20


# The last four json.loads would take, and RFC 8259 does not.
@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"name=Ada",
        b"\xff\xfe\xfd",
        b"[" * 60_000,
        b'{"a":' * 10_000,
        b"NaN",
        b'{"name": -Infinity}',
        "{}".encode("utf-16"),
        "{}".encode("utf-32"),
    ],
)
def test_broken_json_is_400(client, body):
    for path in ("/api/leads", "/api/whatsapp-click"):
        assert_error(post(client, body, path=path), 400)


@pytest.mark.parametrize("body", [b"[]", b'"text"', b"1", b"null"])
def test_json_that_is_no_object_is_422(client, body):
    response = post(client, body)
    assert_error(response, 422)
    assert response.json["errors"] == {"json": {"_schema": ["Send one JSON object."]}}


@pytest.mark.parametrize("content_type", [None, "text/plain", "application/x-www-form-urlencoded", "text/json"])
def test_other_content_types_are_415(client, lead, content_type):
    assert_error(post(client, json.dumps(lead), content_type), 415)


@pytest.mark.parametrize("content_type", ["application/json; charset=utf-8", "Application/JSON"])
def test_json_by_any_spelling_is_taken(client, lead, content_type):
    assert post(client, json.dumps(lead), content_type).status_code == 201


def test_a_body_of_64_kib_is_taken_and_one_byte_more_is_not(client, lead):
    body = json.dumps(lead).encode()
    assert post(client, body.ljust(64 * 1024)).status_code == 201
    assert_error(post(client, body.ljust(64 * 1024 + 1)), 413)


@pytest.mark.parametrize("path", ["/api/nothing", "/api/", "/api/leads/"])
def test_unknown_addresses_below_api_are_404_in_json(client, path):
    assert_error(client.get(path), 404)
    assert_error(client.post(path, json={}), 404)


def test_other_methods_are_405_and_name_the_right_one(client):
    for method in ("GET", "PUT", "DELETE"):
        response = client.open("/api/leads", method=method)
        assert_error(response, 405)
        assert "POST" in response.headers["Allow"]


def test_no_other_origin_is_let_in(client):
    asked = {"Origin": "https://evil.example", "Access-Control-Request-Method": "POST"}
    response = client.options("/api/leads", headers=asked)
    assert not [name for name, _ in response.headers if name.lower().startswith("access-control")]
