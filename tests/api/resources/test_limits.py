"""The limits over HTTP: what a stranger meets, and what a real visitor never notices."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any
from uuid import uuid4

import pytest
from redis import Redis

from api.limits import counters, guard
from api.limits.start_token import WORK_MAX
from dev.servers.waiting import wait_until
from tests.support.database import rows_of
from tests.support.metrics import metrics_of
from tests.support.samples import PAYLOAD
from tests.support.site import running_site

CLICK = {"uniqueCode": "AB12C", "whatsappMessage": "[AB12C] Hi", "buttonLocation": "hero"}
SMALL = {
    "LEADS_PER_ADDRESS": "2",
    "LEADS_PER_PERSON": "3",
    "CLICKS_PER_ADDRESS": "2",
    "FLOOD_PER_HOUR": "3000",
}


@pytest.fixture
def site(database_url, valkey, tmp_path):
    with Redis.from_url(valkey.url) as redis:
        redis.flushall()
    stores = {"DATABASE_URL": database_url, "REDIS_URL": valkey.url}
    with running_site(**stores, **SMALL, TRUSTED_PROXY_HOPS="1", CLINIC_PHONE="+90 212 555 00 00") as app:
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
    assert set(answer.json) == {"token", "waitSeconds", "renewSeconds", "call", "work"}
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


@pytest.fixture
def proven_token(site):
    """Makes good tokens with proof of work."""
    tokens = site.extensions["context"].guard.tokens

    def make():
        token = tokens.issue(age=60)
        return f"{token}~{tokens._number(token)}"

    return make


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


def test_one_person_is_held_whatever_the_spelling_and_whoever_else_writes_is_not(post, engine, proven_token):
    for email in ["a.da@gmail.com", "ada@gmail.com", "ADA+1@googlemail.com"]:
        post(email=email, token=proven_token())
    assert post(email="ad.a@gmail.com", token=proven_token()).status_code == 201
    assert post(token=proven_token()).status_code == 201
    assert reasons(engine) == [None, None, None, "person", None]


def test_nobody_uses_up_another_persons_budget(post, engine, proven_token):
    victim = {"email": "ada@example.com", "phone": "07911 123456"}
    for number in range(10):
        post(f"198.51.100.{number}", phone=victim["phone"])
    for _ in range(10):
        post("198.51.100.99", token=proven_token(), email=victim["email"])
    assert post("192.0.2.1", **victim).status_code == 201
    assert reasons(engine)[-1] is None
    assert reasons(engine).count("person") == 7


def test_junk_without_a_good_token_uses_up_nobodys_budget(site, post, engine, proven_token):
    replayed = site_token(site, 60)
    for number in range(3):
        post(f"198.51.100.{number}", token=replayed)
    junk = [post(token=token).status_code for token in [replayed] * 5 + ["x"] * 6]
    assert junk == [201] * 10 + [429]
    assert [post().status_code for _ in range(3)] == [201, 201, 201]
    assert reasons(engine)[3:] == ["replayed"] * 5 + ["forged"] * 5 + [None, None, "address"]
    assert post(token=proven_token()).status_code == 201
    assert reasons(engine)[-1] is None


def test_proof_of_work_is_asked_for_before_anybody_is_held(site, post):
    client = site.test_client()
    ask = {"X-Forwarded-For": "203.0.113.1"}
    assert client.get("/api/start", headers=ask).json["work"] is None
    post()
    start = client.get("/api/start", headers=ask).json
    assert start["work"] == {
        "challenge": site.extensions["context"].guard.tokens.challenge(start["token"]),
        "below": WORK_MAX,
    }
    assert client.get("/api/start", headers={"X-Forwarded-For": "203.0.113.2"}).json["work"] is None


def test_an_idempotency_key_with_other_data_is_counted(site, post):
    post(key="press")
    assert post(key="press").status_code == 409
    assert 'clinic_limited_total{kind="lead",result="conflict"} 1.0' in metrics_of(site)


def test_a_network_that_fills_the_disk_is_stored_with_short_texts(site, post, engine, monkeypatch):
    monkeypatch.setattr(guard, "MAX_HELD_PER_CLIENT", 1)
    for _ in range(4):
        post(message="x" * 4000, userAgent="y" * 1000)
    rows = rows_of(engine, "SELECT length(message) AS m, length(user_agent) AS u FROM leads ORDER BY created_at")
    assert [(row["m"], row["u"]) for row in rows] == [(4000, 1000)] * 3 + [(250, 250)]


def test_beyond_a_days_held_rows_only_who_proves_work_is_stored(site, post, engine, monkeypatch, proven_token):
    monkeypatch.setattr(guard, "MAX_HELD_A_DAY", 2)
    answers = [post(f"198.51.100.{number}", token=None).status_code for number in range(3)]
    assert answers == [201, 201, 429]
    assert post("198.51.100.9").status_code == 201
    for _ in range(4):
        last = post("198.51.100.8", token=proven_token(), email="ada@example.com").status_code
    assert (last, reasons(engine)[-1]) == (201, "person")


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


def test_a_start_token_is_never_refused(site):
    client = site.test_client()
    assert {client.get("/api/start").status_code for _ in range(300)} == {200}


def test_what_redis_keeps_says_nothing_about_anybody(post, valkey):
    post("203.0.113.77", key="my-press", email="ada.lovelace@example.com", phone="07911 123456")
    with Redis.from_url(valkey.url) as redis:
        assert wait_until(lambda: redis.keys("crm.limit.*") != [], 10)
        kept = b" ".join(key + b"=" + (redis.get(key) or b"") for key in redis.keys("crm.limit.*")).decode()
    assert kept.count("crm.limit.") == 6
    # The keys are digests in base64: a word of three letters stands in one by chance every few hundred runs.
    assert not [word for word in ("203.0.113", "lovelace", "example.com", "7911", "my-press") if word in kept]


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


@pytest.fixture
def flooded(database_url, engine, valkey, monkeypatch):
    """A site with room for three enquiries and taps a minute, and sixty an hour; its clock stands still."""

    monkeypatch.setattr(counters, "time", SimpleNamespace(time=lambda: 1_795_000_020.0))

    with Redis.from_url(valkey.url) as redis:
        redis.flushall()
    more = {"FLOOD_PER_HOUR": "60", "MAIL_FROM": "enquiries@clinic.example", "TRUSTED_PROXY_HOPS": "1"}
    with running_site(DATABASE_URL=database_url, REDIS_URL=valkey.url, **more) as app:
        yield app


def test_in_a_flood_enquiries_are_held_without_proof_of_work_and_cost_no_mail(flooded, engine):
    tokens, client = flooded.extensions["context"].guard.tokens, flooded.test_client()
    for number in range(8):
        token = tokens.issue(age=60)
        proof = f"~{tokens._number(token)}" if number >= 5 else ""
        body = PAYLOAD | {"email": f"a{number}@example.com", "phone": f"0740000000{number}"}
        headers = {"Start-Token": token + proof, "X-Forwarded-For": f"198.51.100.{number}"}
        assert client.post("/api/leads", json=body, headers=headers).status_code == 201
    assert reasons(engine) == [None] * 3 + ["flood"] * 2 + [None] * 3
    states = rows_of(
        engine, "SELECT status, count(*) AS n FROM deliveries WHERE destination = 'visitor' GROUP BY 1"
    )
    assert {row["status"]: row["n"] for row in states} == {"pending": 6, "held": 2}
    assert "clinic_flood 1.0" in metrics_of(flooded)
    assert client.get("/api/start").json["work"] is not None


def test_taps_have_a_breaker_of_their_own(flooded, engine):
    client = flooded.test_client()
    for number in range(8):
        body = CLICK | {"uniqueCode": f"A{number:04}"}
        headers = {"X-Forwarded-For": f"198.51.100.{number}"}
        assert client.post("/api/whatsapp-click", json=body, headers=headers).status_code == 201
    held = rows_of(engine, "SELECT held_reason FROM whatsapp_clicks WHERE held_reason = 'flood'")
    assert len(held) == 5
    assert client.post("/api/leads", json=PAYLOAD).status_code == 201
    assert reasons(engine) == [None]


def test_the_turn_of_a_minute_does_not_double_what_a_flood_gets(flooded, engine, monkeypatch):
    client, begun = flooded.test_client(), 1_795_000_079.0  # a second before a minute begins

    def send_at(seconds, count):
        clock = SimpleNamespace(time=lambda: begun + seconds)
        for module in (counters, guard):
            monkeypatch.setattr(module, "time", clock)
        for number in range(count):
            headers = {"X-Forwarded-For": f"198.51.100.{number}"}
            client.post("/api/leads", json=PAYLOAD | {"email": f"{uuid4()}@example.com"}, headers=headers)
        return reasons(engine)[-count:].count(None)

    assert [send_at(0, 10), send_at(2, 10), send_at(90, 3), send_at(300, 5)] == [3, 0, 1, 3]
