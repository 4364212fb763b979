"""What visitors are told when too many requests wait for a thread."""

from __future__ import annotations

import asyncio
import json

import pytest

from web.server.front import MAX_WAITING, Front
from web.site import encode

PAGE = encode(
    {"identity": b"<p>Go back</p>"}, "text/html; charset=utf-8", "no-store", [("X-Frame-Options", "DENY")]
)


def ask(path):
    """The status, headers and body of a post while as many requests wait as may."""

    def answer(_environ, _start):
        raise AssertionError("the application was asked")

    front = Front(answer, lambda _: False, threads=1, clinic_phone="+90 212", full_pages={"/enquiry": PAGE})
    front._waiting = MAX_WAITING
    sent = []

    async def send(message):
        sent.append(message)

    scope = {
        "type": "http",
        "http_version": "1.1",
        "method": "POST",
        "raw_path": path.encode(),
        "query_string": b"",
        "server": ("127.0.0.1", 80),
        "client": ("127.0.0.1", 5000),
        "headers": [(b"host", b"clinic.example"), (b"content-length", b"5")],
    }
    asyncio.run(front(scope, None, send))
    start, body = sent
    return start["status"], {name.lower(): text for name, text in start["headers"]}, body["body"]


@pytest.mark.parametrize("path", ["/api/leads", "/complaint"])
def test_the_api_says_it_in_json(path):
    status, headers, body = ask(path)
    assert (status, headers[b"content-type"], headers[b"retry-after"]) == (503, b"application/json", b"5")
    assert "+90 212" in json.loads(body)["message"]


def test_a_form_gets_a_page_with_the_headers_of_every_page():
    status, headers, body = ask("/enquiry")
    assert (status, body) == (503, b"<p>Go back</p>")
    assert headers[b"content-type"] == b"text/html; charset=utf-8"
    assert (headers[b"x-frame-options"], headers[b"cache-control"]) == (b"DENY", b"no-store")
    assert headers[b"retry-after"] == b"5"
