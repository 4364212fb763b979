"""Many visitors from one machine: start tokens as if each had opened a page, and budgets that do not stop them."""

from __future__ import annotations

from collections.abc import Mapping

from api.limits.start_token import HEADER
from leads.settings import read_settings
from web.limits import make_tokens

# What drills, benchmarks and tests send in minutes, a clinic gets in years.
GENEROUS = dict.fromkeys(
    (
        "LEADS_PER_ADDRESS",
        "LEADS_PER_PERSON",
        "CLICKS_PER_ADDRESS",
        "FLOOD_PER_HOUR",
    ),
    "1000000",
)
# How long the page was open.
_AGE_SECONDS = 60.0


class Visitors:
    """Mints start tokens with the key of the site that has these environment variables."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._tokens = make_tokens(read_settings(environment))

    def token(self, *, age: float = _AGE_SECONDS) -> str:
        """Return a new visitor's token, of a page that has been open for so many seconds."""
        return self._tokens.issue(age=age)

    def challenge(self, token: str) -> str:
        """Return what the site would ask of this token as proof of work."""
        return self._tokens.challenge(token)

    def headers(self) -> dict[str, str]:
        """Return what a visitor's browser sends with an enquiry, a new visitor each time."""
        return {HEADER: self.token()}
