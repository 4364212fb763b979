"""The same press gives the same receipt; another enquiry under the same key is refused."""

import threading
from concurrent.futures import ThreadPoolExecutor
from uuid import uuid4

import pytest

from api.fields import ConsentChoice, FirstTouch, Honeypot, Moment, Tracking
from api.idempotency import digest
from api.schemas import LeadSchema

SCHEMA = LeadSchema()
ADDED_BY_THE_BROWSER = (Tracking, FirstTouch, ConsentChoice, Moment, Honeypot)
PRESSES = 50


@pytest.fixture
def press(app, lead):
    def send(key, **change):
        return app.test_client().post("/api/leads", json=lead | change, headers={"Idempotency-Key": key})

    return send


def test_other_words_under_the_same_key_are_refused(press):
    key = str(uuid4())
    press(key)
    for change in ({"message": "Another question"}, {"email": "eve@example.com"}, {"name": "Eve"}):
        response = press(key, **change)
        assert response.status_code == 409
        assert "new key" in response.json["message"]


@pytest.mark.parametrize(
    "name", [name for name, field in SCHEMA.fields.items() if not isinstance(field, ADDED_BY_THE_BROWSER)]
)
def test_the_digest_covers_every_field_that_the_visitor_enters(name):
    assert digest(SCHEMA, {name: "one"}) != digest(SCHEMA, {name: "another"})


def test_a_repeat_whose_tracking_moved_on_is_still_a_repeat(press):
    key = str(uuid4())
    first = press(key, timestamp="1", screenResolution="390x844")
    second = press(key, timestamp="2", screenResolution="844x390")
    assert second.status_code == 201
    assert first.json == second.json


@pytest.mark.parametrize("key", ["", "a" * 256, "two words", "kéy"])
def test_an_unusable_key_is_named(press, key):
    response = press(key.encode().decode("latin-1"))
    assert response.status_code == 400
    assert "Idempotency-Key" in response.json["message"]


def test_the_longest_key_is_taken(press):
    assert press("k" * 255).status_code == 201


def test_50_parallel_presses_with_one_key_are_one_row_and_without_a_key_each_is_an_enquiry(
    client, lead, press, query
):
    key, start = str(uuid4()), threading.Barrier(PRESSES)

    def go(_number):
        start.wait()
        response = press(key)
        return response.status_code, response.json["id"], response.json["reference"]

    with ThreadPoolExecutor(PRESSES) as visitors:
        ((status, *_),) = set(visitors.map(go, range(PRESSES)))
    assert status == 201
    assert query("SELECT count(*) AS n FROM leads WHERE idempotency_key = %s", key) == [{"n": 1}]
    assert len({client.post("/api/leads", json=lead).json["id"] for _ in range(2)}) == 2
