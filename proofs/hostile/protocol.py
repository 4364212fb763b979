"""Requests that break the standards: smuggling, short bodies, garbage."""

from __future__ import annotations

from proofs.harness.case import require
from proofs.hostile.case import case
from proofs.hostile.target import Target

HOST = b"Host: clinic.test\r\n"
# What a second server could read as the beginning of another request, if the two disagreed on where this one ends.
INNER = b"GET /healthz HTTP/1.1\r\nHost: clinic.test\r\n\r\n"
POST = b"POST /api/leads HTTP/1.1\r\n" + HOST
CHUNKED = b"Transfer-Encoding: chunked\r\n"
SMUGGLED = {
    "length and chunks": POST + b"Content-Length: 5\r\n" + CHUNKED + b"\r\n0\r\n\r\n" + INNER,
    "chunks and length": POST + CHUNKED + b"Content-Length: 5\r\n\r\n0\r\n\r\n" + INNER,
    "two lengths": POST + b"Content-Length: 0\r\nContent-Length: 44\r\n\r\n" + INNER,
    "a list of lengths": POST + b"Content-Length: 0, 44\r\n\r\n" + INNER,
    "a signed length": POST + b"Content-Length: +0\r\n\r\n" + INNER,
    "a negative length": POST + b"Content-Length: -1\r\n\r\n" + INNER,
    "a hexadecimal length": POST + b"Content-Length: 0x2c\r\n\r\n" + INNER,
    "a length of letters": POST + b"Content-Length: many\r\n\r\n" + INNER,
    "a huge length": POST + b"Content-Length: 99999999999999999999\r\n\r\n" + INNER,
    "a space before the colon": POST + b"Content-Length : 44\r\n\r\n" + INNER,
    "another coding": POST + b"Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n" + INNER,
    "chunked twice": POST + b"Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n" + INNER,
    "a folded coding": POST + b"Transfer-Encoding:\r\n chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n" + INNER,
    "a bare line feed": b"GET / HTTP/1.1\nHost: clinic.test\nX: y\n\n" + INNER,
    "a bare return": POST + b"X: a\rContent-Length: 44\r\n\r\n" + INNER,
    "a null in a header": POST + b"X: a\x00b\r\n\r\n" + INNER,
    "a chunk size of words": POST + CHUNKED + b"\r\nzz\r\nx\r\n0\r\n\r\n" + INNER,
    "a huge chunk size": POST + CHUNKED + b"\r\nfffffffffffffffff\r\nx\r\n0\r\n\r\n" + INNER,
    "a chunk longer than its size": POST + CHUNKED + b"\r\n1\r\nxyz\r\n0\r\n\r\n" + INNER,
    "a space in the target": b"GET / x HTTP/1.1\r\n" + HOST + b"\r\n" + INNER,
    "HTTP/9.9": b"GET / HTTP/9.9\r\n" + HOST + b"\r\n" + INNER,
}


@case(
    "protocol.smuggling",
    "a request whose end could be read in two ways is refused, and nothing after it is answered",
)
def smuggling(target: Target) -> str:
    """Lengths and codings that contradict each other, or are written so that some servers read them."""
    for name, words in SMUGGLED.items():
        answer = target.ask(words)
        answers = answer.count(b"HTTP/1.1 ")
        is_refused = answer == b"" or (answers == 1 and answer[9:12] in {b"400", b"501", b"505"})
        require(is_refused, f"{name}: {answers} answers, the first {answer[:40]!r}")
    return f"{len(SMUGGLED)} shapes refused"


@case(
    "protocol.short-bodies",
    "a body shorter than it says is refused and not stored, even if what came is whole JSON",
)
def short_bodies(target: Target) -> str:
    """The visitor closes its half of the connection before the end."""
    body = target.lead()
    head = b"POST /api/leads HTTP/1.1\r\n" + HOST + b"Content-Type: application/json\r\n"
    for words in (
        head + b"Content-Length: %d\r\n\r\n" % (len(body) + 1) + body,
        head + CHUNKED + b"\r\n%x\r\n%s\r\n" % (len(body), body),
    ):
        answer = target.ask(words, half_close=True)
        require(b" 201 " not in answer, f"it was accepted: {answer[:40]!r}")
    require(target.count_stored(body) == 0, "it was stored")
    return "2 shapes refused"


@case(
    "protocol.pipelining",
    "pipelined requests are answered in their order, and garbage ends the connection",
)
def pipelining(target: Target) -> str:
    """50 requests in one write, then garbage behind an enquiry."""
    asked = b"GET / HTTP/1.1\r\n" + HOST + b"\r\n"
    missing = b"GET /nothing HTTP/1.1\r\n" + HOST + b"\r\n"
    answer = target.ask((asked + missing) * 25)
    statuses = [part[:3] for part in answer.split(b"HTTP/1.1 ")[1:]]
    require(statuses == [b"200", b"404"] * 25, f"the answers were {statuses}")
    body = target.lead()
    answer = target.ask(target.post(body) + b"\x00\x01garbage\r\n\r\n")
    require(answer.count(b"HTTP/1.1 ") <= 1, "garbage was answered beside the enquiry")
    require(target.count_stored(body) <= 1, "more was stored than sent")
    return "50 answers in order"


@case(
    "protocol.oddities", "other protocols, methods and targets are refused or answered, never with a server error"
)
def oddities(target: Target) -> str:
    """TLS, SSH, WebSocket, CONNECT, OPTIONS *, absolute targets."""
    websocket = (
        b"Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: x\r\nSec-WebSocket-Version: 13\r\n"
    )
    sent = {
        "TLS": bytes.fromhex("16030100a5010000a10303") + b"x" * 100,
        "SSH": b"SSH-2.0-OpenSSH_9.0\r\n",
        "WebSocket": b"GET / HTTP/1.1\r\n" + HOST + websocket + b"\r\n",
        "CONNECT": b"CONNECT clinic.test:443 HTTP/1.1\r\n" + HOST + b"\r\n",
        "OPTIONS *": b"OPTIONS * HTTP/1.1\r\n" + HOST + b"\r\n",
        "TRACE": b"TRACE / HTTP/1.1\r\n" + HOST + b"\r\n",
        "an absolute target": b"GET http://elsewhere.test/ HTTP/1.1\r\n" + HOST + b"\r\n",
        "an unknown method": b"BREW / HTTP/1.1\r\n" + HOST + b"\r\n",
        "bytes in the target": b"GET /\xff\xfe HTTP/1.1\r\n" + HOST + b"\r\n",
        "escapes in the target": b"GET /%ff%00%2e%2e%2f HTTP/1.1\r\n" + HOST + b"\r\n",
    }
    for name, words in sent.items():
        answer = target.ask(words)
        require(answer == b"" or answer[9:10] in {b"2", b"4"}, f"{name}: {answer[:40]!r}")
    return f"{len(sent)} shapes"
