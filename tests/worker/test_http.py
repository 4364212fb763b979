"""What `requests` would do by itself and the product does not want; and how a call without a reply ends."""

import gzip
import socket
import ssl
import threading
import tracemalloc
from contextlib import closing, suppress

import pytest

from leads.logs import TRACEPARENT
from tests.support import samples
from worker import http
from worker.http import Deadline, HttpClient, NoReply, Request

SECONDS = 0.5
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
    with closing(HttpClient()) as client:
        yield client


def reply(body=b"{}", *, status=b"200 OK", headers=b""):
    return b"HTTP/1.1 %b\r\n%bContent-Length: %d\r\n\r\n%b" % (status, headers, len(body), body)


def get(client, server, **more):
    return client.exchange(Request("GET", server.url, {}, **more), Deadline(SECONDS))


def test_a_call_carries_the_trace_that_it_belongs_to(client, serve):
    server = serve(reply(), reply())
    before = TRACEPARENT.set(samples.TRACEPARENT)
    get(client, server)
    TRACEPARENT.reset(before)
    get(client, server)
    traced = [f"traceparent: {samples.TRACEPARENT}\r\n".encode() in request for request in server.requests]
    assert traced == [True, False]


def test_a_redirect_is_an_answer_and_its_body_holds_nobody_up(client, serve):
    server = serve([b"HTTP/1.1 302 Found\r\nLocation: /elsewhere\r\nContent-Length: 99999\r\n\r\n", b"a"])
    assert get(client, server, reads_reply=False).status == 302
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    "answer",
    [
        [OK + b"\r\n", b"a"],
        [OK + b"Content-Length: 999999\r\n\r\n", b"a"],
        [OK + b"Content-Length: 9\r\n\r\n{}", b""],
        [OK + b"Transfer-Encoding: chunked\r\n\r\n", b"1\r\na\r\n"],
        [OK + b"Transfer-Encoding: chunked\r\n\r\n", b"1"],
        [b"", b""],
    ],
    ids=["without end", "of a length", "that stops", "in chunks", "in a chunk's size", "that never begins"],
)
def test_a_body_ends_at_the_deadline(client, serve, answer):
    with pytest.raises(NoReply) as failed:
        get(client, serve(answer))
    assert (failed.value.code, failed.value.sent) == ("TIMEOUT", True)


def test_a_certificate_that_nobody_vouches_for_gets_nothing(client, certificate):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*certificate)
    with closing(socket.create_server(("127.0.0.1", 0))) as listener:
        seen = []

        def shake_hands():
            with suppress(OSError), context.wrap_socket(listener.accept()[0], server_side=True) as safe:
                seen.append(safe.recv(9))

        thread = threading.Thread(target=shake_hands, daemon=True)
        thread.start()
        url = f"https://localhost:{listener.getsockname()[1]}"
        with pytest.raises(NoReply) as failed:
            client.exchange(Request("GET", url, {}), Deadline(9))
        thread.join(9)
    assert (failed.value.code, failed.value.detail, failed.value.sent, seen) == (
        "CONNECT_FAILED",
        "SSLCertVerificationError",
        False,
        [],
    )


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


def test_a_failure_tells_no_value_of_the_url(client):
    request = Request("GET", "http://127.0.0.1:1/path", {}, params={"criteria": "secret@example.com"})
    with pytest.raises(NoReply) as failed:
        client.exchange(request, Deadline(SECONDS))
    assert (failed.value.code, failed.value.detail) == ("CONNECT_FAILED", "ConnectionRefusedError")
    assert "secret" not in str(failed.value)
