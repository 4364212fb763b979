"""Retention: old leads and clicks are deleted, and old network addresses cleared. SQL only.

Rows that still owe the CRM a call are left alone, and the CRM keeps its records: it knows who became a customer.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from sqlalchemy import Engine, text

from leads.outbox.removal import WITH_ALL_OF_IT
from leads.outbox.rows import Kind

# Network addresses are kept this long: it takes that long at most until a flood is noticed and looked into.
ADDRESS_DAYS = 30


@dataclass(frozen=True, slots=True)
class Terms:
    """The retention periods: `months` for leads and clicks, `days` for network addresses."""

    months: int
    days: int


# A visitor's enquiry waits for one short statement at most.
STEP_ROWS = 100

# Nothing is owed to the CRM any more.
_SETTLED = "zoho_status IN ('sent', 'dead', 'held')"
_OLD = f"{_SETTLED} AND created_at < now() - make_interval(months => :months)"
_WITH_ADDRESS = f"{_SETTLED} AND ip_address IS NOT NULL AND created_at < now() - make_interval(days => :days)"
# Locks the delivery too: a row that is requeued meanwhile stays as it is.
_SOME = "SELECT id FROM {rows} WHERE {which} LIMIT :rows FOR UPDATE SKIP LOCKED"
_DELETE = """
WITH old AS ({some}), gone AS (
    DELETE FROM crm_deliveries WHERE id IN (SELECT id FROM old) RETURNING id
), {rest}
SELECT count(*) FROM gone
"""
_FORGET = """
WITH done AS (UPDATE {table} SET ip_address = NULL WHERE id IN ({some}) RETURNING 1) SELECT count(*) FROM done
"""


def retain(engine: Engine, terms: Terms, *, may_continue: Callable[[], bool] = lambda: True) -> dict[str, int]:
    """Delete what is past its term, in steps of their own, while `may_continue()`; workers may do so side by side.

    Returns:
        How many rows of each kind were deleted, and how many addresses cleared; all 0 when nothing is left to do.
    """
    removed = dict.fromkeys((*Kind, "address"), 0)
    values = {"months": terms.months, "days": terms.days, "rows": STEP_ROWS}
    with engine.connect() as connection:
        for kind in Kind:
            table = kind.table.name
            old, addressed = (_SOME.format(rows=kind.with_crm, which=which) for which in (_OLD, _WITH_ADDRESS))
            delete = _DELETE.format(some=old, rest=WITH_ALL_OF_IT.format(table=table))
            for what, step in ((kind, delete), ("address", _FORGET.format(table=table, some=addressed))):
                count = STEP_ROWS
                while count == STEP_ROWS and may_continue():
                    count = int(connection.execute(text(step), values).scalar_one())
                    removed[what] += count
    return removed
