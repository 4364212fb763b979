"""One call as values, without a socket: the request, the steps of handling it, and how it ends for its client."""

from collections.abc import Generator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal
from urllib.parse import parse_qsl

from tools.sandbox.ledger import Call
from tools.sandbox.replies import Reply


@dataclass(frozen=True, slots=True)
class HttpRequest:
    """A request as it arrived. `origin` is the address that the client used: scheme, host and port."""

    method: str
    path: str
    query: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""
    origin: str = "http://sandbox.example"

    def params(self) -> dict[str, str]:
        """Return the query's parameters; of a repeated one the last."""
        return dict(parse_qsl(self.query, keep_blank_values=True))


@dataclass(frozen=True, slots=True)
class Request:
    """A call of the API, read: the path below /crm/v8, the query, the body's JSON. `before`: see `RowWriter`."""

    method: str
    path: str
    params: dict[str, str]
    body: Any
    call: Call
    before: int | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a call ends for its client.

    `ending` is "reply", "drop" (closed without a byte), "cut" (half of the reply, then closed), "drip" (a byte
    every `seconds`) or "hang" (silence, closed after `seconds` at the latest). `reply` is None if nothing is sent.
    """

    reply: Reply | None = None
    ending: Literal["reply", "drop", "cut", "drip", "hang"] = "reply"
    seconds: float = 0.0


Steps = Generator[float | Outcome, None, None]
"""The handling of one call, step by step: seconds to wait before the next step, or (once) the call's outcome.

The outcome need not be the last step, and the call stays in flight until the steps end: deliver it, then go on.
"""
