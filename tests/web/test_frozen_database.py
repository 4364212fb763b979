"""The site while PostgreSQL is frozen, which no time-out of TCP notices: more requests than it has threads."""

import http.client
import json
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from time import perf_counter

import pytest

from tests.support.freezing import frozen
from tests.support.samples import PAYLOAD
from tests.web.test_server import serving

pytestmark = pytest.mark.slow

TAPS, ENQUIRIES = 40, 20


def ask(port, method, path, body=None, **headers):
    """The answer, its text, and how many seconds it took."""
    begun = perf_counter()
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=60)) as connection:
        connection.request(method, path, body, {name.replace("_", "-"): text for name, text in headers.items()})
        answer = connection.getresponse()
        return answer, answer.read().decode(), perf_counter() - begun


def test_visitors_are_told_in_seconds_and_pages_health_and_metrics_go_on(own_postgres, dist, tmp_path):
    with serving(own_postgres.url, dist, tmp_path) as web, ThreadPoolExecutor(TAPS + ENQUIRIES) as visitors:

        def post(path, body, number):
            return ask(
                web.port, "POST", path, body, Content_Type="application/json", Idempotency_Key=f"press-{number}"
            )

        def press(number):
            return post("/api/leads", json.dumps(PAYLOAD), number)

        def tap(number):
            click = {"uniqueCode": f"AB{number:03}", "buttonLocation": "hero", "whatsappMessage": "Hello"}
            return post("/api/whatsapp-click", json.dumps(click), number)

        assert press("first")[0].status == tap(0)[0].status == 201
        with frozen(own_postgres):
            waiting = [visitors.submit(tap, number) for number in range(1, TAPS)]
            waiting += [visitors.submit(press, number) for number in range(ENQUIRIES)]
            pages = []
            for path, words in (("/", "Welcome"), ("/healthz", "true"), ("/assets/app-1a2b.js", "clinic")):
                answer, text, seconds = ask(web.port, "GET", path)
                assert (answer.status, words in text) == (200, True), path
                pages.append(seconds)
            assert "clinic_database_up 0.0" in ask(web.metrics_port, "GET", "/metrics")[1]
            assert ask(web.port, "GET", "/readyz")[0].status == 503
            refused = [each.result() for each in waiting]
            for answer, *_ in refused:
                assert (answer.status, int(answer.getheader("Retry-After")) > 0) == (503, True)
            assert max(pages) < min(seconds for *_, seconds in refused)  # no page waits for a thread
        thawed = list(visitors.map(press, range(ENQUIRIES)))
    assert [answer.status for answer, *_ in thawed] == [201] * ENQUIRIES
    assert len({json.loads(text)["id"] for _, text, _ in thawed}) == ENQUIRIES
