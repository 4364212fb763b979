"""The limits over HTTP: what a stranger meets, and what a real visitor never notices."""

from uuid import uuid4

import pytest

from api.limits.rules import LIMITS
from tests.support.database import rows_of
from tests.support.metrics import metrics_of
from tests.support.samples import PAYLOAD
from tests.support.site import running_site

CLICK = {"uniqueCode": "AB12C", "whatsappMessage": "[AB12C] Hi", "buttonLocation": "hero"}


@pytest.fixture
def site(database_url):
    """A site with the product's own limits."""
    given = {"DATABASE_URL": database_url, "TRUSTED_PROXY_HOPS": "1", "CLINIC_PHONE": "+90 212 555 00 00"}
    with running_site(LIMITS, **given, MAIL_FROM="enquiries@clinic.example") as app:
        yield app


@pytest.fixture
def post(site):
    """Posts an enquiry of a new person."""

    def send(address="203.0.113.1", token="good", key=None, **changes):
        client = site.test_client()
        client.tokens = token == "good"
        person = {"email": f"{uuid4()}@example.com", "phone": f"0740{uuid4().int % 10**7:07d}"}
        headers = {"X-Forwarded-For": address} | ({"Idempotency-Key": key} if key else {})
        if token not in {None, "good"}:
            headers["Start-Token"] = token
        return client.post("/api/leads", json=PAYLOAD | person | changes, headers=headers)

    return send


def reasons(engine):
    return [row["held_reason"] for row in rows_of(engine, "SELECT held_reason FROM leads ORDER BY created_at")]


def test_without_a_good_token_an_enquiry_is_held_and_gets_the_same_answer(site, post, engine):
    told = site.test_client().get("/api/start")
    assert (told.headers["Cache-Control"], told.json["waitSeconds"]) == ("no-store", 4)
    fresh, old = told.json["token"], site.extensions["context"].guard.tokens.issue(age=90_000)
    tokens = ["good", None, "x", fresh, fresh + "x", old]
    answers = [post(f"198.51.100.{n}", token) for n, token in enumerate(tokens)]
    assert {answer.status_code for answer in answers} == {201}
    assert {tuple(answer.json) for answer in answers} == {("success", "id", "reference", "call", "details")}
    assert reasons(engine) == [None, "no-start", "forged", "too-fast", "forged", "expired"]
    owed = rows_of(
        engine, "SELECT count(*) AS n FROM deliveries WHERE status <> 'held' AND destination = 'visitor'"
    )
    assert owed == [{"n": 1}]


@pytest.mark.slow
def test_beyond_its_limit_a_network_is_held_and_far_beyond_refused_in_the_visitors_words(site, post, engine):
    answers = [post() for _ in range(81)]
    assert [answer.status_code for answer in answers] == [201] * 80 + [429]
    assert reasons(engine) == [None] * 20 + ["address"] * 20 + ["flood"] * 40
    refused = answers[-1]
    assert (refused.json["code"], refused.json["status"]) == (429, "Too Many Requests")
    assert "+90 212 555 00 00 or WhatsApp" in refused.json["message"]
    assert 0 < int(refused.headers["Retry-After"]) <= 3600
    assert post("198.51.100.1").status_code == 201
    assert reasons(engine)[-1] is None
    text = metrics_of(site)
    for result, times in (("address", 20), ("flood", 40), ("refused", 1)):
        assert f'clinic_limited_total{{kind="lead",result="{result}"}} {times}.0' in text


def test_a_repeat_is_not_counted_and_another_enquiry_with_its_key_is(site, post, engine):
    person = {"email": "ada@example.com", "phone": "07911 123456"}
    assert len({post(key="press", **person).json["reference"] for _ in range(30)}) == 1
    assert post(key="press-2", **person).status_code == 201
    assert reasons(engine) == [None, None]
    assert post(key="press").status_code == 409
    assert 'clinic_limited_total{kind="lead",result="conflict"} 1.0' in metrics_of(site)


@pytest.mark.slow
def test_taps_are_stored_without_a_token_then_held_then_refused(site, engine):
    client = site.test_client()
    client.tokens = False
    assert client.post("/api/whatsapp-click", json=CLICK | {"website": "x"}).status_code == 201
    answers = [client.post("/api/whatsapp-click", json=CLICK | {"uniqueCode": f"A{n:04}"}) for n in range(90)]
    assert [answer.status_code for answer in answers] == [201] * 89 + [429]
    rows = rows_of(engine, "SELECT held_reason FROM whatsapp_clicks ORDER BY created_at")
    assert [row["held_reason"] for row in rows] == ["honeypot"] + [None] * 30 + ["address"] * 19 + ["flood"] * 40
