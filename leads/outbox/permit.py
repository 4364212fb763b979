"""The permit to call a destination: circuit breaker and call slot behind one context manager.

Every call needs a permit: deliveries, and at the CRM also erasures, reconciliation, the operator's
commands. Only `check` calls without one, because it must be able to show why calls have stopped.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from uuid import UUID

from sqlalchemy import Engine

from leads.destinations import CRM
from leads.outbox.due import find_due
from leads.outbox.gate import (
    Gate,
    Reason,
    report_failure,
    report_success,
    shut_gate,
    take_probe,
)
from leads.outbox.refusals import report_refusal
from leads.outbox.rows import Lane
from leads.outbox.slots import acquire_call_slot

# A call that another process ends tells nobody here. A wait becomes longer with each look.
SLOT_POLL_SECONDS, SLOT_POLL_LONGEST = 0.1, 1.0
ERASURE = "erasure"  # sends no row, but must not wait for the next visitor behind a gate that only a probe opens


class NotPermitted(Exception):
    """No call may be made now; the message is the reason. `gate_reason` is set when the gate is shut."""

    def __init__(self, message: str, gate_reason: str | None = None) -> None:
        super().__init__(message)
        self.gate_reason = gate_reason


@dataclass(frozen=True, slots=True)
class CallLimits:
    """The limits of calls to one destination, over all workers.

    in_flight: how many calls at once, 25 at most. slot_seconds: when the slot of a lost worker is free again.
    turns: as many as this process may call at once; who
    waits for one is woken by its end.
    """

    in_flight: int
    slot_seconds: float
    destination: str = CRM
    turns: threading.Semaphore = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "turns", threading.Semaphore(self.in_flight))


@dataclass(frozen=True, slots=True)
class Permit:
    """Permission to make calls, one at a time, until the context ends; it also takes reports of their results.

    `gate` is the gate as it was read for this permit.
    """

    engine: Engine
    limits: CallLimits
    gate: Gate

    @property
    def is_probe(self) -> bool:
        """Whether the gate is shut, and only one row may be sent, to find out whether it can open."""
        return not self.gate.is_open

    def report_answer(self, *, after_failure: bool = False) -> None:
        """Report that the destination answered. Most answers follow an answer: then nothing is written.

        `after_failure`: a failure was reported under this permit.
        """
        gate = self.gate
        if after_failure or gate.failing_since is not None or not gate.is_open:
            probed = gate.reason if self.is_probe else None
            report_success(self.engine, probed=probed, destination=self.limits.destination)

    def report_failure(self, rows: Sequence[UUID], detail: str) -> bool:
        """Report a call without an answer for these rows; True when the gate is shut now: it costs no attempt."""
        return report_failure(self.engine, rows, detail, self.limits.destination)

    def report_refusal(self, words: str) -> bool:
        """Report that every row of a call was refused for one code and field; True when that shut the gate."""
        return report_refusal(self.engine, words, self.limits.destination)

    def shut(self, reason: Reason, detail: str, seconds: float | None) -> None:
        """Stop all calls. `seconds` until the first probe, as was asked for; None for the reason's own spacing."""
        destination = self.limits.destination
        shut_gate(self.engine, reason, detail, by="worker", seconds=seconds, destination=destination)


@contextmanager
def hold_permit(
    engine: Engine,
    limits: CallLimits,
    lane: Lane = Lane.RETRY,
    *,
    probe_of: str | None = None,
    may_wait: Callable[[], bool] = lambda: False,
) -> Iterator[Permit]:
    """Hold a call slot while the gate is open.

    Args:
        engine: The database.
        limits: The limits of calls over all workers.
        lane: Whose slots to use; every call that sends no fresh row uses RETRY.
        probe_of: Whose work that is due the caller does, and so may do through a shut gate: a destination's, or
            ERASURE; None: no call of its own.
        may_wait: Whether to go on waiting for a free slot; asked at each look.

    Yields:
        The permit, valid until the context ends.

    Raises:
        NotPermitted: The gate is shut, or no slot became free.
    """
    pause = SLOT_POLL_SECONDS
    while True:
        if limits.turns.acquire(timeout=pause if may_wait() else 0.0):
            try:
                with _take_slot(engine, limits, lane, probe_of) as permit:
                    if permit is not None:
                        yield permit
                        return
            finally:
                limits.turns.release()
            if may_wait():
                threading.Event().wait(pause)
                pause = min(2 * pause, SLOT_POLL_LONGEST)
        if not may_wait():
            raise NotPermitted("every call slot is busy")


@contextmanager
def _take_slot(engine: Engine, limits: CallLimits, lane: Lane, probe_of: str | None) -> Iterator[Permit | None]:
    """Hold a slot that is free now; None when none is. Raises `NotPermitted` for every other reason."""
    with acquire_call_slot(
        engine,
        lane,
        cap=limits.in_flight,
        seconds=limits.slot_seconds,
        may_probe=probe_of is not None,
        destination=limits.destination,
    ) as (gate, is_free):
        if not gate.is_open and probe_of is None:
            raise _gate_is_shut(gate)
        if is_free and not gate.is_open and not (probe_of and _takes_probe(engine, limits, gate, probe_of)):
            raise _gate_is_shut(gate)
        yield Permit(engine, limits, gate) if is_free else None


def _takes_probe(engine: Engine, limits: CallLimits, gate: Gate, sender: str) -> bool:
    """Who shares another's gate leaves the probe to that one, while it has something due."""
    owner = limits.destination
    if not gate.probe_due:
        return False
    # Another kind of call proves nothing about a wrong configuration.
    if sender != owner and (gate.reason == Reason.CONFIGURATION or find_due(engine, owner)):
        return False
    return take_probe(engine, gate.reason, owner)


def _gate_is_shut(gate: Gate) -> NotPermitted:
    return NotPermitted(f"the gate is shut ({gate.reason})", gate.reason)
