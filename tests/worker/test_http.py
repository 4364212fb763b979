"""What `requests` would do by itself and the product does not want; and whose fault a lost exchange is."""

from __future__ import annotations

import gzip
import socket
import threading
import time
import tracemalloc
from contextlib import closing, suppress

import pytest

from worker import http
from worker.deadline import Deadline
from worker.http import HttpClient, NoReply, Request

SECONDS = 1.0
# What an exchange may take beyond its wall clock on a busy machine.
GRACE = 4.0
OK = b"HTTP/1.1 200 OK\r\n"


class Server:
    """Answers each request with the next of these byte strings, over as many connections as it takes.

    An answer that is a list is sent piece by piece with a pause, its last piece again and again.
    """

    def __init__(self, *answers):
        self.requests, self._clients = [], []
        self._answers = iter(answers)
        self._ended = threading.Event()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}/path"
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def connections(self):
        return len(self._clients)

    def drop(self):
        """End every connection, as a server does with an idle one."""
        for client in self._clients:
            client.shutdown(socket.SHUT_RDWR)

    def close(self):
        self._ended.set()
        self._listener.close()

    def _accept(self):
        with suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                self._clients.append(client)
                threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client):
        with suppress(OSError, StopIteration), client:
            while head := self._read_head(client):
                self.requests.append(head)
                answer = next(self._answers)
                if isinstance(answer, bytes):
                    client.sendall(answer)
                    continue
                for piece in answer[:-1]:
                    client.sendall(piece)
                while not self._ended.wait(0.1):
                    client.sendall(answer[-1])

    @staticmethod
    def _read_head(client):
        head = b""
        while b"\r\n\r\n" not in head and (more := client.recv(65536)):
            head += more
        return head


@pytest.fixture
def serve():
    made = []

    def serve(*answers):
        made.append(Server(*answers))
        return made[-1]

    yield serve
    for server in made:
        server.close()


@pytest.fixture
def client():
    with closing(HttpClient(connect_seconds=SECONDS)) as client:
        yield client


def reply(body=b"{}", *, status=b"200 OK", headers=b""):
    return b"HTTP/1.1 %b\r\n%bContent-Length: %d\r\n\r\n%b" % (status, headers, len(body), body)


def get(client, server, **more):
    return client.exchange(Request("GET", server.url, {}, **more), Deadline(SECONDS))


def test_a_redirect_is_an_answer_and_its_body_holds_nobody_up(client, serve):
    server = serve([b"HTTP/1.1 302 Found\r\nLocation: /elsewhere\r\nContent-Length: 99999\r\n\r\n", b"a"])
    assert get(client, server, reads_reply=False).status == 302
    assert len(server.requests) == 1


def test_a_body_that_is_not_wanted_is_not_waited_for(client, serve):
    assert get(client, serve([OK + b"\r\n", b"a"]), reads_reply=False).status == 200


def test_a_body_that_drips_ends_at_the_deadline(client, serve):
    begun = time.monotonic()
    with pytest.raises(NoReply) as failed:
        get(client, serve([OK + b"\r\n", b"a"]))
    assert time.monotonic() - begun < SECONDS + GRACE
    assert (failed.value.code, failed.value.sent) == ("TIMEOUT", True)


def test_no_cookie_comes_back(client, serve):
    server = serve(reply(headers=b"Set-Cookie: a=b\r\n"), reply())
    get(client, server)
    get(client, server)
    assert [b"cookie" in head.lower() for head in server.requests] == [False, False]
    assert server.connections == 1


def test_nothing_comes_from_the_environment(client, serve, monkeypatch, tmp_path):
    (tmp_path / ".netrc").write_text("machine 127.0.0.1 login ann password secret\n")
    (tmp_path / ".netrc").chmod(0o600)
    monkeypatch.setenv("NETRC", str(tmp_path / ".netrc"))
    for name in ("http_proxy", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    server = serve(reply())
    assert get(client, server).body == {}
    assert b"authorization" not in server.requests[0].lower()


def test_a_connection_that_was_closed_meanwhile_is_replaced_before_anything_is_sent(client, serve):
    server = serve(reply(), reply())
    get(client, server)
    server.drop()
    assert get(client, server).body == {}
    assert (server.connections, len(server.requests)) == (2, 2)


@pytest.mark.parametrize("packed", [False, True])
def test_a_reply_beyond_all_measure_is_given_up_before_it_fills_the_memory(client, serve, monkeypatch, packed):
    monkeypatch.setattr(http, "MAX_REPLY_BYTES", 200_000)
    body = b"a" * 20_000_000
    coding = b"Content-Encoding: gzip\r\n" if packed else b""
    server = serve(reply(gzip.compress(body) if packed else body, headers=coding))
    tracemalloc.start()
    with pytest.raises(NoReply) as failed:
        get(client, server)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert (failed.value.code, failed.value.detail) == ("CONNECTION_LOST", "ReplyTooLongError")
    assert peak < len(body) / 4


def test_all_addresses_of_a_name_share_the_limit_of_a_connection(client, serve, monkeypatch):
    server = serve(reply())
    port = int(server.url.split(":")[2].split("/")[0])
    silent = [socket.create_server(("127.0.0.1", 0), backlog=0) for _ in range(8)]
    # A listener whose backlog is full answers no further connection.
    held = [socket.create_connection(each.getsockname()) for each in silent]
    addresses = [each.getsockname() for each in silent] + [("127.0.0.1", port)]
    found = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", address) for address in addresses]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: found)
    begun = time.monotonic()
    assert client.exchange(Request("GET", server.url, {}), Deadline(10)).body == {}
    assert 0.5 < time.monotonic() - begun < SECONDS + GRACE
    for each in [*held, *silent]:
        each.close()


def test_a_client_that_has_no_time_left_opens_no_connection(client, serve):
    server = serve(reply())
    with pytest.raises(NoReply) as failed:
        client.exchange(Request("GET", server.url, {}), Deadline(0))
    assert (failed.value.code, failed.value.sent, server.connections) == ("NO_TIME_LEFT", False, 0)


def test_a_failure_tells_no_value_of_the_url(client):
    request = Request("GET", "http://127.0.0.1:1/path", {}, params={"criteria": "secret@example.com"})
    with pytest.raises(NoReply) as failed:
        client.exchange(request, Deadline(SECONDS))
    assert (failed.value.code, failed.value.detail) == ("CONNECT_FAILED", "ConnectionRefusedError")
    assert "secret" not in str(failed.value)
