"""The proxy's own configuration in a real nginx, before a site that records what reaches it."""

import json
import re
import socket
import ssl
import threading
from contextlib import ExitStack
from http.client import HTTPResponse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from tests.support.samples import TRACEPARENT
from tools.servers.nginx import FLOWER_HOST, HOST, PHONE, PROGRAM, WHATSAPP, Nginx
from tools.servers.state_files import free_port
from tools.servers.waiting import wait_until

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(PROGRAM is None, reason="nginx is not installed (Debian, Ubuntu: apt install nginx-light)"),
]

VISITOR, STRANGER = "127.0.0.1", "127.0.0.2"  # both are this machine: limits are per address


class Site(BaseHTTPRequestHandler):
    """Answers with the request's headers; `seen` counts requests."""

    protocol_version = "HTTP/1.1"
    seen: list[str]

    def do_GET(self):
        self.seen.append(self.path)
        refused = self.path == "/api/refused"
        body = b"the site's own words" if refused else json.dumps(list(self.headers.items())).encode()
        self.send_response(429 if refused else 200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self):
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.do_GET()

    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def proxy(tmp_path_factory):
    seen: list[str] = []
    site = ThreadingHTTPServer(("127.0.0.1", 0), type("Recorded", (Site,), {"seen": seen}))
    threading.Thread(target=site.serve_forever, args=[0.01], daemon=True).start()
    with Nginx(tmp_path_factory.mktemp("proxy"), site.server_port, flower_port=site.server_port) as nginx:
        nginx.seen = seen
        yield nginx
    site.shutdown()
    site.server_close()


def ask(proxy, head, body=b"", source=VISITOR):
    """One request; returns the status and the text after the headers."""
    with proxy.connect(source) as connection:
        connection.sendall(head.replace("\n", "\r\n").encode() + b"\r\n" + body)
        response = http_answer(connection)
        return response.status, response.read().decode()


def http_answer(connection):
    response = HTTPResponse(connection)
    response.begin()
    return response


def get(proxy, path="/", more=""):
    return ask(proxy, f"GET {path} HTTP/1.1\nHost: {HOST}\nConnection: close\n{more}")


def test_what_a_visitor_writes_about_addresses_counts_for_nothing(proxy):
    forged = (
        "X-Forwarded-For: 198.51.100.1\nX_Forwarded_For: 198.51.100.2\nForwarded: for=198.51.100.3\n"
        "X-Real-IP: 198.51.100.4\nX-Forwarded-Host: evil.example\nCF_IPCountry: FR\nX-Request-ID: of-a-stranger\n"
        f"traceparent: {TRACEPARENT}\n"
        "CF-IPCountry: FR\nX-Country-Code: FR\nX-Vercel-IP-Country: FR\n"
    )
    status, text = get(proxy, more=forged)
    headers = {name.lower(): value for name, value in json.loads(text)}
    assert status == 200
    assert headers["x-forwarded-for"] == "127.0.0.1"
    assert headers["x-forwarded-proto"] == "https"
    assert headers["host"] == HOST
    assert re.fullmatch("[0-9a-f]{32}", headers["x-request-id"])
    assert wait_until(lambda: headers["x-request-id"] in proxy.log.read_text(), 10)
    dropped = {"x_forwarded_for", "forwarded", "x-real-ip", "x-forwarded-host", "cf_ipcountry", "traceparent"}
    assert not dropped & set(headers)
    assert not [name for name in headers if "country" in name]


def test_metrics_are_not_forwarded(proxy):
    before = len(proxy.seen)
    assert get(proxy, "/metrics")[0] == 404
    assert get(proxy, "/metrics?x=1")[0] == 404
    assert get(proxy, "/%6detrics")[0] == 404
    assert len(proxy.seen) == before


def test_plain_http_leads_to_tls(proxy):
    with socket.create_connection(("127.0.0.1", proxy.http), 20) as connection:
        connection.sendall(b"GET /offers?x=1 HTTP/1.1\r\nHost: other.example\r\nConnection: close\r\n\r\n")
        answer = b"".join(iter(lambda: connection.recv(4096), b"")).decode()
    assert answer.startswith("HTTP/1.1 308 ")
    assert f"location: https://{HOST}/offers?x=1\r\n" in answer.lower().replace(HOST.lower(), HOST)


def test_another_name_gets_no_certificate(proxy):
    raw = socket.create_connection(("127.0.0.1", proxy.https), 20)
    with raw, pytest.raises(ssl.SSLError, match=r"(?i)unrecognized.name"):
        ssl.create_default_context().wrap_socket(raw, server_hostname="other.example")


def test_a_body_too_large_never_reaches_the_site(proxy):
    before = len(proxy.seen)
    head = f"POST /api/leads HTTP/1.1\nHost: {HOST}\nConnection: close\nContent-Length: 70000\n"
    status, text = ask(proxy, head)
    assert (status, json.loads(text)["message"]) == (413, "The request is too large. The limit is 64 KiB.")
    assert len(proxy.seen) == before


def test_one_address_has_a_limit_and_others_do_not_feel_it(proxy):
    head = f"POST /api/leads HTTP/1.1\r\nHost: {HOST}\r\nContent-Length: 500\r\n\r\n{{".encode()
    with ExitStack() as stack:
        for _ in range(400):
            stack.enter_context(proxy.connect(STRANGER)).sendall(head)
        wanted = f"GET / HTTP/1.1\nHost: {HOST}\nConnection: close\n"
        assert wait_until(lambda: ask(proxy, wanted, source=STRANGER)[0] == 429, 8)
        assert get(proxy)[0] == 200
        assert_told(proxy, STRANGER, 429)


def assert_told(proxy, source, status):
    """A refusal of the proxy's own tells scripts and people how else to reach the clinic, and when to retry."""
    for path in ("/api/leads", "/enquiry", "/offers.jpg"):
        with proxy.connect(source) as connection:
            connection.sendall(f"GET {path} HTTP/1.1\r\nHost: {HOST}\r\nConnection: close\r\n\r\n".encode())
            answer = http_answer(connection)
            text = answer.read().decode()
        assert (answer.status, answer.getheader("Retry-After")) == (status, "10"), path
        assert answer.getheader("Cache-Control") == "no-store"
        assert PHONE in text
        if path.startswith("/api/"):
            assert answer.getheader("Content-Type") == "application/json"
            assert json.loads(text).keys() == {"code", "status", "message"}
            assert json.loads(text)["code"] == status
        else:
            assert answer.getheader("Content-Type") == "text/html; charset=utf-8"
            assert f'href="https://wa.me/{WHATSAPP}"' in text


def test_while_the_site_is_away_visitors_are_told_so_too(tmp_path):
    with Nginx(tmp_path / "alone", free_port()) as alone:
        assert_told(alone, VISITOR, 503)


def test_what_the_site_itself_refuses_passes_as_it_is(proxy):
    assert get(proxy, "/api/refused") == (429, "the site's own words")


def test_a_flower_that_is_published_gets_few_guesses(proxy):
    def guess():
        with proxy.connect(STRANGER, name=FLOWER_HOST) as connection:
            head = f"GET /outbox HTTP/1.1\r\nHost: {FLOWER_HOST}\r\n"
            connection.sendall(f"{head}Connection: close\r\n\r\n".encode())
            return http_answer(connection).status

    assert guess() == 200
    assert 429 in [guess() for _ in range(200)]


def test_the_log_has_no_query(proxy):
    get(proxy, "/?email=ann@example.com&gclid=secret")
    assert wait_until(lambda: '"GET /" 200' in proxy.log.read_text(), 10)
    assert "ann@example.com" not in proxy.log.read_text()
