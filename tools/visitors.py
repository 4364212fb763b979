"""Many visitors from one machine: people, start tokens as if each had opened a page, limits that stop nobody."""

from collections.abc import Mapping
from dataclasses import dataclass

from api.fields import wire_name
from api.limits.rules import LIMITS, Limit
from api.limits.start_token import HEADER, StartTokens
from leads.settings import read_settings

# What benchmarks and tests send in minutes, a clinic gets in years.
_LIFTED = {
    name: limit._replace(most=1_000_000) for name, limit in LIMITS._asdict().items() if isinstance(limit, Limit)
}
# A suite types faster than people, too.
CROWDED = LIMITS._replace(start_seconds=1.0, **_LIFTED)
# How long the page was open.
_AGE_SECONDS = 60.0
# Consecutive people have nothing in common: multiplied by this, their numbers lie far apart, and stay distinct.
_SPACE, _SCATTER = 10_000_000, 6_180_339


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody who enquires; no two numbers below ten million are the same person."""

    number: int

    @property
    def email(self) -> str:
        """A unique address."""
        return f"{self._scattered}.ada@example.com"

    @property
    def _scattered(self) -> str:
        return f"{self.number * _SCATTER % _SPACE:07d}"

    def row(self) -> dict[str, str]:
        """The columns of `leads` that the API would store."""
        return {
            "name": f"Ada{self.number}",
            "surname": f"Sample{self.number}",
            "email": self.email,
            "country_code": "+44",
            "country_iso": "GB",
            "phone": f"0740{self._scattered}",
            "phone_e164": f"+44740{self._scattered}",
            "message": f"How long does an implant take, and when could I come? Question {self.number}.",
            "utm_source": "google",
        }

    def payload(self) -> dict[str, str]:
        """The body that the form posts."""
        return {wire_name(column): value for column, value in self.row().items() if column != "phone_e164"}


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
