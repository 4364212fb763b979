"""Requests that no browser sends, to the site's own port: broken, ambiguous, forged, of any type."""

import json

import psycopg
import pytest

from tests.process.strangers import HOST, get, lead, post, talk

pytestmark = pytest.mark.process

# What a second server could read as the beginning of another request, if the two disagreed on where this one ends.
INNER = b"GET /healthz HTTP/1.1\r\nHost: clinic.test\r\n\r\n"
POST = b"POST /api/leads HTTP/1.1\r\n" + HOST
CHUNKED = b"Transfer-Encoding: chunked\r\n"
SMUGGLED = {
    "length and chunks": POST + b"Content-Length: 5\r\n" + CHUNKED + b"\r\n0\r\n\r\n",
    "chunks and length": POST + CHUNKED + b"Content-Length: 5\r\n\r\n0\r\n\r\n",
    "two lengths": POST + b"Content-Length: 0\r\nContent-Length: 44\r\n\r\n",
    "a list of lengths": POST + b"Content-Length: 0, 44\r\n\r\n",
    "a signed length": POST + b"Content-Length: +0\r\n\r\n",
    "a negative length": POST + b"Content-Length: -1\r\n\r\n",
    "a hexadecimal length": POST + b"Content-Length: 0x2c\r\n\r\n",
    "a length of letters": POST + b"Content-Length: many\r\n\r\n",
    "a huge length": POST + b"Content-Length: 99999999999999999999\r\n\r\n",
    "a space before the colon": POST + b"Content-Length : 44\r\n\r\n",
    "another coding": POST + b"Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n",
    "chunked twice": POST + b"Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n",
    "a folded coding": POST + b"Transfer-Encoding:\r\n chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n",
    "a bare line feed": b"GET / HTTP/1.1\nHost: clinic.test\nX: y\n\n",
    "a bare return": POST + b"X: a\rContent-Length: 44\r\n\r\n",
    "a null in a header": POST + b"X: a\x00b\r\n\r\n",
    "a chunk size of words": POST + CHUNKED + b"\r\nzz\r\nx\r\n0\r\n\r\n",
    "a huge chunk size": POST + CHUNKED + b"\r\nfffffffffffffffff\r\nx\r\n0\r\n\r\n",
    "a chunk longer than its size": POST + CHUNKED + b"\r\n1\r\nxyz\r\n0\r\n\r\n",
    "a space in the target": b"GET / x HTTP/1.1\r\n" + HOST + b"\r\n",
    "HTTP/9.9": b"GET / HTTP/9.9\r\n" + HOST + b"\r\n",
}
WEBSOCKET = b"Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: x\r\nSec-WebSocket-Version: 13\r\n"
ODD = {
    "TLS": bytes.fromhex("16030100a5010000a10303") + b"x" * 100,
    "SSH": b"SSH-2.0-OpenSSH_9.0\r\n",
    "WebSocket": b"GET / HTTP/1.1\r\n" + HOST + WEBSOCKET + b"\r\n",
    "CONNECT": b"CONNECT clinic.test:443 HTTP/1.1\r\n" + HOST + b"\r\n",
    "OPTIONS *": b"OPTIONS * HTTP/1.1\r\n" + HOST + b"\r\n",
    "TRACE": b"TRACE / HTTP/1.1\r\n" + HOST + b"\r\n",
    "an absolute target": get(b"http://elsewhere.test/"),
    "an unknown method": b"BREW / HTTP/1.1\r\n" + HOST + b"\r\n",
    "bytes in the target": get(b"/\xff\xfe"),
    "escapes in the target": get(b"/%ff%00%2e%2e%2f"),
}
STRANGE = (None, True, -1, 1e308, 10**300, [], {}, [[]], "", "\x00", "\ud800", "💥" * 5000)
FIELDS = ("name", "email", "phone", "countryCode", "message", "utmSource", "timestamp", "firstTouch", "website")
FORGED, CLOSE = b"203.0.113.66", b"Connection: close"


@pytest.fixture(scope="module")
def shared_site(start_site):
    return start_site()


@pytest.fixture
def site(shared_site):
    """The site under attack; whatever comes, it must go on afterwards."""
    yield shared_site
    assert shared_site.alive()
    assert shared_site.ask("GET", "/healthz").status == 200


@pytest.fixture
def rows(module_database_url):
    def ask(query, *values):
        with psycopg.connect(module_database_url) as connection:
            return connection.execute(query, values).fetchall()

    return ask


def test_a_request_whose_end_could_be_read_in_two_ways_is_refused_and_nothing_after_it_answered(site):
    answers = {name: talk(site.port, words + INNER) for name, words in SMUGGLED.items()}
    assert {
        name: answer
        for name, answer in answers.items()
        if answer and (answer.count(b"HTTP/1.1 ") != 1 or answer[9:12] not in {b"400", b"501", b"505"})
    } == {}


def test_a_body_shorter_than_it_says_is_not_stored_even_if_what_came_is_whole_json(site, rows):
    body = lead()
    head = POST + b"Content-Type: application/json\r\n"
    longer = head + b"Content-Length: %d\r\n\r\n" % (len(body) + 1) + body
    endless = head + CHUNKED + b"\r\n%x\r\n%s\r\n" % (len(body), body)
    answers = [talk(site.port, words, half_close=True) for words in (longer, endless)]
    assert [answer for answer in answers if b" 201 " in answer] == []
    assert rows("SELECT id FROM leads WHERE email = %s", json.loads(body)["email"]) == []


def test_pipelined_requests_are_answered_in_order_and_garbage_ends_the_connection(site, rows):
    answer = talk(site.port, (get(b"/") + get(b"/nothing")) * 25)
    assert [part[:3] for part in answer.split(b"HTTP/1.1 ")[1:]] == [b"200", b"404"] * 25
    body = lead()
    answer = talk(site.port, post(body) + b"\x00\x01garbage\r\n\r\n")
    assert answer.count(b"HTTP/1.1 ") <= 1
    assert len(rows("SELECT id FROM leads WHERE email = %s", json.loads(body)["email"])) <= 1


def test_other_protocols_methods_and_targets_cause_no_server_error(site):
    answers = {name: talk(site.port, words) for name, words in ODD.items()}
    assert {name: answer for name, answer in answers.items() if answer and answer[9:10] not in {b"2", b"4"}} == {}


def test_values_of_any_type_and_size_are_refused_or_stored_and_a_key_given_twice_is_one_enquiry(site, rows):
    for field in FIELDS:
        for value in STRANGE:
            answer = talk(site.port, post(lead(**{field: value}), CLOSE))
            assert answer[9:12] in {b"201", b"400", b"413", b"422"}, (field, value)
    body = lead()
    assert talk(site.port, post(body[:-1] + b', "surname": "Last"}')).startswith(b"HTTP/1.1 201 ")
    assert rows("SELECT surname FROM leads WHERE email = %s", json.loads(body)["email"]) == [("Last",)]


def test_no_header_forges_the_address_or_the_country(site, start_site, rows):
    def address(port, *headers):
        assert b" 201 " in talk(port, post(lead(), *headers, CLOSE))
        return str(rows("SELECT ip_address FROM leads ORDER BY created_at DESC LIMIT 1")[0][0])

    for name in (b"X-Forwarded-For", b"X_Forwarded_For", b"Forwarded", b"X-Real-IP", b"CF-Connecting-IP"):
        assert address(site.port, name + b": " + FORGED) == "127.0.0.1", name
    behind_a_proxy = start_site(TRUSTED_PROXY_HOPS="1").port
    real, forged = b"X-Forwarded-For: 198.51.100.1", b"X_Forwarded_For: " + FORGED
    assert address(behind_a_proxy, real, forged) == address(behind_a_proxy, forged, real) == "198.51.100.1"
    unknown = b'{"country_code":null}'
    assert unknown in talk(behind_a_proxy, get(b"/api/geo", b"CF_IPCountry: FR", CLOSE))
    without_a_proxy = start_site(COUNTRY_HEADER="CF-IPCountry").port
    for name in (b"CF-IPCountry", b"cf-ipcountry", b"CloudFront-Viewer-Country", b"X-Country-Code"):
        assert unknown in talk(without_a_proxy, get(b"/api/geo", name + b": FR", CLOSE)), name


def test_no_answer_names_the_server_or_may_be_framed_and_none_of_the_api_may_be_kept(site):
    pages = {"a page": get(b"/", CLOSE), "no page": get(b"/nothing", CLOSE)}
    api = {"a receipt": post(lead(), CLOSE), "a refusal": post(b"{}", CLOSE)}
    for name, words in {**pages, **api, "not HTTP": b"\x00\r\n\r\n"}.items():
        head = talk(site.port, words).split(b"\r\n\r\n")[0].lower() + b"\r\n"
        assert b"\r\nserver:" not in head, name
        assert name == "not HTTP" or b"x-frame-options: deny\r\n" in head, name
        assert name not in api or b"cache-control: no-store\r\n" in head, name
