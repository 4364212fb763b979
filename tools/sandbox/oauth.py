"""Zoho's accounts server: minting access tokens, and all its refusals."""

from typing import Final
from urllib.parse import parse_qsl

from tools.sandbox.credentials import CLIENT_ID, CLIENT_SECRET, REFRESH_TOKEN
from tools.sandbox.exchange import HttpRequest, Outcome, Steps
from tools.sandbox.ledger import Call
from tools.sandbox.replies import Reply, server_error
from tools.sandbox.state import Sandbox
from tools.sandbox.tokens import SCOPE

TOKEN_PATH: Final = "/oauth/v2/token"  # noqa: S105 - an address
_CONTINUOUSLY: Final = "You have made too many requests continuously. Please try again after some time."
THROTTLED: Final = Reply(400, {"error_description": _CONTINUOUSLY, "error": "Access Denied", "status": "failure"})

CREDENTIALS: Final = (
    ("client_id", CLIENT_ID, "invalid_client"),
    ("client_secret", CLIENT_SECRET, "invalid_client_secret"),
    ("grant_type", "refresh_token", "invalid_code"),
    ("refresh_token", REFRESH_TOKEN, "invalid_code"),
)
"""Each parameter with its value, and the error of another one."""


def token_steps(sandbox: Sandbox, http: HttpRequest) -> Steps:
    """Mint a token, unless a fault strikes."""
    call = Call("oauth", "POST", http.path, sandbox.clock(), sandbox.in_flight.total)
    call.request_id = http.headers.get("X-Request-ID")
    call.user_agent = http.headers.get("User-Agent")
    if sandbox.strike("outage", call) is not None or sandbox.strike("drop", call, only_named=True) is not None:
        sandbox.write_call(call)
        yield Outcome(ending="drop")
        return
    if (hang := sandbox.strike("hang", call, only_named=True)) is not None:
        sandbox.write_call(call)
        yield Outcome(ending="hang", seconds=hang["seconds"])
        return
    if (slow := sandbox.strike("latency", call, only_named=True)) is not None:
        yield slow["ms"] / 1_000
    with sandbox.ledger.transaction():
        reply = _mint(sandbox, http, call)
        call.status = reply.status
        call.code = str(reply.body["error"]) if isinstance(reply.body, dict) and "error" in reply.body else None
        sandbox.write_call(call)
    yield Outcome(reply)


def _mint(sandbox: Sandbox, http: HttpRequest, call: Call) -> Reply:
    tokens = sandbox.tokens
    if (fault := sandbox.strike("token_error", call)) is not None:
        return server_error(fault["status"])
    if sandbox.strike("token_throttled", call) is not None:
        return THROTTLED
    if (fault := sandbox.strike("token_refused", call)) is not None:
        return Reply(200, {"error": fault["error"]})
    # In the query or as a form; the form counts.
    given = http.params() | dict(parse_qsl(http.body.decode("latin-1")))
    for name, value, error in CREDENTIALS:
        if given.get(name) != value:
            return Reply(200, {"error": error})
    if tokens.throttled():
        return THROTTLED
    call.committed = True
    token = {"access_token": tokens.mint(REFRESH_TOKEN), "expires_in": sandbox.limits.token_life_s}
    return Reply(200, token | {"scope": SCOPE, "api_domain": http.origin, "token_type": "Bearer"})
