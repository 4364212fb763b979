"""Zoho's accounts server: minting and revoking access tokens, and all its refusals."""

import asyncio
import time
from typing import Final

from dev.sandbox.ledger import Call
from dev.sandbox.replies import Reply, server_error
from dev.sandbox.tokens import CLIENT_ID, CLIENT_SECRET, REFRESH_TOKEN, SCOPE
from dev.sandbox.wire import WireHandler

THROTTLED: Final = Reply(
    400,
    {
        "error_description": "You have made too many requests continuously. Please try again after some time.",
        "error": "Access Denied",
        "status": "failure",
    },
)


class TokenHandler(WireHandler):
    """POST /oauth/v2/token and /oauth/v2/token/revoke; parameters come as a form or in the query."""

    async def post(self, action: str | None = None) -> None:
        """Mint or revoke a token, unless a fault strikes."""
        began = time.perf_counter()
        call = Call("oauth", "POST", self.request.path, time.time(), self.sandbox.in_flight.total)
        call.request_id = self.request.headers.get("X-Request-ID")
        call.user_agent = self.request.headers.get("User-Agent")
        if self.strike("outage", call) is not None or self.strike("drop", call, only_named=True) is not None:
            self.write_call(call, began)
            self.drop()
            return
        if (hang := self.strike("hang", call, only_named=True)) is not None:
            self.write_call(call, began)
            await self.hang(hang["seconds"])
            return
        if (slow := self.strike("latency", call, only_named=True)) is not None:
            await asyncio.sleep(slow["ms"] / 1_000)
        with self.sandbox.ledger.transaction():
            reply = self._revoke() if action else self._mint(call)
            call.status = reply.status
            call.code = str(reply.body["error"]) if isinstance(reply.body, dict) and "error" in reply.body else None
            self.write_call(call, began)
        self.send(reply)

    def _mint(self, call: Call) -> Reply:
        tokens = self.sandbox.tokens
        if (fault := self._fault(call)) is not None:
            return fault
        if (wrong := self._wrong_credentials()) is not None:
            return Reply(200, {"error": wrong})
        if tokens.throttled():
            return THROTTLED
        call.committed = True
        return Reply(
            200,
            {
                "access_token": tokens.mint(REFRESH_TOKEN),
                "scope": SCOPE,
                "api_domain": f"{self.request.protocol}://{self.request.host}",
                "token_type": "Bearer",
                "expires_in": self.sandbox.limits.token_life_s,
            },
        )

    def _fault(self, call: Call) -> Reply | None:
        if (params := self.strike("token_error", call)) is not None:
            return server_error(params["status"])
        if self.strike("token_throttled", call) is not None:
            return THROTTLED
        params = self.strike("token_refused", call)
        return None if params is None else Reply(200, {"error": params["error"]})

    def _wrong_credentials(self) -> str | None:
        if self.get_argument("client_id", "") != CLIENT_ID:
            return "invalid_client"
        if self.get_argument("client_secret", "") != CLIENT_SECRET:
            return "invalid_client_secret"
        if self.get_argument("grant_type", "") != "refresh_token":
            return "invalid_code"
        return None if self.get_argument("refresh_token", "") == REFRESH_TOKEN else "invalid_code"

    def _revoke(self) -> Reply:
        token = self.get_argument("token", "")
        if token == REFRESH_TOKEN:
            self.sandbox.tokens.expire_all()
            return Reply(200, {"status": "success"})
        if self.sandbox.tokens.revoke(token):
            return Reply(200, {"status": "success"})
        return Reply(200, {"error": "invalid_token"})
