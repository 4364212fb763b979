"""Where requests are answered, and what reaches the application."""

import asyncio
import threading

import pytest

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
    """Remembers what it was asked, and on which thread."""

    environ = None

    def __init__(self, answer=(b"{}",)):
        self.answer = answer

    def __call__(self, environ, start):
        self.environ, self.thread = environ, threading.current_thread()
        start("201 Created", [])
        return self.answer


def ask(application, *headers, messages=WHOLE, **changed):
    """The ASGI messages of the answer."""
    front = Front(application, lambda path: path.startswith("/api/"), threads=1)
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
