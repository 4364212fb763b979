"""How long the CRM asks us to stay away: Retry-After, and which limit a 429 speaks of."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING

from worker.zoho.errors import FailureClass

if TYPE_CHECKING:
    from collections.abc import Mapping

# Nobody means more than a day; a figure beyond it is a mistake that must not park the queue for a year.
LONGEST_WAIT_SECONDS = 86_400.0
CREDITS_HEADER = "X-API-CREDITS-REMAINING"

# Both causes share one code (Zoho CRM API v8: status codes), so only the wording tells them apart.
_SPEAKS_OF_CREDITS = re.compile(r"credit|24 hours?|per day|daily|api limit", re.IGNORECASE)


def retry_after(headers: Mapping[str, str], received_at: datetime) -> float | None:
    """Seconds from Retry-After, given as whole seconds or as an HTTP date; at most a day.

    None when absent, malformed or in the past. A date is compared with the reply's own Date where there is
    one, so that a wrong clock on this machine calls neither early nor late.
    """
    value = headers.get("Retry-After", "").strip()
    if re.fullmatch(r"[0-9]+", value, re.ASCII):
        return min(float(value), LONGEST_WAIT_SECONDS)
    until = _http_date(value)
    if until is None:
        return None
    seconds = (until - (_http_date(headers.get("Date", "")) or received_at)).total_seconds()
    return min(seconds, LONGEST_WAIT_SECONDS) if seconds >= 0 else None


def limit_met(headers: Mapping[str, str], wording: str) -> FailureClass:
    """Which limit a 429 is about: CREDITS when its words or the credits header say so, else RATE."""
    if _SPEAKS_OF_CREDITS.search(wording) or credits_left(headers) == 0:
        return FailureClass.CREDITS
    return FailureClass.RATE


def credits_left(headers: Mapping[str, str]) -> int | None:
    """API credits left in the 24-hour window; None while Zoho does not say (until half is used up)."""
    value = headers.get(CREDITS_HEADER, "").strip()
    return int(value) if re.fullmatch(r"[0-9]{1,12}", value, re.ASCII) else None


def _http_date(value: str) -> datetime | None:
    try:
        moment = parsedate_to_datetime(value)
    except (ValueError, TypeError, OverflowError):
        return None
    return moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)
