"""One task's work: claim, send, settle. No call is made inside a transaction."""

import logging
import threading
import time
import traceback
from collections.abc import Mapping
from dataclasses import dataclass, field
from uuid import UUID, uuid4

from sqlalchemy import Engine

from leads.lifecycle import LEASE_SECONDS, Outcome, Retry
from leads.outbox.claim import Claimed, claim
from leads.outbox.settle import Result, record
from worker.destinations.port import Call, Destination

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Deliveries:
    """What the deliveries of one process share."""

    engine: Engine
    destinations: Mapping[str, Destination]
    stopping: threading.Event  # set when the process was asked to end
    lease_seconds: float = LEASE_SECONDS  # of a row that lost none
    # A few calls at once to each destination but the CRM, so that a slow one never takes all threads.
    _limits: dict[str, threading.BoundedSemaphore] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        for each in self.destinations.values():
            if each.calls is not None:
                self._limits[each.name] = threading.BoundedSemaphore(each.calls)

    def deliver(self, name: str, row_id: UUID) -> Result | None:
        """Deliver a row if it is still due. None: not now; if it is due, it stays so."""
        limit = self._limits.get(name)
        if self.stopping.is_set() or (limit is not None and not limit.acquire(blocking=False)):
            return None
        try:
            return self._deliver(self.destinations[name], row_id)
        finally:
            if limit is not None:
                limit.release()

    def _deliver(self, destination: Destination, row_id: UUID) -> Result | None:
        call = Call(uuid4().hex, time.monotonic() + self.lease_seconds / 2)
        row = claim(self.engine, destination.name, row_id, call_id=call.id, lease_seconds=self.lease_seconds)
        # A process that froze in between leaves its row to the next lease.
        if row is None or not call.may_begin():
            return None
        result = record(self.engine, row, _send(destination, row, call), call_id=call.id)
        log.info("%s to %s: %s, call %s", row.id, destination.name, result.outcome.words, call.id)
        return result


def _send(destination: Destination, row: Claimed, call: Call) -> Outcome:
    """The outcome; where our own code fails on the row, it waits as after any other failure."""
    try:
        return destination.send(row, call)
    except Exception as error:  # noqa: BLE001 - whatever it is, the row must not wait for the end of its lease
        # Not the error's message: it may quote what a person wrote.
        frame = traceback.extract_tb(error.__traceback__)[-1]
        where = f"{type(error).__name__} in {frame.name}, line {frame.lineno}"
        log.error("%s fails on %s: %s", destination.name, row.id, where)  # noqa: TRY400
        return Retry(code="ADAPTER_FAILED", detail=where, answered=None)
