"""Bodies that are not enquiries: not JSON, not UTF-8, too deep, too long, of the wrong type."""

from __future__ import annotations

import gzip

from proofs.harness.case import require
from proofs.hostile.case import case
from proofs.hostile.target import Target

REFUSED = {b"400", b"413", b"415", b"422"}
DEEP = 20_000


@case("bodies.hostile", "a body that is not an enquiry is refused with a reason, and nothing is stored")
def hostile(target: Target) -> str:
    """Each is a whole request; only its body is wrong."""
    lead = target.lead()
    bodies = {
        "nothing": b"",
        "a null byte": b"\x00",
        "half a document": lead[:-1],
        "two documents": lead + lead,
        "an array": b"[" + lead + b"]",
        "a string": b'"enquiry"',
        "null": b"null",
        "NaN": lead[:-1] + b', "screen": NaN}',
        "Infinity": lead[:-1] + b', "screen": -Infinity}',
        "UTF-16": lead.decode().encode("utf-16"),
        "UTF-32": lead.decode().encode("utf-32"),
        "UTF-8 with a mark": b"\xef\xbb\xbf" + lead,
        "Latin-1": lead.replace(b"Ada", b"\xc4da"),
        "deep arrays": b"[" * DEEP + b"]" * DEEP,
        "deep objects": b'{"a":' * DEEP + b"1" + b"}" * DEEP,
        "64 KiB and a byte": lead.ljust(64 * 1024 + 1),
        "a form": b"name=Ada&surname=Sample",
    }
    for name, body in bodies.items():
        answer = target.ask(target.post(body))
        require(answer[9:12] in REFUSED, f"{name}: {answer[:40]!r}")
    other = {
        "gzip": target.post(gzip.compress(lead), b"Content-Encoding: gzip"),
        "a form's type": target.post(lead, content_type=b"application/x-www-form-urlencoded"),
        "text": target.post(lead, content_type=b"text/plain"),
    }
    for name, words in other.items():
        answer = target.ask(words)
        require(answer[9:12] in REFUSED, f"{name}: {answer[:40]!r}")
    require(target.count_stored(lead) == 0, "some of them were stored")
    return f"{len(bodies) + len(other)} bodies refused"


@case("bodies.values", "values of any type and size are refused or stored, and never cause a server error")
def values(target: Target) -> str:
    """Each field with what it does not expect."""
    strange: tuple[object, ...] = (None, True, -1, 1e308, 10**300, [], {}, [[]], "", "\x00", "\ud800", "💥" * 5000)
    fields = ("name", "email", "phone", "countryCode", "message", "utmSource", "timestamp", "firstTouch", "website")
    for field in fields:
        for value in strange:
            answer = target.ask(target.post(target.lead(**{field: value}), b"Connection: close"))
            require(answer[9:12] in REFUSED | {b"201"}, f"{field} = {value!r:.20}: {answer[:40]!r}")
    return f"{len(fields) * len(strange)} values"


@case("bodies.duplicate-keys", "a JSON object with a duplicate key is at most one enquiry")
def duplicate_keys(target: Target) -> str:
    """The last one counts, as JSON's readers do."""
    body = target.lead()
    answer = target.ask(target.post(body[:-1] + b', "surname": "Last"}'))
    require(answer.startswith(b"HTTP/1.1 201 "), f"it was answered {answer[:40]!r}")
    require(target.count_stored(body) == 1, "not exactly one was stored")
    (stored,) = target.rows("SELECT surname FROM leads ORDER BY created_at DESC LIMIT 1")
    require(stored == ("Last",), f"{stored} was stored")
    return "one row, the last value"
