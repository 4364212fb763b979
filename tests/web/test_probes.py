"""/healthz, /readyz, /metrics, /api/geo and the handler of last resort."""

from __future__ import annotations

import logging
import os
import signal
from time import perf_counter

import pytest

from dev.servers.postgres import EmbeddedPostgres
from leads.settings import read_settings
from tests.support.samples import PAYLOAD
from web.app import close_app, create_app
from web.metrics.endpoint import is_private


def test_a_live_process_says_so(client):
    assert client.get("/healthz").json == {"ok": True}


def test_an_absent_redis_is_told_and_is_no_reason_to_go_away(client):
    response = client.get("/readyz")
    assert response.status_code == 200
    assert response.json == {"ready": True, "database": "up", "redis": "away"}


def test_a_present_redis_is_told(make_client, valkey):
    assert make_client(REDIS_URL=valkey.url).get("/readyz").json["redis"] == "up"


def test_a_frozen_database_makes_it_unready_within_its_second(tmp_path):
    with EmbeddedPostgres(tmp_path / "postgres", durable=False) as server:
        app = create_app(read_settings({"DATABASE_URL": server.url, "REDIS_URL": "redis://127.0.0.1:1/0"}))
        client = app.test_client()
        assert client.get("/readyz").status_code == 200
        os.kill(server.pid, signal.SIGSTOP)
        backends = [int(pid) for pid in children_of(server.pid)]
        for pid in backends:
            os.kill(pid, signal.SIGSTOP)
        try:
            start = perf_counter()
            assert client.get("/readyz").status_code == 503
            assert "clinic_database_up 0.0" in client.get("/metrics").text
            assert perf_counter() - start < 4
        finally:
            for pid in [*backends, server.pid]:
                os.kill(pid, signal.SIGCONT)
        assert client.get("/readyz").status_code == 200
        close_app(app)


def children_of(pid):
    with open(f"/proc/{pid}/task/{pid}/children") as children:  # noqa: PTH123 - procfs
        return children.read().split()


def test_metrics_tell_what_was_stored_and_what_waits(client):
    client.post("/api/leads", json=PAYLOAD)
    client.post("/api/leads", json=PAYLOAD | {"website": "x"})
    client.post("/api/leads", json={})
    text = client.get("/metrics").text
    assert 'clinic_stored_total{kind="lead",result="accepted"} 1.0' in text
    assert 'clinic_stored_total{kind="lead",result="held"} 1.0' in text
    assert 'clinic_request_seconds_count{endpoint="leads.post_lead",status="422"} 1.0' in text
    assert 'clinic_bells_total{result="rung"}' in text
    assert 'clinic_rows{kind="lead",state="pending"}' in text
    assert 'clinic_acknowledgements{state="owed"} 0.0' in text
    assert 'clinic_acknowledgements{state="skipped"} 0.0' in text
    assert 'clinic_oldest_due_seconds{kind="lead",state="pending"}' in text
    assert 'clinic_gate_open{reason=""} 1.0' in text
    assert "clinic_database_up 1.0" in text
    assert "ada@example.com" not in text


@pytest.mark.parametrize("header", ["X-Forwarded-For", "Forwarded", "X-Real-IP", "Via"])
def test_metrics_are_not_for_the_world(client, header):
    assert client.get("/metrics", environ_overrides={"REMOTE_ADDR": "9.9.9.9"}).status_code == 403
    assert client.get("/metrics", headers={header: "10.0.0.1"}).status_code == 403
    assert client.get("/metrics", environ_overrides={"REMOTE_ADDR": "10.1.2.3"}).status_code == 200


@pytest.mark.parametrize(
    ("address", "private"),
    [("127.0.0.1", True), ("::1", True), ("10.0.0.1", True), ("8.8.8.8", False), ("", False), (None, False)],
)
def test_private_addresses_are_known(address, private):
    assert is_private(address) is private


@pytest.mark.parametrize(
    ("sent", "country"),
    [("GB", "GB"), ("tr", "TR"), ("XX", None), ("T1", None), ("", None), ("GBR", None), ("é1", None), ("ÄÖ", None)],
)
def test_the_country_comes_from_the_cdn(client, sent, country):
    response = client.get("/api/geo", headers={"CF-IPCountry": sent.encode().decode("latin-1")})
    assert response.json == {"country_code": country}
    assert response.headers["Cache-Control"] == "no-store"


def test_the_cdns_header_is_a_setting(make_client):
    client = make_client(COUNTRY_HEADER="X-Country")
    assert client.get("/api/geo", headers={"X-Country": "DE"}).json == {"country_code": "DE"}
    assert client.get("/api/geo", headers={"CF-IPCountry": "DE"}).json == {"country_code": None}


@pytest.mark.parametrize(("hops", "address"), [("0", "127.0.0.1"), ("1", "198.51.100.2"), ("2", "203.0.113.9")])
def test_only_trusted_hops_tell_the_address(make_client, module_database_url, hops, address):
    import psycopg

    client = make_client(TRUSTED_PROXY_HOPS=hops)
    answer = client.post(
        "/api/leads", json=PAYLOAD, headers={"X-Forwarded-For": "6.6.6.6, 203.0.113.9, 198.51.100.2"}
    )
    with psycopg.connect(module_database_url) as connection:
        found = connection.execute("SELECT ip_address FROM leads WHERE id = %s", [answer.json["id"]]).fetchone()
    assert found == (address,)


@pytest.mark.parametrize("told", ["[2001:0db8:85a3:0000:0000:8a2e:0370:7334]:65535", "unknown, " * 9 + "x" * 60])
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
    assert "test_probes.py" in caplog.text
    assert "ada@example.com" not in caplog.text
    assert "ada@example.com" not in response.text
