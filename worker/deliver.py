"""One task's work: claim, send, settle. No call is made inside a transaction."""

from __future__ import annotations

import logging
import threading
import time
import traceback
from collections.abc import Mapping, Sequence
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
    _turns: dict[str, threading.BoundedSemaphore] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        for each in self.destinations.values():
            if each.calls is not None:
                self._turns[each.name] = threading.BoundedSemaphore(each.calls)

    def deliver(self, name: str, ids: Sequence[UUID]) -> list[Result]:
        """Deliver those of these rows that are still due. What is left for another time is due all the same."""
        turn = self._turns.get(name)
        if self.stopping.is_set() or (turn is not None and not turn.acquire(blocking=False)):
            return []
        try:
            return self._deliver(self.destinations[name], ids)
        finally:
            if turn is not None:
                turn.release()

    def _deliver(self, destination: Destination, ids: Sequence[UUID]) -> list[Result]:
        call = Call(uuid4().hex, time.monotonic() + self.lease_seconds / 2)
        rows = claim(self.engine, destination.name, ids, call_id=call.id, lease_seconds=self.lease_seconds)
        # A process that froze in between leaves its rows to their next lease.
        if not rows or not call.may_begin():
            return []
        outcomes = _send(destination, rows, call)
        results = [
            record(self.engine, row, outcome, call_id=call.id) for row, outcome in zip(rows, outcomes, strict=True)
        ]
        for result in results:
            words = "%s to %s: %s, call %s"
            log.info(words, result.id, destination.name, result.outcome.words, call.id)
        return results


def _send(destination: Destination, rows: Sequence[Claimed], call: Call) -> Sequence[Outcome]:
    """The outcomes; where our own code fails on the rows, they wait as after any other failure."""
    try:
        return destination.send(rows, call)
    except Exception as error:  # noqa: BLE001 - whatever it is, the rows must not wait for the end of their lease
        # Not the error's message: it may quote what a person wrote.
        frame = traceback.extract_tb(error.__traceback__)[-1]
        where = f"{type(error).__name__} in {frame.name}, line {frame.lineno}"
        log.error("%s fails on %s: %s", destination.name, " ".join(str(row.id) for row in rows), where)  # noqa: TRY400
        return [Retry(code="ADAPTER_FAILED", detail=where, answered=None) for _ in rows]
