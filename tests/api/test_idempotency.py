"""The same press gives the same receipt; another enquiry under the same key is refused."""

from __future__ import annotations

import threading
from uuid import uuid4

import pytest

from api.fields import ConsentChoice, FirstTouch, Honeypot, Moment, Tracking
from api.idempotency import digest
from api.schemas import LeadSchema

SCHEMA = LeadSchema()
ADDED_BY_THE_BROWSER = (Tracking, FirstTouch, ConsentChoice, Moment, Honeypot)


def press(client, lead, key):
    return client.post("/api/leads", json=lead, headers={"Idempotency-Key": key})


def test_a_repeat_gets_the_first_receipt_and_no_second_row(client, lead, query):
    key = str(uuid4())
    first, second = press(client, lead, key), press(client, lead, key)
    assert (first.status_code, second.status_code) == (201, 201)
    assert first.json == second.json
    assert query("SELECT count(*) AS n FROM leads WHERE idempotency_key = %s", key) == [{"n": 1}]


def test_other_words_under_the_same_key_are_refused(client, lead):
    key = str(uuid4())
    press(client, lead, key)
    for change in ({"message": "Another question"}, {"email": "eve@example.com"}, {"name": "Eve"}):
        response = press(client, lead | change, key)
        assert response.status_code == 409
        assert response.json["code"] == 409
        assert "new key" in response.json["message"]


@pytest.mark.parametrize(
    "name", [name for name, field in SCHEMA.fields.items() if not isinstance(field, ADDED_BY_THE_BROWSER)]
)
def test_the_digest_covers_every_field_that_the_visitor_enters(name):
    assert digest(SCHEMA, {name: "one"}) != digest(SCHEMA, {name: "another"})


def test_a_repeat_whose_tracking_moved_on_is_still_a_repeat(client, lead):
    key = str(uuid4())
    first = press(client, lead | {"timestamp": "1", "screenResolution": "390x844"}, key)
    second = press(client, lead | {"timestamp": "2", "screenResolution": "844x390"}, key)
    assert second.status_code == 201
    assert first.json == second.json


def test_without_a_key_every_press_is_an_enquiry(client, lead):
    ids = {client.post("/api/leads", json=lead).json["id"] for _ in range(2)}
    assert len(ids) == 2


@pytest.mark.parametrize("key", ["", "a" * 256, "two words", "kéy"])
def test_an_unusable_key_is_named(client, lead, key):
    response = client.post("/api/leads", json=lead, headers={"Idempotency-Key": key.encode().decode("latin-1")})
    assert response.status_code == 400
    assert "Idempotency-Key" in response.json["message"]


def test_the_longest_key_is_taken(client, lead):
    assert press(client, lead, "k" * 255).status_code == 201


def test_50_parallel_presses_with_one_key_are_one_row(app, lead, query):
    key = str(uuid4())
    start = threading.Barrier(50)
    receipts = []

    def go():
        client = app.test_client()
        start.wait()
        response = press(client, lead, key)
        receipts.append((response.status_code, response.json["id"], response.json["reference"]))

    threads = [threading.Thread(target=go) for _ in range(50)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(receipts) == 50
    assert len(set(receipts)) == 1
    assert receipts[0][0] == 201
    assert query("SELECT count(*) AS n FROM leads WHERE idempotency_key = %s", key) == [{"n": 1}]
