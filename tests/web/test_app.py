"""The application as a whole: addresses behind proxies, traces, and the log without anybody's data."""

import json
import logging
import re

import psycopg
import pytest

from leads.logs import JsonLines
from tests.support.samples import PAYLOAD, TRACE, TRACEPARENT
from web.proxies import is_public

CLICK = {"uniqueCode": "7KQ2Z", "buttonLocation": "hero", "whatsappMessage": "Hi"}


@pytest.mark.parametrize(("hops", "address"), [("0", "127.0.0.1"), ("1", "198.51.100.2"), ("2", "203.0.113.9")])
def test_only_trusted_hops_tell_the_address(make_client, module_database_url, hops, address):
    told = {"X-Forwarded-For": "6.6.6.6, 203.0.113.9, 198.51.100.2"}
    answer = make_client(TRUSTED_PROXY_HOPS=hops).post("/api/leads", json=PAYLOAD, headers=told)
    with psycopg.connect(module_database_url) as connection:
        found = connection.execute("SELECT ip_address FROM leads WHERE id = %s", [answer.json["id"]]).fetchone()
    assert found == (address,)


@pytest.mark.parametrize("path", ["/api/leads", "/api/whatsapp-click"])
def test_a_proxy_that_tells_a_strange_address_costs_no_enquiry(make_client, path):
    client = make_client(TRUSTED_PROXY_HOPS="1")
    for told in ("[2001:0db8:85a3:0000:0000:8a2e:0370:7334]:65535", "unknown, " * 9 + "x" * 60):
        answer = client.post(path, json=PAYLOAD | CLICK, headers={"X-Forwarded-For": told})
        assert answer.status_code == 201


@pytest.mark.parametrize(
    ("host", "public"),
    [
        ("clinic.example:443", True),
        ("8.8.8.8", True),
        ("[2606:4700::1111]:443", True),
        ("localhost:8000", False),
        ("10.0.0.5", False),
        ("[::1]", False),
        ("web:8000", False),
        ("clinic.local", False),
        ("", False),
    ],
)
def test_a_public_host_is_one_that_the_internet_knows(host, public):
    assert is_public(host) is public


@pytest.mark.parametrize(("hops", "warnings"), [("0", 1), ("1", 0)])
def test_a_public_host_without_trusted_hops_is_warned_about_once(make_client, caplog, hops, warnings):
    client = make_client(TRUSTED_PROXY_HOPS=hops)
    for host in ("localhost", "clinic.example", "clinic.example", "other.example"):
        client.get("/api/geo", headers={"Host": host})
    assert caplog.text.count("while TRUSTED_PROXY_HOPS is 0") == warnings


def test_an_unexpected_error_is_logged_once_without_anybodys_data(make_client, caplog):
    client = make_client()

    def explode():
        raise ZeroDivisionError("ada@example.com")

    client.application.add_url_rule("/api/explode", view_func=explode)
    with caplog.at_level(logging.INFO):
        response = client.get("/api/explode")
    assert (response.status_code, response.json["code"], len(caplog.records)) == (500, 500, 1)
    assert "ZeroDivisionError" in caplog.text
    assert "test_app.py" in caplog.text
    assert "ada@example.com" not in caplog.text + response.text


@pytest.fixture
def lines(caplog):
    """The log as JSON, as this process would write it."""
    written = []
    handler = logging.Handler()
    handler.emit = lambda record: written.append(json.loads(JsonLines().format(record)))
    caplog.set_level("INFO")
    logging.getLogger().addHandler(handler)
    yield written
    logging.getLogger().removeHandler(handler)


@pytest.mark.parametrize("path", ["/api/geo", "/api/nothing", "/healthz", "/readyz"])
def test_every_answer_of_the_application_names_its_request(client, path):
    first, second = (client.get(path).headers.getlist("X-Request-ID") for _ in range(2))
    assert re.fullmatch("[0-9a-f]{32}", *first)
    assert first != second


@pytest.mark.parametrize(
    ("hops", "name", "given", "is_taken"),
    [
        ("1", "traceparent", TRACEPARENT, True),
        ("0", "traceparent", TRACEPARENT, False),
        ("1", "traceparent", TRACEPARENT[:-1], False),
        ("1", "traceparent", TRACEPARENT.replace(TRACE, "0" * 32), False),
        ("1", "X-Request-ID", TRACE, True),
        ("1", "X-Request-ID", "4bf92f35-77b3-4da6-a3ce-929d0e0e4736", True),
        ("0", "X-Request-ID", TRACE, False),
        ("1", "X-Request-ID", "someone@example.com", False),
    ],
)
def test_only_a_trusted_proxy_chooses_the_trace_if_it_is_well_formed(make_client, hops, name, given, is_taken):
    answer = make_client(TRUSTED_PROXY_HOPS=hops).get("/api/geo", headers={name: given})
    assert re.fullmatch("[0-9a-f]{32}", answer.headers["X-Request-ID"])
    assert (answer.headers["X-Request-ID"] == TRACE) is is_taken


def test_the_log_leads_from_the_request_to_the_row_and_names_nobody(client, lines):
    for path, kind in (("/api/leads", "lead"), ("/api/whatsapp-click", "click")):
        answer = client.post(path, json=PAYLOAD | CLICK)
        line = [each for each in lines if "row" in each][-1]  # the publisher's thread may log meanwhile
        assert line["trace_id"] == answer.headers["X-Request-ID"]
        assert (line["row"], line["message"]) == (answer.json["id"], f"{kind} {answer.json['id']} accepted")
    client.post("/api/leads", json=PAYLOAD | {"email": "nobody"})
    logging.getLogger("elsewhere").info("later")
    (later,) = (each for each in lines if each["message"] == "later")
    assert "trace_id" not in later  # what is logged after a request is not the request's
    written = json.dumps(lines)
    assert [value for value in PAYLOAD.values() if len(value) > 3 and value in written] == []
