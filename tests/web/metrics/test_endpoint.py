"""The metrics: what they count, and where they are served."""

from __future__ import annotations

import http.client
import re

import pytest

from dev.servers.server_process import ROOT
from dev.servers.state_files import free_port
from tests.support.metrics import metrics_of
from tests.support.samples import PAYLOAD
from web.app import get_metrics


def test_metrics_tell_what_was_stored_and_what_waits(client):
    client.post("/api/leads", json=PAYLOAD)
    client.post("/api/leads", json=PAYLOAD | {"website": "x"})
    client.post("/api/leads", json={})
    text = metrics_of(client.application)
    assert 'clinic_stored_total{kind="lead",result="accepted"} 1.0' in text
    assert 'clinic_stored_total{kind="lead",result="held"} 1.0' in text
    assert 'clinic_request_seconds_count{endpoint="leads.post_lead",status="422"} 1.0' in text
    assert 'clinic_rows{destination="zoho",kind="lead",state="pending"}' in text
    assert 'clinic_rows{destination="visitor",kind="lead",state="skipped"} 0.0' in text
    assert 'clinic_oldest_undelivered_seconds{destination="staff-mail"} 0.0' in text
    assert 'clinic_paused{destination="zoho",reason="outage"} 0.0' in text
    assert 'clinic_rows{destination="zoho",kind="click",state="dead"} 0.0' in text
    (oldest,) = re.findall(r'clinic_oldest_undelivered_seconds\{destination="zoho"\} (\S+)', text)
    assert 0 < float(oldest) < 60
    assert 'clinic_trouble{name="refused"} 0.0' in text
    assert 'clinic_trouble{name="workers"} 1.0' in text
    assert "clinic_database_up 1.0" in text
    assert "ada@example.com" not in text


def test_a_refusal_is_counted_from_nought_so_that_the_first_one_is_an_increase(client):
    text = metrics_of(client.application)
    for status in (500, 503):
        assert f'clinic_request_seconds_count{{endpoint="leads.post_lead",status="{status}"}} 0.0' in text
    assert 'endpoint="probes' not in text


def test_every_metric_has_its_line_in_the_documentation(client):
    names = set(re.findall(r"^# HELP (\w+)", metrics_of(client.application), re.MULTILINE))
    told = set(re.findall(r"clinic_\w+", (ROOT / "docs/operating.md").read_text()))
    assert {name for name in names if not name.endswith("_created")} <= told
    assert len(told) <= 14


def test_metrics_are_served_on_a_port_of_their_own_and_never_to_visitors(client):
    port = free_port()
    get_metrics(client.application).serve("127.0.0.1", port)
    assert "clinic_database_up 1.0" in ask(port, "127.0.0.1")[1]
    assert client.get("/metrics").status_code == 404


def ask(port, host):
    """The status and the text of the metrics under a name."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    connection.request("GET", "/metrics", headers={"Host": host})
    answer = connection.getresponse()
    text = answer.read().decode()
    connection.close()
    return answer.status, text


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("localhost:9100", 200),
        ("web:9100", 200),
        ("10.1.2.3", 200),
        ("[::1]:9100", 200),
        ("evil.example:9100", 421),
        ("localhost.evil.example", 421),
        ("127.0.0.1.nip.example", 421),
    ],
)
def test_metrics_answer_to_their_own_names_alone(client, host, status):
    port = free_port()
    get_metrics(client.application).serve("127.0.0.1", port)
    answered, text = ask(port, host)
    assert (answered, "clinic_" in text) == (status, status == 200)
