"""Retention: old leads and clicks are deleted, and old network addresses cleared. SQL only.

Rows that still owe the CRM a call are left alone, and the CRM keeps its records: it knows who became a customer.
"""

from collections.abc import Callable
from typing import Any

from sqlalchemy import Engine, Select, func, select, update

from leads.db import begin
from leads.destinations import CRM
from leads.outbox.operate import delete_rows
from leads.tables import Kind, deliveries

# Network addresses are kept this long: it takes that long at most until a flood is noticed and looked into.
ADDRESS_DAYS = 30
# A visitor's enquiry waits for one short statement at most.
STEP_ROWS = 100
SETTLED = ("sent", "dead", "held")  # nothing is owed to the CRM any more


def retain(engine: Engine, months: int, *, may_continue: Callable[[], bool] = lambda: True) -> dict[str, int]:
    """Delete what is older, in steps of their own, while `may_continue()`; workers may do so side by side.

    Returns how many rows of each kind were deleted, and how many addresses cleared; all 0: nothing is left to do.
    """
    removed = dict.fromkeys((*Kind, "address"), 0)
    for kind in Kind:
        table = kind.table.c
        old = _some(kind).where(table.created_at < func.now() - func.make_interval(0, months))
        addressed = _some(kind).where(
            table.ip_address.is_not(None), table.created_at < func.now() - func.make_interval(0, 0, 0, ADDRESS_DAYS)
        )
        for what, some in ((kind, old), ("address", addressed)):
            count = STEP_ROWS
            while count == STEP_ROWS and may_continue():
                with begin(engine) as connection:
                    ids = connection.execute(some).scalars().all()
                    if what is kind:
                        delete_rows(connection, ids)
                    else:
                        connection.execute(update(kind.table).where(table.id.in_(ids)).values(ip_address=None))
                count = len(ids)
                removed[what] += count
    return removed


def _some(kind: Kind) -> Select[Any]:
    """Locks the delivery too: a row that is requeued meanwhile stays as it is."""
    owed = deliveries.c
    rows = select(owed.id).join(kind.table, kind.table.c.id == owed.id)
    some = rows.where(owed.destination == CRM, owed.status.in_(SETTLED)).limit(STEP_ROWS)
    return some.with_for_update(skip_locked=True)
