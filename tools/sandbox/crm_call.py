"""One call under /crm/: counted, perhaps failed by a fault, authorised, handled, recorded, then answered."""

import json
from dataclasses import dataclass, replace
from typing import Any, Final

from tools.sandbox.exchange import HttpRequest, Outcome, Request, Steps
from tools.sandbox.ledger import Call
from tools.sandbox.limits import cost_of_write
from tools.sandbox.replies import Refusal, Reply, error, invalid_url, refuse, server_error, too_many_requests
from tools.sandbox.routes import answer, rows_of
from tools.sandbox.state import Sandbox

PREFIX: Final = "/crm/v8/"
UNREADABLE: Final = object()


def crm_steps(sandbox: Sandbox, http: HttpRequest) -> Steps:
    """Handle one call of Zoho's API. A reset of the sandbox ends the calls that it finds under way."""
    request = _read(sandbox, http)
    resets, is_answered = sandbox.resets, False
    with sandbox.in_flight.counted():
        request.call.in_flight = sandbox.in_flight.total
        for step in _CrmCall(sandbox, http, request).steps():
            yield step
            is_answered |= isinstance(step, Outcome)
            if sandbox.resets != resets:
                break
        if not is_answered:
            yield Outcome(ending="drop")


def _read(sandbox: Sandbox, http: HttpRequest) -> Request:
    try:
        body = json.loads(http.body) if http.body else None
        if b"\\ud" in http.body.lower():
            # An escaped lone surrogate parses, but cannot be stored.
            json.dumps(body, ensure_ascii=False).encode()
    except ValueError:
        body = UNREADABLE
    call = Call("api", http.method, http.path, sandbox.clock(), 0, http.query or None, rows=len(rows_of(body)))
    call.request_id, call.user_agent = http.headers.get("X-Request-ID"), http.headers.get("User-Agent")
    return Request(http.method, http.path.removeprefix(PREFIX), http.params(), body, call)


@dataclass(slots=True)
class _CrmCall:
    sandbox: Sandbox
    http: HttpRequest
    request: Request

    def steps(self) -> Steps:
        sandbox, call = self.sandbox, self.request.call
        if self._strike("outage") is not None:
            yield self._unhandled(Outcome(ending="drop"))
            return
        if sandbox.in_flight.exceeded():
            yield self._unhandled(Outcome(too_many_requests()))
            return
        if (slow := self._strike("latency")) is not None:
            yield (slow["ms"] + sandbox.faults.jitter() * slow["jitter_ms"]) / 1_000
        if self._strike("drop") is not None:
            yield self._unhandled(Outcome(ending="drop"))
            return
        hang = self._strike("hang")
        if hang is not None and not hang["commit"]:
            yield self._unhandled(Outcome(ending="hang", seconds=hang["seconds"]))
            return
        late = self._strike("late_commit")
        if late is not None:
            yield Outcome(ending="drop")
            yield late["seconds"]
        if self.request.path == "Leads/upsert" and (race := self._strike("upsert_race")) is not None:
            self.request = replace(self.request, before=sandbox.records.next_id)
            yield race["ms"] / 1_000
        outcome = self._finish(hang, is_answered=late is None)
        if late is None:
            yield outcome
        if outcome.ending == "drip":
            sandbox.write_call(call)

    def _strike(self, name: str) -> dict[str, Any] | None:
        return self.sandbox.strike(name, self.request.call)

    def _unhandled(self, outcome: Outcome) -> Outcome:
        """Write down a call that ends before it is handled."""
        call = self.request.call
        if outcome.reply is not None:
            call.status, call.code = outcome.reply.status, _code(outcome.reply)
        self.sandbox.write_call(call)
        return outcome

    def _finish(self, hang: dict[str, Any] | None, *, is_answered: bool) -> Outcome:
        """Handle the call and write it down, in one transaction."""
        call, ledger = self.request.call, self.sandbox.ledger
        with ledger.transaction():
            ledger.number(call)
            reply = self._answer()
            outcome = self._outcome(reply, hang)
            if is_answered and outcome.reply is not None and outcome.ending != "cut":
                call.status = outcome.reply.status
            call.code = _code(outcome.reply or reply)
            self.sandbox.write_call(call)
        return outcome

    def _answer(self) -> Reply:
        budget = self.sandbox.credits
        try:
            self._apply_faults()
            self._authorise()
            self._fail_fatal_rows()
            self._charge()
            reply = answer(self.sandbox, self.request)
        except Refusal as refusal:
            reply = refusal.reply
        if budget.half_used():
            reply.headers["X-API-CREDITS-REMAINING"] = str(budget.remaining())
        return reply

    def _charge(self) -> None:
        """Charge the credits of an authorised call. Raises Refusal when too few are left."""
        call = self.request.call
        cost = cost_of_write(call.rows) if self.request.method in {"POST", "PUT"} else 1
        if self.sandbox.credits.remaining() < cost:
            raise Refusal(too_many_requests(credits_spent=True))
        self.sandbox.credits.spend(cost)
        call.credits = cost

    def _apply_faults(self) -> None:
        """Apply the faults that precede authorisation. Raises Refusal."""
        if (params := self._strike("server_error")) is not None:
            raise Refusal(_with_retry_after(server_error(params["status"]), params))
        if (params := self._strike("too_many_requests")) is not None:
            reply = too_many_requests(credits_spent=params["cause"] == "credits", old_shape=params["body"] == "b")
            raise Refusal(_with_retry_after(reply, params))
        if self._strike("expire_tokens") is not None:
            self.sandbox.tokens.expire_all()

    def _authorise(self) -> None:
        """Check the token, the address and the body. Raises Refusal."""
        scheme, _, token = self.http.headers.get("Authorization", "").partition(" ")
        if scheme != "Zoho-oauthtoken" or not token:
            raise refuse(401, "AUTHENTICATION_FAILURE", "Authentication failed")
        if not self.sandbox.tokens.valid(token):
            raise refuse(401, "INVALID_TOKEN", "invalid oauth token")
        if self._strike("scope_mismatch") is not None:
            raise refuse(401, "OAUTH_SCOPE_MISMATCH", "Unauthorized")
        if self._strike("no_permission") is not None:
            raise refuse(403, "NO_PERMISSION", "Permission denied", permissions=["Crm_Implied_View_Leads"])
        if (params := self._strike("top_level_error")) is not None:
            raise Refusal(Reply(params["status"], error(params["code"], params["message"])))
        if not self.request.call.path.startswith(PREFIX):
            raise invalid_url()
        if self.request.body is UNREADABLE:
            message = "either the request body or parameters is in wrong format"
            raise refuse(400, "UNABLE_TO_PARSE_DATA_TYPE", message)

    def _fail_fatal_rows(self) -> None:
        """Fail a call that carries a marked row. Raises Refusal."""
        marker = self.sandbox.faults.params("fatal_row").get("marker")
        values = (value for row in rows_of(self.request.body) if isinstance(row, dict) for value in row.values())
        if marker and any(marker in str(value) for value in values) and self._strike("fatal_row") is not None:
            raise Refusal(server_error(500))

    def _outcome(self, reply: Reply, hang: dict[str, Any] | None) -> Outcome:
        """Choose how a handled call ends; faults that lose the reply apply only once something was stored."""
        if hang is not None:
            return Outcome(ending="hang", seconds=hang["seconds"])
        if self.request.call.committed:
            if self._strike("commit_then_drop") is not None:
                return Outcome(ending="drop")
            if self._strike("commit_then_cut") is not None:
                return Outcome(reply, "cut")
            if (params := self._strike("commit_then_error")) is not None:
                return Outcome(server_error(params["status"]))
        if (params := self._strike("drip")) is not None:
            return Outcome(reply, "drip", params["seconds"])
        return Outcome(reply)


def _code(reply: Reply) -> str | None:
    """Return a top-level error's code, for the ledger."""
    return str(reply.body["code"]) if isinstance(reply.body, dict) and "code" in reply.body else None


def _with_retry_after(reply: Reply, params: dict[str, Any]) -> Reply:
    if params["retry_after"] is not None:
        reply.headers["Retry-After"] = str(params["retry_after"])
    return reply
