"""Each request to the API has an id, in its answer and in the log; a stranger does not choose it."""

from __future__ import annotations

import json
import logging
import re

import pytest

from leads.logs import JsonLines
from tests.support.samples import PAYLOAD

GIVEN = "5d1c0a4e-of-our-proxy"


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
    ("hops", "header", "is_taken"),
    [
        ("1", GIVEN, True),
        ("0", GIVEN, False),
        ("1", "short", False),
        ("1", "x" * 65, False),
        ("1", "a name with spaces", False),
        ("1", "someone@example.com", False),
    ],
)
def test_only_a_trusted_proxy_chooses_the_id_and_only_a_well_formed_one(make_client, hops, header, is_taken):
    client = make_client(TRUSTED_PROXY_HOPS=hops)
    answer = client.get("/api/geo", headers={"X-Request-ID": header})
    assert (answer.headers["X-Request-ID"] == header) is is_taken


def test_the_log_leads_from_the_request_to_the_row(client, lines):
    answer = client.post("/api/leads", json=PAYLOAD)
    (line,) = [line for line in lines if line["logger"] == "api.resources.leads"]
    assert line["request_id"] == answer.headers["X-Request-ID"]
    assert line["row"] == answer.json["id"]
    assert line["message"] == f"lead {answer.json['id']} accepted"
    click = {"uniqueCode": "7KQ2Z", "buttonLocation": "hero", "whatsappMessage": "Hi"}
    answer = client.post("/api/whatsapp-click", json=click)
    (line,) = [line for line in lines if line["logger"] == "api.resources.clicks"]
    assert (line["request_id"], line["row"]) == (answer.headers["X-Request-ID"], answer.json["id"])


def test_no_person_is_in_the_log(client, lines):
    client.post("/api/leads", json=PAYLOAD)
    client.post("/api/leads", json=PAYLOAD | {"email": "nobody"})
    written = json.dumps(lines)
    assert [value for value in PAYLOAD.values() if len(value) > 3 and value in written] == []


def test_what_is_logged_after_a_request_is_not_the_requests(client, lines):
    client.get("/api/geo")
    logging.getLogger("elsewhere").info("later")
    assert "request_id" not in lines[-1]
