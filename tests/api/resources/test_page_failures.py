"""What pages report of themselves: counted in few words, limited, and never in the way."""

import re
from itertools import count

import pytest

from api.limits.rules import PAGE_FAILURES_PER_ADDRESS, PAGE_FAILURES_PER_HOUR
from tests.support.metrics import metrics_of
from tests.support.samples import PAYLOAD
from tests.support.site import running_site

CHROMIUM = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36"
OLD = CHROMIUM.replace("156", "104")


@pytest.fixture
def site(database_url):
    with running_site(DATABASE_URL=database_url, TRUSTED_PROXY_HOPS="1") as app:
        yield app


@pytest.fixture
def report(site):
    addresses = (f"198.51.{number // 250}.{number % 250}" for number in count())

    def send(body, *, address=None, agent=CHROMIUM):
        headers = {"X-Forwarded-For": address or next(addresses), "User-Agent": agent}
        return site.test_client().post("/api/page-failures", json=body, headers=headers)

    return send


@pytest.fixture
def counted(site):
    """What the metrics have: how often by kind and engine."""

    def read():
        found = re.findall(r'clinic_page_failures_total\{engine="(\w+)",kind="(\w+)"\} (\d+)', metrics_of(site))
        return {(kind, engine): int(times) for engine, kind, times in found if int(times)}

    return read


def logged(caplog):
    return [text for text in caplog.messages if text.startswith("page failure")]


def test_a_report_is_counted_by_kind_and_engine_and_logged_with_file_and_version(report, counted, caplog):
    answers = [report({"kind": "chunk", "file": "form-BUHDtnkY.js"}) for _ in range(3)]
    report({"kind": "boundary", "file": "ThankYouPage-12345678.js"})
    report({"kind": "start", "file": "app.js"})
    assert {(answer.status_code, answer.data) for answer in answers} == {(204, b"")}
    assert counted() == {("chunk", "chromium"): 3, ("boundary", "chromium"): 1, ("start", "chromium"): 1}
    assert logged(caplog) == [
        *["page failure: chunk of form in chromium 156"] * 3,
        "page failure: boundary of other in chromium 156",
        "page failure: start of app in chromium 156",
    ]


@pytest.mark.parametrize(
    "body", [{}, {"kind": None, "file": 7}, {"kind": "x" * 70, "file": "\x00é"}, {"file": "ada@example.com"}]
)
def test_what_is_unknown_is_other_and_never_an_error(report, counted, caplog, body):
    assert report(body, agent="curl/8").status_code == 204
    assert counted() == {("other", "other"): 1}
    assert logged(caplog) == ["page failure: other of other in other 0"]


def test_a_visitor_has_few_reports_and_all_of_them_have_not_many_more(site, report, counted):
    body = {"kind": "error", "file": "app-12345678.js"}
    answers = [report(body, address="203.0.113.9") for _ in range(PAGE_FAILURES_PER_ADDRESS + 3)]
    assert {answer.status_code for answer in answers} == {204}
    assert counted() == {("error", "chromium"): PAGE_FAILURES_PER_ADDRESS}
    assert 'clinic_limited_total{kind="page-failure",result="refused"} 3.0' in metrics_of(site)
    takes = site.extensions["context"].guard.takes_page_failure
    taken = sum(takes(f"2001:db8:{number:x}::1") for number in range(PAGE_FAILURES_PER_HOUR + 50))
    assert taken == PAGE_FAILURES_PER_HOUR - PAGE_FAILURES_PER_ADDRESS


def test_a_form_that_came_without_the_script_counts_where_the_script_was_expected(site, counted):
    for number, (agent, name, status) in enumerate(
        [(CHROMIUM, "Ada", 303), (OLD, "Bea", 303), ("curl/8", "Cat", 303), (CHROMIUM, "", 422)]
    ):
        headers = {"User-Agent": agent, "X-Forwarded-For": f"203.0.113.{number}"}
        answer = site.test_client().post("/enquiry", data=PAYLOAD | {"name": name}, headers=headers)
        assert answer.status_code == status
    assert counted() == {("native", "chromium"): 1}
