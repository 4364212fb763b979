"""The look for rows in doubt while they wait for their next try, which may be hours away.

A row that the CRM has is marked as sent: nobody has to wait for it, and no repeat undoes what staff do meanwhile.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from itertools import groupby
from operator import attrgetter
from uuid import UUID, uuid4

from leads.ids import short_id
from leads.lifecycle import Delivered
from leads.outbox.doubt import START, read_in_doubt
from leads.outbox.gate import read_gate
from leads.outbox.lease import Mark, mark
from leads.outbox.permit import NotPermitted
from leads.outbox.rows import Claimed
from worker.crm.access import CrmAccess
from worker.crm.port import EVENT_IDS_A_CALL, FOUND, CallFailed

log = logging.getLogger(__name__)

ROWS_A_LOOK = 100


class DoubtfulRows:
    """One worker's look; each row is looked for once after each of its tries."""

    def __init__(self, access: CrmAccess) -> None:
        self._access = access
        self._place = START

    def look(self, *, may_continue: Callable[[], bool]) -> list[UUID]:
        """Look for rows in doubt while `may_continue()`, a few in a call; return those that were found.

        What could not be looked for is looked for the next time: credits are kept for fresh leads, and a gate that
        is shut stays so.
        """
        found: list[UUID] = []
        engine = self._access.engine
        # In an outage all rows are in doubt.
        rows = read_in_doubt(engine, self._place, rows=ROWS_A_LOOK) if read_gate(engine).is_open else []
        while rows and may_continue():
            chunk, rows = rows[:EVENT_IDS_A_CALL], rows[EVENT_IDS_A_CALL:]
            try:
                with self._access.permitted() as crm:
                    records = crm.find_all([row.id for _, row in chunk], call_id=uuid4().hex)
            except NotPermitted:
                break
            except CallFailed as failure:
                log.warning("rows in doubt could not be looked for: %s", failure)
                break
            self._place = chunk[-1][0]
            found += self._settle([row for _, row in chunk if row.id in records], records)
        return found

    def _settle(self, rows: Sequence[Claimed], records: dict[UUID, str]) -> list[UUID]:
        """Mark them as sent: a success is kept whoever has the row meanwhile."""
        for _, group in groupby(sorted(rows, key=attrgetter("kind")), key=attrgetter("kind")):
            mark(self._access.engine, [Mark(row, Delivered(records[row.id], code=FOUND)) for row in group])
        if rows:
            ids = " ".join(short_id(row.id) for row in rows)
            log.warning("%d rows whose calls had failed are in the CRM: %s", len(rows), ids)
        return [row.id for row in rows]
