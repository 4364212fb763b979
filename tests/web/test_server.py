"""The site under its real server, as production starts it."""

import http.client
import json
import socket
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager
from uuid import uuid4

import psycopg
import pytest

from tests.support.processes import WebProcess, wait_for
from tests.support.samples import PAYLOAD
from tools.servers.state_files import free_port
from web.__main__ import THREADS

pytestmark = pytest.mark.slow


@contextmanager
def serving(database_url, dist, folder):
    stores = {"DATABASE_URL": database_url, "REDIS_URL": "redis://127.0.0.1:1/0", "FRONTEND_DIR": str(dist)}
    metrics_port = free_port()
    web = WebProcess(free_port(), {**stores, "METRICS_PORT": str(metrics_port)}, folder / "web.log")
    web.metrics_port = metrics_port
    try:
        wait_for(lambda: answers(web.port), 20, "the site")
        yield web
    finally:
        web.kill()


def answers(port):
    try:
        with connected(port) as connection:
            connection.request("GET", "/healthz")
            return connection.getresponse().status == 200
    except OSError:
        return False


def connected(port):
    return closing(http.client.HTTPConnection("127.0.0.1", port, timeout=20))


def post(connection, body, *, key="", chunked=False, size=0):
    data = json.dumps(body).encode().ljust(size)
    sent = iter([data[:100], data[100:]]) if chunked else data
    headers = {"Content-Type": "application/json"} | ({"Idempotency-Key": key} if key else {})
    headers |= {"Transfer-Encoding": "chunked"} if chunked else {}
    connection.request("POST", "/api/leads", body=sent, headers=headers, encode_chunked=chunked)
    response = connection.getresponse()
    return response.status, json.loads(response.read())


@pytest.fixture
def web(module_database_url, dist, tmp_path):
    with serving(module_database_url, dist, tmp_path) as running:
        yield running


def test_one_connection_carries_many_requests_of_every_kind(web):
    with connected(web.port) as connection:
        first = None
        for chunked in (False, True, False):
            assert post(connection, PAYLOAD, chunked=chunked)[0] == 201
            first = first or connection.sock
            assert post(connection, {})[0] == 422
            connection.request("GET", "/")
            page = connection.getresponse()
            assert (page.status, b"Welcome" in page.read()) == (200, True)
            connection.request("HEAD", "/thank-you")
            assert connection.getresponse().read() == b""
        assert connection.sock is first


def test_a_port_that_is_taken_is_named_and_visitors_are_served_without_metrics(module_database_url, dist, tmp_path):
    given = {"DATABASE_URL": module_database_url, "FRONTEND_DIR": str(dist)}
    with socket.create_server(("127.0.0.1", 0)) as other:
        taken = other.getsockname()[1]
        web = WebProcess(free_port(), {**given, "METRICS_PORT": str(taken)}, tmp_path / "web.log")
        try:
            wait_for(lambda: answers(web.port), 20, "the site")
        finally:
            web.kill()
        second = WebProcess(taken, given, tmp_path / "second.log")
        wait_for(lambda: not second.alive(), 20, "its end")
    assert f"no metrics are served: port {taken}: Address already in use" in web.text
    assert second.text.startswith(f"port {taken}: Address already in use")
    assert second.text.endswith("or set PORT to another port\n")


@pytest.mark.parametrize("chunked", [False, True])
def test_bodies_are_limited_with_and_without_a_length(web, chunked):
    with connected(web.port) as connection:
        status, answer = post(connection, PAYLOAD, chunked=chunked, size=70_000)
        assert (status, answer["code"]) == (413, 413)


def test_a_film_arrives_whole_in_pieces_and_in_ranges(web, dist):
    film = bytes(range(256)) * 3000
    (dist / "assets/film-3c4d.mp4").write_bytes(film)
    with connected(web.port) as connection:
        for asked, begin, end in (("", 0, len(film)), ("bytes=1000-", 1000, len(film)), ("bytes=5-9", 5, 10)):
            connection.request("GET", "/assets/film-3c4d.mp4", headers={"Range": asked} if asked else {})
            answer = connection.getresponse()
            assert (answer.status, answer.read()) == (206 if asked else 200, film[begin:end])


@pytest.mark.parametrize("range_header", ["", "Range: bytes=0-\r\n"])
def test_films_on_their_way_to_slow_phones_hold_nobody_up(web, dist, range_header):
    (dist / "assets/film-3c4d.mp4").write_bytes(bytes(24 * 1024 * 1024))
    with ExitStack() as phones:
        for _ in range(THREADS + 1):
            phone = phones.enter_context(socket.socket())
            phone.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            phone.connect(("127.0.0.1", web.port))
            phone.sendall(f"GET /assets/film-3c4d.mp4 HTTP/1.1\r\nHost: x\r\n{range_header}\r\n".encode())
            assert answers(web.port)


@pytest.mark.process
def test_it_stops_at_once_and_every_lead_answered_before_is_stored(web, module_database_url):
    kept = []

    def press_until_refused():
        with connected(web.port) as connection:
            try:
                while True:
                    key = str(uuid4())
                    if post(connection, PAYLOAD, key=key)[0] == 201:
                        kept.append(key)
            except (OSError, http.client.HTTPException):
                return

    threads = [threading.Thread(target=press_until_refused) for _ in range(4)]
    for thread in threads:
        thread.start()
    with connected(web.port) as idle:
        assert post(idle, PAYLOAD)[0] == 201
        wait_for(lambda: len(kept) > 40, 20, "forty leads")
        web.stop_within(10)
    for thread in threads:
        thread.join()
    with psycopg.connect(module_database_url) as connection:
        stored = connection.execute(
            "SELECT idempotency_key FROM leads WHERE idempotency_key IS NOT NULL"
        ).fetchall()
    assert set(kept) <= {key for (key,) in stored}


def post_many(port, bodies):
    """Post them all at the same moment; return the answers in the bodies' order."""
    start = threading.Barrier(len(bodies))

    def press(body):
        with connected(port) as connection:
            connection.connect()
            start.wait()
            return post(connection, body, key=str(uuid4()))

    with ThreadPoolExecutor(len(bodies)) as pool:
        return list(pool.map(press, bodies))


def test_enquiries_of_one_moment_share_commits_and_no_receipt(web, module_database_url):
    people = [PAYLOAD | {"email": f"together{number}@example.com"} for number in range(60)]
    answers = post_many(web.port, people)
    assert {status for status, _ in answers} == {201}
    sql = "SELECT email, id::text, reference, xmin::text FROM leads WHERE email LIKE 'together%'"
    with psycopg.connect(module_database_url) as connection:
        found = connection.execute(sql).fetchall()
    stored = {email: (lead_id, reference) for email, lead_id, reference, _ in found}
    receipts = [(answer["id"], answer["reference"]) for _, answer in answers]
    assert receipts == [stored[person["email"]] for person in people]
    assert len({reference for _, reference in receipts}) == 60
    assert len({transaction for *_, transaction in found}) < 40


def test_one_of_a_moment_that_cannot_be_stored_refuses_no_other(web, module_database_url):
    people = [PAYLOAD | {"email": f"beside{number}@example.com"} for number in range(30)]
    with psycopg.connect(module_database_url, autocommit=True) as connection:
        connection.execute("ALTER TABLE leads ADD CONSTRAINT not7 CHECK (email <> 'beside7@example.com')")
        try:
            answers = post_many(web.port, people)
        finally:
            connection.execute("ALTER TABLE leads DROP CONSTRAINT not7")
        (count,) = connection.execute("SELECT count(*) FROM leads WHERE email LIKE 'beside%'").fetchone()
    assert [status for status, _ in answers] == [201] * 7 + [500] + [201] * 22
    assert count == 29
