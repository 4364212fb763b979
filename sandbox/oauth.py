"""Zoho's accounts server: minting access tokens, and all its refusals."""

from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import parse_qsl

from sandbox.credentials import CLIENT_ID, CLIENT_SECRET, REFRESH_TOKEN
from sandbox.exchange import HttpRequest, Outcome, Steps
from sandbox.ledger import Call
from sandbox.replies import Reply, server_error
from sandbox.state import Sandbox
from sandbox.tokens import SCOPE

TOKEN_PATH: Final = "/oauth/v2/token"  # noqa: S105 - an address
_CONTINUOUSLY: Final = "You have made too many requests continuously. Please try again after some time."
THROTTLED: Final = Reply(400, {"error_description": _CONTINUOUSLY, "error": "Access Denied", "status": "failure"})


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
        token_call = _TokenCall(sandbox, http, call, _params(http))
        reply = token_call.mint()
        call.status = reply.status
        call.code = str(reply.body["error"]) if isinstance(reply.body, dict) and "error" in reply.body else None
        sandbox.write_call(call)
    yield Outcome(reply)


def _params(http: HttpRequest) -> dict[str, str]:
    """Return the parameters, which come in the query or as a form; the form counts."""
    return http.params() | dict(parse_qsl(http.body.decode("latin-1")))


@dataclass(frozen=True, slots=True)
class _TokenCall:
    sandbox: Sandbox
    http: HttpRequest
    call: Call
    params: dict[str, str]

    def mint(self) -> Reply:
        tokens = self.sandbox.tokens
        if (fault := self._fault()) is not None:
            return fault
        if (wrong := self._wrong_credentials()) is not None:
            return Reply(200, {"error": wrong})
        if tokens.throttled():
            return THROTTLED
        self.call.committed = True
        return Reply(
            200,
            {
                "access_token": tokens.mint(REFRESH_TOKEN),
                "scope": SCOPE,
                "api_domain": self.http.origin,
                "token_type": "Bearer",
                "expires_in": self.sandbox.limits.token_life_s,
            },
        )

    def _fault(self) -> Reply | None:
        if (params := self._strike("token_error")) is not None:
            return server_error(params["status"])
        if self._strike("token_throttled") is not None:
            return THROTTLED
        params = self._strike("token_refused")
        return None if params is None else Reply(200, {"error": params["error"]})

    def _strike(self, name: str) -> dict[str, Any] | None:
        return self.sandbox.strike(name, self.call)

    def _wrong_credentials(self) -> str | None:
        wanted = {
            "client_id": (CLIENT_ID, "invalid_client"),
            "client_secret": (CLIENT_SECRET, "invalid_client_secret"),
            "grant_type": ("refresh_token", "invalid_code"),
            "refresh_token": (REFRESH_TOKEN, "invalid_code"),
        }
        return next((error for name, (value, error) in wanted.items() if self.params.get(name) != value), None)
