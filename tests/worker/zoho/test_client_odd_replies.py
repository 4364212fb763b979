"""A reply of whatever bytes is a failed call, never an exception that a batch dies of."""

from __future__ import annotations

import socket
import threading
from contextlib import suppress

import pytest

from tests.support.token_store import MemoryTokenStore
from worker.crm.port import CallFailed

OK = b"HTTP/1.1 200 OK\r\n"


def json_reply(body, headers=b""):
    return b"%bContent-Type: application/json\r\n%bContent-Length: %d\r\n\r\n%b" % (OK, headers, len(body), body)


ODD = {
    "a list in a list, and so on": json_reply(b"[" * 50_000),
    "an object in an object, and so on": json_reply(b'{"data":' * 50_000),
    "a number of ten thousand digits": json_reply(b'{"data":%b}' % (b"9" * 10_000)),
    "NUL bytes": json_reply(b"\0" * 10),
    "bytes that are no text": json_reply(b'{"data": "\xff\xfe"}'),
    "an item that is a number": json_reply(b'{"data": [1]}'),
    "no JSON object": json_reply(b"true"),
    "nothing": json_reply(b""),
    "no HTTP": b"garbage\r\n\r\n",
    "a status that is no number": b"HTTP/1.1 abc OK\r\n\r\n",
    "a status beyond all": b"HTTP/1.1 99999 X\r\nContent-Length: 0\r\n\r\n",
    "a header that never ends": OK + b"X: " + b"a" * 100_000 + b"\r\n\r\n{}",
    "headers without number": OK + b"".join(b"X%d: a\r\n" % number for number in range(200)) + b"\r\n{}",
    "a coding it does not have": json_reply(b"no gzip", b"Content-Encoding: gzip\r\n"),
    "two lengths": OK + b"Content-Length: 2, 3\r\n\r\n{}",
    "chunks that are none": OK + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n",
    "times beyond the calendar": json_reply(b"{}", b"Retry-After: Fri, 31 Dec 9999 23:59:59 -1200\r\n"),
}


@pytest.fixture
def store():
    store = MemoryTokenStore()
    store.finish_mint("a-token", 3600.0)
    return store


def answer_once(listener, reply):
    with suppress(OSError), listener.accept()[0] as client:
        request = b""
        while b"\r\n\r\n" not in request and (chunk := client.recv(65536)):
            request += chunk
        client.sendall(reply)
        client.shutdown(socket.SHUT_WR)
        while client.recv(65536):
            continue


@pytest.mark.parametrize("reply", ODD.values(), ids=ODD.keys())
def test_the_call_fails_for(make_client, make_lead, store, reply):
    with socket.create_server(("127.0.0.1", 0)) as listener:
        threading.Thread(target=answer_once, args=[listener, reply], daemon=True).start()
        client = make_client(store, api_url=f"http://127.0.0.1:{listener.getsockname()[1]}")
        with pytest.raises(CallFailed):
            client.upsert(make_lead(), call_id="odd")
