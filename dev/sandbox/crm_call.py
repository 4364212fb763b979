"""One call under /crm/: counted, perhaps failed by a fault, authorised, handled, recorded, then answered."""

import asyncio
import json
import random
import time
from typing import Any, Final

from dev.sandbox.ledger import Call
from dev.sandbox.limits import cost_of_write
from dev.sandbox.replies import (
    Refusal,
    Reply,
    error,
    invalid_url,
    refuse,
    server_error,
    too_many_requests,
    unreadable,
)
from dev.sandbox.routes import Request, answer, large, row_count
from dev.sandbox.state import Sandbox
from dev.sandbox.wire import WireHandler

PREFIX: Final = "/crm/v8/"
UNREADABLE: Final = object()


class CrmHandler(WireHandler):
    """Zoho's API."""

    def initialize(self, sandbox: Sandbox) -> None:
        """Take the sandbox that all handlers share."""
        super().initialize(sandbox)
        self.jitter = random.Random(sandbox.faults.seed)

    async def _serve(self) -> None:
        began, flight = time.perf_counter(), self.sandbox.in_flight
        request = self._read()
        is_large = large(request)
        flight.total += 1
        flight.large += is_large
        request.call.in_flight = flight.total
        try:
            await self._handle(request, began, is_large=is_large)
        finally:
            flight.total -= 1
            flight.large -= is_large

    get = post = put = patch = delete = _serve

    def _read(self) -> Request:
        http = self.request
        try:
            body = json.loads(http.body) if http.body else None
            if b"\\ud" in http.body.lower():
                # An escaped lone surrogate parses, but cannot be stored.
                json.dumps(body, ensure_ascii=False).encode()
        except ValueError:
            body = UNREADABLE
        call = Call(
            "api",
            http.method or "",
            http.path,
            time.time(),
            0,
            http.query or None,
            http.headers.get("X-Request-ID"),
            http.headers.get("User-Agent"),
            rows=row_count(body),
        )
        params = {name: values[-1].decode() for name, values in http.query_arguments.items()}
        return Request(http.method or "", http.path.removeprefix(PREFIX), params, body, call)

    async def _handle(self, request: Request, began: float, *, is_large: bool) -> None:
        call = request.call
        if self.strike("outage", call) is not None:
            self.write_call(call, began)
            self.drop()
            return
        if self.sandbox.in_flight.exceeded(is_large=is_large):
            self._reply(call, too_many_requests(), began)
            return
        if (slow := self.strike("latency", call)) is not None:
            await asyncio.sleep((slow["ms"] + self.jitter.random() * slow["jitter_ms"]) / 1_000)
        if self.strike("drop", call) is not None:
            self.write_call(call, began)
            self.drop()
            return
        hang = self.strike("hang", call)
        if hang is not None and not hang["commit"]:
            self.write_call(call, began)
            await self.hang(hang["seconds"])
            return
        await self._finish(request, began, hang)

    async def _finish(self, request: Request, began: float, hang: dict[str, Any] | None) -> None:
        call, ledger = request.call, self.sandbox.ledger
        with ledger.transaction():
            ledger.number(call)
            reply = self._answer(request)
            ending, params = self._ending(call, hang)
            if ending == "commit_then_error":
                reply = server_error(params["status"])
            unanswered = ending in {"commit_then_drop", "commit_then_cut", "hang"}
            call.status = None if unanswered else reply.status
            call.code = _code(reply)
            call.duration_ms = (time.perf_counter() - began) * 1_000
            ledger.write(call)
        match ending:
            case "commit_then_drop":
                self.drop()
            case "commit_then_cut":
                await self.cut(reply)
            case "hang":
                await self.hang(params["seconds"])
            case "drip":
                await self.drip(reply, params["seconds"])
                self.write_call(call, began)
            case _:
                self.send(reply)

    def _answer(self, request: Request) -> Reply:
        call, budget = request.call, self.sandbox.credits
        try:
            self._apply_faults(call)
            self._authorise(request)
            self._charge(request)
            reply = answer(self.sandbox, request)
        except Refusal as refusal:
            reply = refusal.reply
        # Zoho sends the header only once half of the day's allowance is used.
        if budget.half_used():
            reply.headers["X-API-CREDITS-REMAINING"] = str(budget.remaining())
        return reply

    def _charge(self, request: Request) -> None:
        """Charge the credits of an authorised call. Raises Refusal when too few are left."""
        cost = cost_of_write(request.call.rows) if request.method in {"POST", "PUT"} else 1
        if self.sandbox.credits.remaining() < cost:
            raise Refusal(too_many_requests(credits_spent=True))
        self.sandbox.credits.spend(cost)
        request.call.credits = cost

    def _apply_faults(self, call: Call) -> None:
        """Apply the faults that precede authorisation. Raises Refusal."""
        if (params := self.strike("server_error", call)) is not None:
            raise Refusal(_with_retry_after(server_error(params["status"]), params))
        if (params := self.strike("too_many_requests", call)) is not None:
            reply = too_many_requests(credits_spent=params["cause"] == "credits", old_shape=params["body"] == "b")
            raise Refusal(_with_retry_after(reply, params))
        if self.strike("expire_tokens", call) is not None:
            self.sandbox.tokens.expire_all()

    def _authorise(self, request: Request) -> None:
        """Check the token, the address and the body. Raises Refusal."""
        call = request.call
        scheme, _, token = self.request.headers.get("Authorization", "").partition(" ")
        if scheme != "Zoho-oauthtoken" or not token:
            raise refuse(401, "AUTHENTICATION_FAILURE", "Authentication failed")
        if not self.sandbox.tokens.valid(token):
            raise refuse(401, "INVALID_TOKEN", "invalid oauth token")
        if self.strike("scope_mismatch", call) is not None:
            raise refuse(401, "OAUTH_SCOPE_MISMATCH", "Unauthorized")
        if self.strike("no_permission", call) is not None:
            raise refuse(403, "NO_PERMISSION", "Permission denied", permissions=["Crm_Implied_View_Leads"])
        if (params := self.strike("top_level_error", call)) is not None:
            raise Refusal(Reply(params["status"], error(params["code"], params["message"])))
        if not call.path.startswith(PREFIX):
            raise invalid_url()
        if request.body is UNREADABLE:
            raise unreadable()

    def _ending(self, call: Call, hang: dict[str, Any] | None) -> tuple[str | None, dict[str, Any]]:
        """Choose how a handled call ends; faults that lose the reply apply only once something was stored."""
        if hang is not None:
            return "hang", hang
        if call.committed:
            for name in ("commit_then_drop", "commit_then_cut", "commit_then_error"):
                if (params := self.strike(name, call)) is not None:
                    return name, params
        if (params := self.strike("drip", call)) is not None:
            return "drip", params
        return None, {}

    def _reply(self, call: Call, reply: Reply, began: float) -> None:
        call.status, call.code = reply.status, _code(reply)
        self.write_call(call, began)
        self.send(reply)


def _code(reply: Reply) -> str | None:
    """Return a top-level error's code, for the ledger."""
    return str(reply.body["code"]) if isinstance(reply.body, dict) and "code" in reply.body else None


def _with_retry_after(reply: Reply, params: dict[str, Any]) -> Reply:
    if params["retry_after"] is not None:
        reply.headers["Retry-After"] = str(params["retry_after"])
    return reply
