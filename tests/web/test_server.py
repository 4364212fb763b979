"""The site under its real server: one process with few threads, as production starts it."""

from __future__ import annotations

import http.client
import json
import os
import signal
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter
from uuid import uuid4

import psycopg
import pytest

from dev.servers.state_files import free_port
from dev.visitors import GENEROUS
from tests.support.samples import PAYLOAD

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]


@contextmanager
def serving(database_url, dist, redis_url="redis://127.0.0.1:1/0", **more):
    port = free_port()
    stores = {"DATABASE_URL": database_url, "REDIS_URL": redis_url, "FRONTEND_DIR": str(dist)}
    ports = {"PORT": str(port), "METRICS_PORT": str(free_port()), "WEB_THREADS": "4"}
    environ = os.environ | stores | ports | GENEROUS | more
    process = subprocess.Popen([sys.executable, "-m", "web"], cwd=ROOT, env=environ)
    try:
        wait_for(lambda: answers(port))
        yield process, port, int(ports["METRICS_PORT"])
    finally:
        if process.poll() is None:
            process.terminate()
            process.wait(20)


def wait_for(condition, seconds=20.0):
    end = perf_counter() + seconds
    while not condition():
        assert perf_counter() < end, "waited too long"
        threading.Event().wait(0.05)


def answers(port):
    try:
        return get(port, "/healthz") == 200
    except OSError:
        return False


def get(port, path):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    try:
        connection.request("GET", path)
        return connection.getresponse().status
    finally:
        connection.close()


@contextmanager
def connected(port):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    try:
        yield connection
    finally:
        connection.close()


def post(connection, body, *, chunked=False, **headers):
    data = json.dumps(body).encode() if isinstance(body, dict) else body
    sent = iter([data[:100], data[100:]]) if chunked else data
    headers = {"Content-Type": "application/json"} | {
        name.replace("_", "-"): text for name, text in headers.items()
    }
    connection.request("POST", "/api/leads", body=sent, headers=headers, encode_chunked=chunked)
    response = connection.getresponse()
    return response.status, json.loads(response.read())


@pytest.fixture
def server(module_database_url, dist):
    with serving(module_database_url, dist) as running:
        yield running


def rows(url, key):
    with psycopg.connect(url) as connection:
        (count,) = connection.execute("SELECT count(*) FROM leads WHERE idempotency_key = %s", [key]).fetchone()
    return count


def test_one_connection_carries_many_requests_of_every_kind(server):
    _, port, _ = server
    with connected(port) as connection:
        first = None
        for _ in range(3):
            assert post(connection, PAYLOAD)[0] == 201
            first = first or connection.sock
            assert post(connection, {})[0] == 422
            connection.request("GET", "/")
            page = connection.getresponse()
            assert (page.status, b"Welcome" in page.read()) == (200, True)
            connection.request("HEAD", "/thank-you")
            assert connection.getresponse().read() == b""
        assert connection.sock is first


def test_bodies_in_chunks_are_read_and_limited(server):
    _, port, _ = server
    with connected(port) as connection:
        assert post(connection, PAYLOAD, chunked=True, Transfer_Encoding="chunked")[0] == 201
    with connected(port) as connection:
        status, answer = post(
            connection, json.dumps(PAYLOAD).encode().ljust(70_000), chunked=True, Transfer_Encoding="chunked"
        )
        assert (status, answer["code"]) == (413, 413)
    with connected(port) as connection:
        assert post(connection, json.dumps(PAYLOAD).encode().ljust(70_000))[0] == 413


def test_a_film_arrives_whole_in_pieces_and_in_ranges(server, dist):
    _, port, _ = server
    film = bytes(range(256)) * 3000
    (dist / "assets/film-3c4d.mp4").write_bytes(film)
    with connected(port) as connection:
        for asked, begin, end in (("", 0, len(film)), ("bytes=1000-", 1000, len(film)), ("bytes=5-9", 5, 10)):
            connection.request("GET", "/assets/film-3c4d.mp4", headers={"Range": asked} if asked else {})
            answer = connection.getresponse()
            assert answer.read() == film[begin:end]
            assert answer.status == (206 if asked else 200)


@pytest.mark.serial
def test_sigterm_ends_it_at_once_and_cleanly(server):
    process, port, _ = server
    with connected(port) as connection:
        assert post(connection, PAYLOAD)[0] == 201
        process.send_signal(signal.SIGTERM)
        assert process.wait(10) == 0


def test_every_lead_answered_before_the_stop_is_stored(server, module_database_url):
    process, port, _ = server
    kept = []

    def press_until_refused():
        with connected(port) as connection:
            try:
                while True:
                    key = str(uuid4())
                    if post(connection, PAYLOAD, Idempotency_Key=key)[0] == 201:
                        kept.append(key)
            except (OSError, http.client.HTTPException):
                return

    threads = [threading.Thread(target=press_until_refused) for _ in range(4)]
    for thread in threads:
        thread.start()
    wait_for(lambda: len(kept) > 40)
    process.terminate()
    assert process.wait(20) == 0
    for thread in threads:
        thread.join()
    assert all(rows(module_database_url, key) == 1 for key in kept)


def post_many(port, bodies):
    """Post them all at the same moment; return the answers in the bodies' order."""
    start = threading.Barrier(len(bodies))

    def press(body):
        with connected(port) as connection:
            connection.connect()
            start.wait()
            return post(connection, body, Idempotency_Key=str(uuid4()))

    with ThreadPoolExecutor(len(bodies)) as pool:
        return list(pool.map(press, bodies))


def test_enquiries_of_one_moment_share_commits_and_no_receipt(server, module_database_url):
    _, port, _ = server
    people = [PAYLOAD | {"email": f"together{number}@example.com"} for number in range(60)]
    answers = post_many(port, people)
    assert {status for status, _ in answers} == {201}
    with psycopg.connect(module_database_url) as connection:
        found = connection.execute(
            "SELECT email, id::text, reference, xmin::text FROM leads WHERE email LIKE 'together%'"
        ).fetchall()
    stored = {email: (lead_id, reference) for email, lead_id, reference, _ in found}
    receipts = [(answer["id"], answer["reference"]) for _, answer in answers]
    assert receipts == [stored[person["email"]] for person in people]
    assert len({reference for _, reference in receipts}) == 60
    assert len({transaction for *_, transaction in found}) < 40


def test_one_of_a_moment_that_cannot_be_stored_refuses_no_other(server, module_database_url):
    _, port, _ = server
    people = [PAYLOAD | {"email": f"beside{number}@example.com"} for number in range(30)]
    with psycopg.connect(module_database_url, autocommit=True) as connection:
        connection.execute("ALTER TABLE leads ADD CONSTRAINT not7 CHECK (email <> 'beside7@example.com')")
        try:
            answers = post_many(port, people)
        finally:
            connection.execute("ALTER TABLE leads DROP CONSTRAINT not7")
        (count,) = connection.execute("SELECT count(*) FROM leads WHERE email LIKE 'beside%'").fetchone()
    assert [status for status, _ in answers] == [201] * 7 + [500] + [201] * 22
    assert count == 29


def test_enquiries_need_no_thread(module_database_url, dist):
    """The only thread waits for a locked table; an enquiry is answered meanwhile."""
    with (
        serving(module_database_url, dist, WEB_THREADS="1") as (_, port, _),
        psycopg.connect(module_database_url) as lock,
        connected(port) as tap,
        connected(port) as enquiry,
    ):
        lock.execute("LOCK TABLE whatsapp_clicks")
        body = json.dumps({"uniqueCode": "A1B2C", "whatsappMessage": "Hello", "buttonLocation": "hero"})
        tap.request("POST", "/api/whatsapp-click", body, {"Content-Type": "application/json"})
        begun = perf_counter()
        assert post(enquiry, PAYLOAD)[0] == 201
        assert perf_counter() - begun < 2
        lock.rollback()
        assert tap.getresponse().status == 201
