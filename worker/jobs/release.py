"""Release of held rows without an operator, as far as the limit of a flood leaves room for them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from leads.outbox.rates import count_last_hour
from leads.outbox.release import release_varied

if TYPE_CHECKING:
    from sqlalchemy import Engine


def release_held(engine: Engine, *, per_hour: int) -> int:
    """Release what the rules let go; return how many rows. `per_hour`: no more go to the CRM within an hour."""
    room = per_hour - count_last_hour(engine)
    return release_varied(engine, most=room) if room > 0 else 0
