"""Headers that only a proxy may set, and requests for what is not public."""

from __future__ import annotations

from proofs.harness.case import require
from proofs.hostile.case import case
from proofs.hostile.target import Target

FORGED = b"203.0.113.66"


@case("headers.no-proxy", "without a trusted proxy no header changes the visitor's address")
def no_proxy(target: Target) -> str:
    """Every name that proxies use."""
    names = (
        b"X-Forwarded-For",
        b"X_Forwarded_For",
        b"Forwarded",
        b"X-Real-IP",
        b"CF-Connecting-IP",
        b"True-Client-IP",
    )
    for name in names:
        require(
            _stored_address(target, target.port, name + b": " + FORGED) == "127.0.0.1", f"{name!r} was believed"
        )
    return f"{len(names)} names ignored"


@case(
    "headers.underscores", "with a trusted proxy a name with underscores forges neither the address nor the country"
)
def underscores(target: Target) -> str:
    """X_Forwarded_For beside the proxy's own X-Forwarded-For, in both orders."""
    port = target.site({"TRUSTED_PROXY_HOPS": "1"}).process.port
    real, forged = b"X-Forwarded-For: 198.51.100.1", b"X_Forwarded_For: " + FORGED
    for headers in ((real, forged), (forged, real)):
        address = _stored_address(target, port, *headers)
        require(address == "198.51.100.1", f"{address} was stored")
    answer = target.ask(b"GET /api/geo HTTP/1.1\r\nHost: x\r\nCF_IPCountry: FR\r\n\r\n", port=port)
    require(b'{"country_code":null}' in answer, f"CF_IPCountry was believed: {answer[-60:]!r}")
    return "4 forgeries ignored"


@case("headers.country", "without a trusted proxy no header names the visitor's country, not even the CDN's")
def country(target: Target) -> str:
    """The name that is set, and others."""
    port = target.site({"COUNTRY_HEADER": "CF-IPCountry"}).process.port
    names = (b"CF-IPCountry", b"cf-ipcountry", b"CloudFront-Viewer-Country", b"X-Country-Code")
    for name in names:
        answer = target.ask(b"GET /api/geo HTTP/1.1\r\nHost: x\r\n" + name + b": FR\r\n\r\n", port=port)
        require(b'{"country_code":null}' in answer, f"{name!r} was believed: {answer[-60:]!r}")
    return f"{len(names)} names ignored"


@case("headers.metrics", "the public port serves no metrics, whatever the request claims to be")
def metrics(target: Target) -> str:
    """With and without what proxies add."""
    claims = (b"", b"X-Forwarded-For: 127.0.0.1\r\n", b"X-Real-IP: 127.0.0.1\r\n", b"Authorization: Bearer x\r\n")
    for claim in claims:
        answer = target.ask(b"GET /metrics HTTP/1.1\r\nHost: localhost\r\n" + claim + b"\r\n")
        require(answer.startswith(b"HTTP/1.1 404 "), f"{claim!r}: {answer[:40]!r}")
        require(b"clinic_" not in answer, f"{claim!r}: metrics were served")
    return f"{len(claims)} requests refused"


@case("headers.answers", "no answer names the server or may be framed, and none below /api may be cached")
def answers(target: Target) -> str:
    """Pages, the API, refusals of both, and of the server itself."""
    sent = {
        "a page": b"GET / HTTP/1.1\r\nHost: x\r\n\r\n",
        "no page": b"GET /nothing HTTP/1.1\r\nHost: x\r\n\r\n",
        "a receipt": target.post(target.lead()),
        "a refusal": target.post(b"{}"),
        "geo": b"GET /api/geo HTTP/1.1\r\nHost: x\r\n\r\n",
        "nothing there": b"GET /api/nothing HTTP/1.1\r\nHost: x\r\n\r\n",
        "not HTTP": b"\x00\r\n\r\n",
    }
    for name, words in sent.items():
        head = target.ask(words).split(b"\r\n\r\n")[0].lower() + b"\r\n"
        require(b"\r\nserver:" not in head and b"uvicorn" not in head, f"{name} names the server: {head!r}")
        if name != "not HTTP":
            require(b"x-frame-options: deny\r\n" in head, f"{name} may be framed")
        if name not in {"a page", "no page", "not HTTP"}:
            require(b"cache-control: no-store\r\n" in head, f"{name} may be kept: {head!r}")
    return f"{len(sent)} answers"


def _stored_address(target: Target, port: int, *headers: bytes) -> str:
    body = target.lead()
    answer = target.ask(target.post(body, *headers), port=port)
    require(answer.startswith(b"HTTP/1.1 201 "), f"the enquiry was answered {answer[:40]!r}")
    (found,) = target.rows("SELECT ip_address FROM leads ORDER BY created_at DESC LIMIT 1")
    return str(found[0])
