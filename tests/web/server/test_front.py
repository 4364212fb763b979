"""What visitors are told when too many requests come at once, and that posts on the loop wait for no thread."""

from __future__ import annotations

import asyncio
import json

import pytest
from sqlalchemy.util.concurrency import await_

from web.server import turns
from web.server.environ import MAX_VALUE_LENGTH
from web.server.front import Front
from web.server.turns import Turns
from web.site import encode

PAGE = encode(
    {"identity": b"<p>Go back</p>"}, "text/html; charset=utf-8", "no-store", [("X-Frame-Options", "DENY")]
)


def post(front, path, *headers, client=("127.0.0.1", 5000)):
    """The coroutine that posts something; it returns the status, headers and body."""

    async def ask():
        sent = []

        async def receive():
            return {"type": "http.request", "body": b"hello", "more_body": False}

        async def send(message):
            sent.append(message)

        scope = {
            "type": "http",
            "http_version": "1.1",
            "method": "POST",
            "raw_path": path.encode(),
            "query_string": b"",
            "server": ("127.0.0.1", 80),
            "client": client,
            "headers": [(b"host", b"clinic.example"), (b"content-length", b"5"), *headers],
            "state": {"is_gone": lambda: False},
        }
        await front(scope, receive, send)
        start, body = sent
        return start["status"], {name.lower(): text for name, text in start["headers"]}, body["body"]

    return ask()


def nobody(_environ, _start):
    raise AssertionError("the application was asked")


def make_front(answer=nobody, **options):
    return Front(
        answer,
        lambda _: False,
        threads=1,
        clinic_phone="+90 212",
        on_loop={"/api/leads"},
        full_pages={"/enquiry": PAGE},
        **options,
    )


@pytest.fixture
def ask_while_full(monkeypatch):
    """Post while nobody gets a turn in time."""
    monkeypatch.setattr(turns, "WAIT_SECONDS", 0.01)

    def ask(path):
        turned_away = []
        front = make_front(count_turned_away=lambda: turned_away.append(path))
        front._thread_turns = front._loop_turns = Turns(0)
        answer = asyncio.run(post(front, path))
        assert turned_away == [path]
        return answer

    return ask


@pytest.mark.parametrize("path", ["/api/leads", "/details"])
def test_the_api_says_it_in_json(ask_while_full, path):
    status, headers, body = ask_while_full(path)
    assert (status, headers[b"content-type"], headers[b"retry-after"]) == (503, b"application/json", b"5")
    assert "+90 212" in json.loads(body)["message"]


def test_a_form_gets_a_page_with_the_headers_of_every_page(ask_while_full):
    status, headers, body = ask_while_full("/enquiry")
    assert (status, body) == (503, b"<p>Go back</p>")
    assert headers[b"content-type"] == b"text/html; charset=utf-8"
    assert (headers[b"x-frame-options"], headers[b"cache-control"]) == (b"DENY", b"no-store")
    assert headers[b"retry-after"] == b"5"


def slow(_environ, start):
    await_(asyncio.sleep(0.001))
    start("201 Created", [])
    return [b"{}"]


def test_posts_on_the_loop_are_answered_however_many_come_and_wait_for_no_thread():
    front = make_front(slow)
    front._thread_turns = Turns(0)

    async def all_of_them():
        posts = (post(front, "/api/leads", client=("127.0.0.1", port)) for port in range(1500))
        return [status for status, _, _ in await asyncio.gather(*posts)]

    assert asyncio.run(all_of_them()) == [201] * 1500


def test_behind_a_proxy_turns_are_those_of_the_address_that_it_names():
    front = make_front(slow, proxies=1)
    front._loop_turns = asked = Turns(1)
    take, networks = asked.take, []

    async def noted(network, connection):
        networks.append(network)
        return await take(network, connection)

    asked.take = noted
    asyncio.run(post(front, "/api/leads", (b"x-forwarded-for", b"203.0.113.66, 198.51.100.7")))
    asyncio.run(post(front, "/api/leads"))
    assert networks == ["198.51.100.7", "127.0.0.1"]


def test_a_long_value_that_decides_is_refused():
    status, _, _ = asyncio.run(
        post(make_front(), "/api/leads", (b"x-forwarded-for", b"1" * (MAX_VALUE_LENGTH + 1)))
    )
    assert status == 431
