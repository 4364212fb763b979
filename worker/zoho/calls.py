"""What is told about every HTTP call made, so that a log of attempts can equal the CRM's own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime


@dataclass(frozen=True, slots=True)
class HttpCall:
    """One HTTP call: no personal data, no secrets.

    id is what X-Request-ID carried: the caller's call_id, with "-2" for the resend after a refused token and
    "-d1", "-d2"... for duplicate look-ups. path has no query. status is None when no reply was read; then code
    says why. sent False means that nothing left this machine, so the CRM cannot have seen the call.
    """

    id: str
    call_id: str
    method: str
    path: str
    rows: int
    status: int | None
    code: str
    sent: bool
    started_at: datetime
    seconds: float


Observer = Callable[[HttpCall], None]


def unobserved(_: HttpCall) -> None:
    """The observer of those who do not look."""
