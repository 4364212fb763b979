"""Visitors whose network is slow or gone hold nobody else up: the site as the Procfile starts it."""

from __future__ import annotations

import http.client
import json
import os
import socket
import subprocess
import sys
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from dev.servers.state_files import free_port
from dev.servers.waiting import wait_until
from tests.support.samples import PAYLOAD

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
HEAD = "POST /api/leads HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n"


@contextmanager
def site(database_url, dist, **environment):
    port = free_port()
    (line,) = (line for line in (ROOT / "Procfile").read_text().splitlines() if line.startswith("web: "))
    fixed = {
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "HOST": "127.0.0.1",
        "PORT": str(port),
        "DATABASE_URL": database_url,
        "REDIS_URL": "redis://127.0.0.1:1/0",
        "FRONTEND_DIR": str(dist),
    }
    command = ["sh", "-c", line.removeprefix("web: ")]
    process = subprocess.Popen(command, cwd=ROOT, env=os.environ | fixed | environment)
    try:
        assert wait_until(lambda: status_of(port) == 200, 30)
        yield port
    finally:
        process.terminate()
        process.wait(20)


def status_of(port, method="GET", path="/healthz", **options):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    try:
        connection.request(method, path, **options)
        return connection.getresponse().status
    except OSError:
        return None
    finally:
        connection.close()


@pytest.fixture
def visitors():
    with ExitStack() as stack:
        yield stack


def visit(visitors, port, words):
    client = visitors.enter_context(socket.socket())
    client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    client.connect(("127.0.0.1", port))
    client.sendall(words.encode())


def test_bodies_that_never_end_hold_no_enquiry_up(module_database_url, dist, visitors):
    with site(module_database_url, dist) as port:
        for _ in range(24):
            visit(visitors, port, HEAD + '{"name": "A')
        sent = {"body": json.dumps(PAYLOAD), "headers": {"Content-Type": "application/json"}}
        assert status_of(port, "POST", "/api/leads", **sent) == 201
        visitors.close()


@pytest.mark.parametrize("range_header", ["", "Range: bytes=0-\r\n"])
def test_films_on_their_way_to_slow_phones_hold_nobody_up(module_database_url, dist, visitors, range_header):
    (dist / "assets/tour-5e6f.mp4").write_bytes(bytes(24 * 1024 * 1024))
    with site(module_database_url, dist, WEB_THREADS="2") as port:
        for _ in range(3):
            visit(visitors, port, f"GET /assets/tour-5e6f.mp4 HTTP/1.1\r\nHost: x\r\n{range_header}\r\n")
            assert status_of(port) == 200
        visitors.close()
