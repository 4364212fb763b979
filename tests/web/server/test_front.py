"""Where requests are answered, and what reaches the application."""

import asyncio
import threading

import pytest

from web.app import get_fixed_pages
from web.server.front import PIECE_BYTES, Front

SCOPE = {
    "type": "http",
    "http_version": "1.1",
    "method": "POST",
    "path": "/api/leads",
    "query_string": b"",
    "server": ("127.0.0.1", 80),
    "client": ("203.0.113.9", 5000),
}
WHOLE = ({"type": "http.request", "body": b"hello", "more_body": False},)
CUT_OFF = ({"type": "http.request", "body": b"{}", "more_body": True}, {"type": "http.disconnect"})


class Application:
    """Remembers what it was asked, how often, and on which thread."""

    environ, asked = None, 0

    def __init__(self, answer=(b"{}",)):
        self.answer = answer

    def __call__(self, environ, start):
        self.environ, self.thread = environ, threading.current_thread()
        self.asked += 1
        start("201 Created", [])
        return self.answer


def front_of(application, pages=()):
    return Front(application, lambda path: path.startswith("/api/"), threads=1, pages=pages)


def ask(application, *headers, messages=WHOLE, **changed):
    """The ASGI messages of the answer; `application` may also be a front."""
    front = application if isinstance(application, Front) else front_of(application)
    sent, received = [], iter(messages)

    async def receive():
        if (message := next(received, None)) is None:
            await asyncio.sleep(60)
        return message

    async def send(message):
        sent.append(message)

    asyncio.run(front({**SCOPE, "headers": list(headers), **changed}, receive, send))
    front.stop()
    return sent


@pytest.mark.parametrize(
    ("asked", "on_loop"),
    [("POST /api/leads", True), ("POST /api/whatsapp-click", False), ("GET /api/leads", False), ("GET /", True)],
)
def test_only_what_may_wait_for_a_server_takes_a_thread(asked, on_loop):
    method, path = asked.split()
    ask(application := Application(), method=method, path=path)
    assert (application.thread is threading.current_thread()) is on_loop


BROTLI, KNOWN = (b"accept-encoding", b"br"), (b"if-none-match", b'"1"')


@pytest.mark.parametrize(
    ("method", "path", "headers", "is_kept"),
    [
        ("GET", "/", [BROTLI], True),
        ("GET", "/", [], False),
        ("GET", "/", [BROTLI, KNOWN], False),
        ("HEAD", "/", [BROTLI], False),
        ("GET", "/other", [BROTLI], False),
    ],
)
def test_a_page_is_kept_in_a_coding_for_whoever_asks_for_it_without_a_condition(method, path, headers, is_kept):
    front = front_of(application := Application(), pages={"/"})
    first = ask(front, BROTLI, method="GET", path="/")
    again = ask(front, *headers, method=method, path=path, query_string=b"utm_source=ad")
    assert (again, application.asked) == (first, 1 if is_kept else 2)


def test_strangers_cannot_fill_the_memory_with_codings(monkeypatch):
    monkeypatch.setattr("web.server.front.MAX_KEPT", 1)
    front = front_of(application := Application(), pages={"/"})
    for coding in (b"br", b"junk", b"junk", b"br"):
        ask(front, (b"accept-encoding", coding), method="GET", path="/")
    assert application.asked == 3


def test_a_receipt_is_no_page_that_is_kept(app):
    front = front_of(app, get_fixed_pages(app))
    for reference in (b"111111", b"222222"):
        _, page = ask(front, method="GET", path="/thank-you", query_string=b"reference=" + reference)
        assert reference in page["body"]


def test_a_request_is_told_in_wsgis_way_without_names_that_no_proxy_cleans():
    application = Application()
    ask(
        application,
        (b"x-forwarded-for", b"198.51.100.1"),
        (b"x_forwarded_for", b"203.0.113.66"),
        (b"content_type", b"forged"),
        (b"x-forwarded-for", b"198.51.100.2"),
        (b"content-length", b"7"),
        path="/café",
    )
    environ = application.environ
    assert environ["HTTP_X_FORWARDED_FOR"] == "198.51.100.1,198.51.100.2"
    assert "CONTENT_TYPE" not in environ
    assert (environ["CONTENT_LENGTH"], environ["wsgi.input"].read()) == ("5", b"hello")
    assert environ["REMOTE_ADDR"] == "203.0.113.9"
    assert environ["PATH_INFO"] == "/café".encode().decode("latin-1")


def test_half_a_body_is_never_passed_on():
    application = Application()
    assert ask(application, messages=CUT_OFF) == []
    assert application.environ is None


class Film:
    closed = read = 0

    def __iter__(self):
        while self.read < 100:
            self.read += 1
            yield bytes(PIECE_BYTES // 2)

    def close(self):
        self.closed += 1


def test_a_long_answer_goes_out_in_pieces_and_is_closed_when_the_visitor_leaves():
    sent = ask(Application(film := Film()), path="/film")
    sizes = [len(message.get("body", b"")) for message in sent]
    assert (sum(sizes), max(sizes), film.closed) == (50 * PIECE_BYTES, PIECE_BYTES, 1)
    ask(Application(film := Film()), path="/film", messages=(*WHOLE, {"type": "http.disconnect"}))
    assert (film.closed, film.read < 10) == (1, True)


def test_what_the_application_raises_says_nothing_of_the_visitor():
    def explode(_environ, _start):
        raise ValueError("ada@example.com")

    with pytest.raises(RuntimeError, match="ValueError in the application") as raised:
        ask(explode)
    assert raised.value.__suppress_context__
