"""The application as a whole: the address behind proxies, and the handler of last resort."""

from __future__ import annotations

import logging

import psycopg
import pytest

from tests.support.samples import PAYLOAD


@pytest.mark.parametrize(("hops", "address"), [("0", "127.0.0.1"), ("1", "198.51.100.2"), ("2", "203.0.113.9")])
def test_only_trusted_hops_tell_the_address(make_client, module_database_url, hops, address):
    client = make_client(TRUSTED_PROXY_HOPS=hops)
    answer = client.post(
        "/api/leads", json=PAYLOAD, headers={"X-Forwarded-For": "6.6.6.6, 203.0.113.9, 198.51.100.2"}
    )
    with psycopg.connect(module_database_url) as connection:
        found = connection.execute("SELECT ip_address FROM leads WHERE id = %s", [answer.json["id"]]).fetchone()
    assert found == (address,)


@pytest.mark.parametrize(
    "told",
    ["[2001:0db8:85a3:0000:0000:8a2e:0370:7334]:65535", "unknown, " * 9 + "x" * 60],
    ids=["port", "chain"],
)
@pytest.mark.parametrize("path", ["/api/leads", "/api/whatsapp-click"])
def test_a_proxy_that_tells_a_strange_address_costs_no_enquiry(make_client, path, told):
    client = make_client(TRUSTED_PROXY_HOPS="1")
    payload = PAYLOAD | {"uniqueCode": "AB12C", "buttonLocation": "x", "whatsappMessage": "[AB12C] Hi"}
    assert client.post(path, json=payload, headers={"X-Forwarded-For": told}).status_code == 201


def test_an_unexpected_error_is_logged_once_without_anybodys_data(make_client, caplog):
    client = make_client()

    def explode():
        raise ZeroDivisionError("ada@example.com")

    client.application.add_url_rule("/api/explode", view_func=explode)
    with caplog.at_level(logging.INFO):
        response = client.get("/api/explode")
    assert response.status_code == 500
    assert response.json["code"] == 500
    assert response.json["message"]
    assert len(caplog.records) == 1
    assert "ZeroDivisionError" in caplog.text
    assert "test_app.py" in caplog.text
    assert "ada@example.com" not in caplog.text
    assert "ada@example.com" not in response.text
