"""Many visitors from one machine: start tokens as if each had opened a page, and limits that do not stop them."""

from __future__ import annotations

from collections.abc import Mapping

from api.limits.rules import LIMITS, Limit
from api.limits.start_token import HEADER, StartTokens
from leads.settings import read_settings

# What drills, benchmarks and tests send in minutes, a clinic gets in years.
_LIFTED = {
    name: limit._replace(most=1_000_000) for name, limit in LIMITS._asdict().items() if isinstance(limit, Limit)
}
# A suite types faster than people, too.
CROWDED = LIMITS._replace(start_seconds=1.0, **_LIFTED)
# How long the page was open.
_AGE_SECONDS = 60.0


class Visitors:
    """Mints start tokens with the key of the site that has these environment variables."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._tokens = StartTokens(read_settings(environment).derive_key("start token"), LIMITS.start_seconds)

    def token(self, *, age: float = _AGE_SECONDS) -> str:
        """Return a new visitor's token, of a page that has been open for so many seconds."""
        return self._tokens.issue(age=age)

    def headers(self) -> dict[str, str]:
        """Return what a visitor's browser sends with an enquiry, a new visitor each time."""
        return {HEADER: self.token()}
