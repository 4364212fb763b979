"""The metrics: what they count, and where they are served."""

import http.client
import re
from contextlib import closing

import pytest

from tests.support.metrics import metrics_of
from tests.support.samples import PAYLOAD
from tools.servers.server_process import ROOT
from tools.servers.state_files import free_port
from web.app import get_metrics


def test_metrics_tell_what_was_stored_and_what_waits(client):
    for body in (PAYLOAD, PAYLOAD | {"website": "x"}, {}):
        client.post("/api/leads", json=body)
    text = metrics_of(client.application)
    for line in (
        'clinic_stored_total{kind="lead",result="accepted"} 1.0',
        'clinic_stored_total{kind="lead",result="held"} 1.0',
        'clinic_request_seconds_count{endpoint="leads.post_lead",status="422"} 1.0',
        'clinic_rows{destination="zoho",kind="lead",state="pending"} 1.0',
        'clinic_rows{destination="visitor",kind="lead",state="skipped"} 0.0',
        'clinic_oldest_undelivered_seconds{destination="staff-mail"} 0.0',
        'clinic_paused{destination="zoho",reason="outage"} 0.0',
        'clinic_trouble{destination="",name="refused"} 0.0',
        'clinic_trouble{destination="",name="workers"} 2.0',
        "clinic_database_up 1.0",
        # It starts at 0, so that the first refusal is an increase.
        'clinic_request_seconds_count{endpoint="leads.post_lead",status="503"} 0.0',
    ):
        assert f"\n{line}\n" in text
    (oldest,) = re.findall(r'clinic_oldest_undelivered_seconds\{destination="zoho"\} (\S+)', text)
    assert 0 < float(oldest) < 60
    assert "ada@example.com" not in text


def test_every_metric_has_its_line_in_the_documentation(client):
    names = set(re.findall(r"^# HELP (\w+)", metrics_of(client.application), re.MULTILINE))
    told = set(re.findall(r"clinic_\w+", (ROOT / "docs/operating.md").read_text()))
    assert names <= told
    assert len(told) <= 14


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("127.0.0.1", 200),
        ("localhost:8001", 200),
        ("web:8001", 200),
        ("10.1.2.3", 200),
        ("[::1]:8001", 200),
        ("evil.example:8001", 421),
        ("127.0.0.1.nip.example", 421),
    ],
)
def test_metrics_answer_to_their_own_names_alone_and_never_to_visitors(client, host, status):
    port = free_port()
    get_metrics(client.application).serve("127.0.0.1", port)
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=10)) as connection:
        connection.request("GET", "/metrics", headers={"Host": host})
        answer = connection.getresponse()
        assert (answer.status, b"clinic_database_up 1.0" in answer.read()) == (status, status == 200)
    assert client.get("/metrics").status_code == 404
