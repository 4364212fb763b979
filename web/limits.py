"""The limits of an application, built from its settings."""

from __future__ import annotations

from collections.abc import Callable

from api.limits.counters import Counters
from api.limits.guard import Limits
from api.limits.rules import Budgets
from api.limits.start_token import StartTokens
from leads.settings import Settings


def make_tokens(settings: Settings) -> StartTokens:
    """Return what issues and reads start tokens in this deployment."""
    return StartTokens(settings.derive_key("start token"), settings.start_seconds)


def make_limits(settings: Settings, note: Callable[[str, str], None]) -> Limits:
    """Return what the guard needs. No connection is opened yet."""
    budgets = Budgets(
        settings.leads_per_address,
        settings.leads_per_person,
        settings.clicks_per_address,
        settings.flood_per_hour,
    )
    counters = Counters(settings.redis_url)
    return Limits(budgets, counters, make_tokens(settings), settings.derive_key("limits"), note)
