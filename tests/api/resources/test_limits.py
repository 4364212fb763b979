"""The limits over HTTP: what a stranger meets, and what a real visitor never notices."""

from __future__ import annotations

from typing import Any
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

    def send(address="203.0.113.1", token: str | None = "good", key=None, **changes: Any):
        client = site.test_client()
        client.tokens = token == "good"
        number = uuid4().int % 10**7
        person = {"email": f"{uuid4()}@example.com", "phone": f"0740{number:07d}"}
        headers = {"X-Forwarded-For": address} | ({"Idempotency-Key": key} if key else {})
        if token not in {None, "good"}:
            headers["Start-Token"] = token
        return client.post("/api/leads", json=PAYLOAD | person | changes, headers=headers)

    return send


def reasons(engine):
    return [row["held_reason"] for row in rows_of(engine, "SELECT held_reason FROM leads ORDER BY created_at")]


def test_without_a_good_token_an_enquiry_is_held_and_gets_the_same_answer(site, post, engine):
    fresh = site.test_client().get("/api/start").json["token"]
    answers = [
        post(f"198.51.100.{n}", token)
        for n, token in enumerate(["good", None, "x", fresh, fresh + "x", site_token(site, 90_000)])
    ]
    assert {answer.status_code for answer in answers} == {201}
    assert {tuple(answer.json) for answer in answers} == {("success", "id", "reference", "call", "details")}
    assert reasons(engine) == [None, "no-start", "forged", "too-fast", "forged", "expired"]


def site_token(site, age):
    return site.extensions["context"].guard.tokens.issue(age=age)


def test_the_page_gets_a_token_that_no_cache_keeps(site):
    answer = site.test_client().get("/api/start")
    assert answer.headers["Cache-Control"] == "no-store"
    assert set(answer.json) == {"token", "waitSeconds", "renewSeconds", "call"}
    assert answer.json["waitSeconds"] == 4


def test_beyond_its_limit_a_network_is_held_and_far_beyond_refused_in_the_visitors_words(post, engine):
    answers = [post() for _ in range(81)]
    assert [answer.status_code for answer in answers] == [201] * 80 + [429]
    assert reasons(engine) == [None] * 20 + ["address"] * 20 + ["flood"] * 40
    refused = answers[-1]
    assert (refused.json["code"], refused.json["status"]) == (429, "Too Many Requests")
    assert "+90 212 555 00 00 or WhatsApp" in refused.json["message"]
    assert 0 < int(refused.headers["Retry-After"]) <= 3600
    assert post("198.51.100.1").status_code == 201
    assert reasons(engine)[-1] is None


def test_what_is_held_owes_nobody_a_mail(post, engine):
    post(token=None)
    owed = rows_of(engine, "SELECT destination, status FROM deliveries ORDER BY destination")
    assert owed == [{"destination": name, "status": "held"} for name in ("visitor", "zoho")]


def test_a_retry_is_the_same_enquiry_even_after_many_failures(site, post, engine):
    person = {"email": "ada@example.com", "phone": "07911 123456"}
    receipts = {post(key="press", **person).json["reference"] for _ in range(30)}
    assert len(receipts) == 1
    assert post(key="press-2", **person).status_code == 201
    assert reasons(engine) == [None, None]


def test_an_idempotency_key_with_other_data_is_counted(site, post):
    post(key="press")
    assert post(key="press").status_code == 409
    assert 'clinic_limited_total{kind="lead",result="conflict"} 1.0' in metrics_of(site)


def test_taps_are_stored_without_a_token_then_held_then_refused(site, engine):
    client = site.test_client()
    client.tokens = False
    answers = [client.post("/api/whatsapp-click", json=CLICK | {"uniqueCode": f"A{n:04}"}) for n in range(91)]
    assert [answer.status_code for answer in answers] == [201] * 90 + [429]
    rows = rows_of(engine, "SELECT zoho_status AS status FROM crm_deliveries ORDER BY queued_at")
    assert [row["status"] for row in rows] == ["pending"] * 30 + ["held"] * 60


def test_a_click_with_the_hidden_field_is_held(site, engine):
    assert site.test_client().post("/api/whatsapp-click", json=CLICK | {"website": "x"}).status_code == 201
    assert rows_of(engine, "SELECT held_reason FROM whatsapp_clicks") == [{"held_reason": "honeypot"}]


def test_metrics_tell_what_was_held_and_refused(site, post):
    for _ in range(61):
        post(token=None)
    text = metrics_of(site)
    for result, times in (("no-start", 20), ("flood", 40), ("refused", 1)):
        assert f'clinic_limited_total{{kind="lead",result="{result}"}} {times}.0' in text
