"""Writing verdicts down even when the database is away for a moment: a success must not be forgotten lightly."""

from __future__ import annotations

import logging
import threading
from typing import TYPE_CHECKING

from sqlalchemy.exc import TimeoutError as PoolTimeoutError

from leads.db import AWAY
from leads.outbox.lease import mark

if TYPE_CHECKING:
    from collections.abc import Sequence

    from leads.outbox.lease import Verdict
    from worker.context import Crm

log = logging.getLogger(__name__)

# Seconds between tries; together under half a lease. After that the rows come back by their own clock, and the
# upsert key makes the second sending harmless.
PAUSES = (0.0, 0.2, 0.5, 1.0, 2.0, 4.0, 8.0)


def mark_patiently(crm: Crm, verdicts: Sequence[Verdict]) -> int:
    """Mark the verdicts, trying again while the database is away; gives how many rows were marked."""
    for pause in PAUSES:
        threading.Event().wait(pause)
        try:
            return mark(crm.engine, verdicts)
        except (*AWAY, PoolTimeoutError) as error:
            why = type(getattr(error, "orig", error)).__name__
            log.warning("could not mark %d rows (%s), trying again", len(verdicts), why)
    log.error("gave up marking %d rows; they become due again when their lease runs out", len(verdicts))
    return 0
