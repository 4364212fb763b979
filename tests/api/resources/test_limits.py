"""The limits over HTTP: what a stranger meets, and what a real visitor never notices."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest
from redis import Redis

from dev.servers.waiting import wait_until
from tests.support.database import rows_of
from tests.support.metrics import metrics_of
from tests.support.samples import PAYLOAD
from tests.support.visitor import VisitorClient
from web.app import close_app, create_app

CLICK = {"uniqueCode": "AB12C", "whatsappMessage": "[AB12C] Hi", "buttonLocation": "hero"}
SMALL = {
    "LEADS_PER_ADDRESS": "2",
    "LEADS_PER_PERSON": "3",
    "CLICKS_PER_ADDRESS": "2",
    "COMPLAINTS_PER_ADDRESS": "1",
}


@pytest.fixture
def site(database_url, valkey, tmp_path):
    from leads.settings import read_settings

    with Redis.from_url(valkey.url) as redis:
        redis.flushall()
    environ = {"DATABASE_URL": database_url, "REDIS_URL": valkey.url, "FRONTEND_DIR": "no-such-build"}
    app = create_app(
        read_settings({**environ, **SMALL, "TRUSTED_PROXY_HOPS": "1", "CLINIC_PHONE": "+90 212 555 00 00"})
    )
    app.test_client_class = VisitorClient
    yield app
    close_app(app)


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
    assert {tuple(answer.json) for answer in answers} == {("success", "id", "reference")}
    assert reasons(engine) == [None, "no-start", "forged", "too-fast", "forged", "expired"]


def site_token(site, age):
    return site.extensions["context"].guard.tokens.issue(age=age)


def test_the_page_gets_a_token_that_no_cache_keeps(site):
    answer = site.test_client().get("/api/start")
    assert answer.headers["Cache-Control"] == "no-store"
    assert set(answer.json) == {"token", "waitSeconds", "renewSeconds"}
    assert answer.json["waitSeconds"] == 4


def test_one_token_serves_three_enquiries_and_any_number_of_retries(site, post, engine):
    token = site_token(site, 60)
    for number in range(4):
        keys = [f"press-{number}"] * 3
        person = {"email": f"ann{number}@example.com", "phone": f"0740000000{number}"}
        assert {post(f"198.51.100.{number}", token, key, **person).status_code for key in keys} == {201}
    assert reasons(engine) == [None, None, None, "replayed"]


def test_a_retry_is_the_same_enquiry_even_after_many_failures(site, post, engine):
    person = {"email": "ada@example.com", "phone": "07911 123456"}
    receipts = {post(key="press", **person).json["reference"] for _ in range(30)}
    assert len(receipts) == 1
    assert post(key="press-2", **person).status_code == 201
    assert reasons(engine) == [None, None]


def test_an_address_alone_holds_and_never_refuses_a_good_token(post, engine):
    assert {post().status_code for _ in range(14)} == {201}
    assert reasons(engine) == [None] * 2 + ["address"] * 12
    assert post("198.51.100.1").status_code == 201
    assert reasons(engine)[-1] is None


def test_without_a_token_an_address_is_refused_in_the_visitors_words(post, engine):
    answers = [post(token=None) for _ in range(11)]
    assert [answer.status_code for answer in answers] == [201] * 10 + [429]
    refused = answers[-1]
    assert refused.json["code"] == 429
    assert refused.json["status"] == "Too Many Requests"
    assert "+90 212 555 00 00" in refused.json["message"]
    assert 0 < int(refused.headers["Retry-After"]) <= 600
    assert len(reasons(engine)) == 10
    assert post().status_code == 201  # a visitor with a token, from the same address


def test_the_addresses_of_one_ipv6_network_count_together(post, engine):
    for number in range(3):
        post(f"2001:db8:1:2::{number + 1:x}")
    post("2001:db8:1:3::1")
    assert reasons(engine) == [None, None, "address", None]


def test_one_person_is_held_whatever_the_spelling_and_whoever_else_writes_is_not(post, engine):
    for number, email in enumerate(["a.da@gmail.com", "ada@gmail.com", "ADA+1@googlemail.com", "ad.a@gmail.com"]):
        assert post(f"198.51.100.{number}", email=email).status_code == 201
    assert reasons(engine) == [None, None, None, "person"]
    for number in range(4):
        post(f"192.0.2.{number}", phone="07911 123456")
    assert reasons(engine)[4:] == [None, None, None, "person"]


def test_a_person_is_never_shut_out_by_others_who_use_their_address(post, engine):
    for number in range(20):
        post(f"198.51.100.{number}", email="ada@example.com")
    assert post("192.0.2.1", email="ada@example.com").status_code == 201
    assert post("192.0.2.1", None, email="ada@example.com").status_code == 429


def test_clicks_are_recorded_without_a_token_then_held_then_refused(site, engine):
    client = site.test_client()
    client.tokens = False
    answers = [client.post("/api/whatsapp-click", json=CLICK | {"uniqueCode": f"A{n:04}"}) for n in range(21)]
    assert [answer.status_code for answer in answers] == [201] * 20 + [429]
    rows = rows_of(
        engine,
        "SELECT zoho_status, held_reason FROM whatsapp_clicks JOIN crm_deliveries USING (id) ORDER BY created_at",
    )
    assert [row["zoho_status"] for row in rows] == ["pending"] * 2 + ["held"] * 18
    assert rows[2]["held_reason"] == "address"


def test_a_click_with_the_hidden_field_is_held(site, engine):
    assert site.test_client().post("/api/whatsapp-click", json=CLICK | {"website": "x"}).status_code == 201
    assert rows_of(engine, "SELECT held_reason FROM whatsapp_clicks") == [{"held_reason": "honeypot"}]


def test_complaints_are_held_and_then_refused(site, engine):
    body = {"name": "Ada", "email": "ada@example.com"}
    client = site.test_client()
    answers = [client.post("/api/complaints", json=body | {"text": f"Number {n}"}) for n in range(6)]
    assert [answer.status_code for answer in answers] == [201] * 5 + [429]
    rows = rows_of(engine, "SELECT held FROM complaints ORDER BY number")
    assert [row["held"] for row in rows] == [False] + [True] * 4


def test_start_tokens_are_not_handed_out_without_end(site):
    client = site.test_client()
    statuses = [client.get("/api/start").status_code for _ in range(101)]
    assert statuses == [200] * 100 + [429]


def test_what_redis_keeps_says_nothing_about_anybody(post, valkey):
    post("203.0.113.77", key="my-press", email="ada.lovelace@example.com", phone="07911 123456")
    with Redis.from_url(valkey.url) as redis:
        assert wait_until(lambda: redis.keys("crm.limit.*") != [], 10)
        kept = b" ".join(key + b"=" + (redis.get(key) or b"") for key in redis.keys("crm.limit.*")).decode()
    assert kept.count("crm.limit.") == 4
    assert not [word for word in ("203.0.113", "ada", "example.com", "7911", "my-press") if word in kept]


def test_metrics_tell_what_was_held_and_refused(site, post):
    post(token=None)
    for _ in range(11):
        post("198.51.100.9", token="x")
    text = metrics_of(site)
    assert 'clinic_limited_total{kind="lead",result="no-start"} 1.0' in text
    assert 'clinic_limited_total{kind="lead",result="forged"} 10.0' in text
    assert 'clinic_limited_total{kind="lead",result="refused"} 1.0' in text
    assert "clinic_flood 0.0" in text
    assert "clinic_limits_shared 1.0" in text


def test_in_a_flood_enquiries_without_a_history_are_held_and_cost_no_mail(database_url, engine, site):
    from leads.settings import read_settings

    environ = {"DATABASE_URL": database_url, "REDIS_URL": "redis://127.0.0.1:1/0", "FRONTEND_DIR": "no-such-build"}
    more = {"FLOOD_PER_HOUR": "3", "MAIL_FROM": "enquiries@clinic.example", "TRUSTED_PROXY_HOPS": "1"}
    app = create_app(read_settings({**environ, **more}))
    guard = app.extensions["context"].guard
    quick, slow = (guard.tokens.issue for _ in range(2))
    client = app.test_client()
    # The database is counted beside requests, every few seconds: here once, before the first of them.
    guard._limits.breaker.check()
    guard._limits.breaker._thread.join(10)
    for number in range(8):
        token = slow(age=60) if number == 7 else quick(age=5)
        body = PAYLOAD | {"email": f"a{number}@example.com", "phone": f"0740000000{number}"}
        headers = {"Start-Token": token, "X-Forwarded-For": f"198.51.100.{number}"}
        assert client.post("/api/leads", json=body, headers=headers).status_code == 201
    close_app(app)
    assert reasons(engine) == [None] * 3 + ["flood"] * 4 + [None]
    states = rows_of(
        engine, "SELECT status, count(*) AS n FROM deliveries WHERE destination = 'visitor' GROUP BY 1"
    )
    assert {row["status"]: row["n"] for row in states} == {"pending": 4, "held": 4}
