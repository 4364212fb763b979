"""Replies of the sandbox: a value, the refusal that carries one, and the wording of Zoho's known errors."""

from dataclasses import dataclass, field
from typing import Any

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Reply:
    """One HTTP reply. `body` None sends an empty body (204); a str is sent as HTML."""

    status: int
    body: Json | str | None
    headers: dict[str, str] = field(default_factory=dict)


class Refusal(Exception):
    """A call to which Zoho replies with a top-level error object."""

    def __init__(self, reply: Reply) -> None:
        super().__init__(reply.status)
        self.reply = reply


def error(code: str, message: str, **details: Any) -> Json:
    """Return Zoho's error object: code, details, message, status."""
    return {"code": code, "details": details, "message": message, "status": "error"}


def refuse(status: int, code: str, message: str, **details: Any) -> Refusal:
    """Return a refusal of the whole call."""
    return Refusal(Reply(status, error(code, message, **details)))


def invalid_module() -> Refusal:
    """Return the reply to a module that does not exist."""
    return refuse(400, "INVALID_MODULE", "the module name given seems to be invalid", resource_path_index=0)


def invalid_url() -> Refusal:
    """Return the reply to an unknown path."""
    return refuse(404, "INVALID_URL_PATTERN", "Please check if the URL trying to access is a correct one")


def missing_param(name: str) -> Refusal:
    """Return the reply to a call without a mandatory parameter."""
    return refuse(400, "REQUIRED_PARAM_MISSING", "required param is missing", param_name=name)


def too_many_requests(*, credits_spent: bool = False, old_shape: bool = False) -> Reply:
    """Return a 429 in the current shape, or in the older one that carries `error_info`."""
    cause = (
        "Many requests fired than the allowed limit for the past 24 hours."
        if credits_spent
        else "Many requests fired in concurrent than the allowed limit."
    )
    if old_shape:
        body = {"code": 429, "error": "TOO_MANY_REQUESTS", "error_info": cause, "details": []}
        return Reply(429, body)
    return Reply(429, error("TOO_MANY_REQUESTS", cause))


def server_error(status: int) -> Reply:
    """Return a 500 as Zoho words it, or a gateway's HTML page for any other status."""
    if status == 500:
        return Reply(500, error("INTERNAL_ERROR", "Internal Server Error"))
    return Reply(status, f"<html><head><title>{status}</title></head><body><h1>{status}</h1></body></html>")
