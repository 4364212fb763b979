"""The permit to call the CRM: circuit breaker, credits' reserve and call slot behind one context manager.

Every call needs a permit: deliveries, erasures, retention, reconciliation, the operator's commands. Only `check`
calls without one, because it must be able to show why calls have stopped.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from uuid import UUID

from sqlalchemy import Engine

from leads.crm_state.concurrency import acquire_call_slot
from leads.crm_state.gate import (
    Gate,
    Reason,
    halve_concurrency,
    report_failure,
    report_success,
    shut_gate,
    take_probe,
)
from leads.crm_state.process import ProcessCalls
from leads.outbox.rows import Lane
from leads.outbox.stats import count_due

SLOT_POLL_SECONDS = 0.1


class NotPermitted(Exception):
    """No call may be made now; the message is the reason. `gate_reason` is set when the gate is shut."""

    def __init__(self, message: str, gate_reason: str | None = None) -> None:
        super().__init__(message)
        self.gate_reason = gate_reason


@dataclass(frozen=True, slots=True)
class CallLimits:
    """The limits of calls.

    Over all workers: calls in flight, and API credits that are reserved for fresh rows. slot_seconds: when the slot
    of a lost worker is free again. process: the calls of this process.
    """

    in_flight: int
    credits_reserve: int
    slot_seconds: float
    process: ProcessCalls = field(default_factory=ProcessCalls)


@dataclass(frozen=True, slots=True)
class Permit:
    """Permission to make calls, one at a time, until the context ends; it also takes reports of their results.

    `gate` is the gate as it was read for this permit. `calling` is held during a call: threads may share a permit.
    """

    engine: Engine
    limits: CallLimits
    gate: Gate
    calling: threading.Lock

    @property
    def is_probe(self) -> bool:
        """Whether the gate is shut, and only one row may be sent, to find out whether it can open."""
        return not self.gate.is_open

    @property
    def is_asked_to_end(self) -> bool:
        """Whether another caller of this process waits to be alone."""
        return self.limits.process.is_closed

    @property
    def credits_are_scarce(self) -> bool:
        """Whether the remaining API credits of the day are reserved for fresh rows."""
        return _are_scarce(self.gate, self.limits)

    def report_answer(self, credits_left: int | None) -> None:
        """Report that the CRM answered. Writes only what changes something: most answers follow an answer."""
        gate = self.gate
        is_troubled = gate.failures or not gate.is_open or gate.concurrency is not None
        if is_troubled or credits_left is not None or gate.credits_left is not None:
            probed = gate.reason if self.is_probe else None
            report_success(self.engine, cap=self.limits.in_flight, probed=probed, credits_left=credits_left)

    def alone(self, patience: float) -> AbstractContextManager[bool]:
        """Be the only caller of this process; see `ProcessCalls.alone`."""
        return self.limits.process.alone(patience)

    def report_failure(self, rows: Sequence[UUID], detail: str) -> bool:
        """Report a call without an answer for these rows; True when the gate is shut now: it costs no attempt."""
        return report_failure(self.engine, rows, detail)

    def shut(self, reason: Reason, detail: str, seconds: float | None) -> None:
        """Stop all calls. `seconds` until the first probe, as the CRM asked; None for the reason's own spacing."""
        shut_gate(self.engine, reason, detail, by="worker", seconds=seconds)
        if reason is Reason.RATE:
            halve_concurrency(self.engine, cap=self.limits.in_flight)


@contextmanager
def hold_permit(  # noqa: PLR0913 - keywords, one per property of the caller
    engine: Engine,
    limits: CallLimits,
    lane: Lane = Lane.RETRY,
    *,
    spare: bool = False,
    may_probe: bool = False,
    patience: float = 0.0,
) -> Iterator[Permit]:
    """Hold a call slot while the gate is open.

    Args:
        engine: The database.
        limits: The limits of calls over all workers.
        lane: Whose slots to use; every call that sends no fresh row uses RETRY.
        spare: See `acquire_call_slot`.
        may_probe: Whether the caller sends a row of the lane, and so may send one through a shut gate.
        patience: Seconds to wait for a free slot.

    Yields:
        The permit, valid until the context ends.

    Raises:
        NotPermitted: The gate is shut, credits are reserved, another caller is to be alone in this process, or no
            slot became free.
    """
    with limits.process.join() as is_free:
        if not is_free:
            raise NotPermitted("a row is being sent alone")
        with _hold_slot(engine, limits, lane, spare=spare, may_probe=may_probe, patience=patience) as permit:
            yield permit


@contextmanager
def _hold_slot(  # noqa: PLR0913 - as above
    engine: Engine, limits: CallLimits, lane: Lane, *, spare: bool, may_probe: bool, patience: float
) -> Iterator[Permit]:
    until = time.monotonic() + patience
    while True:
        with acquire_call_slot(
            engine, lane, cap=limits.in_flight, seconds=limits.slot_seconds, spare=spare, may_probe=may_probe
        ) as (gate, is_free):
            if not gate.is_open and not may_probe:
                raise _gate_is_shut(gate)
            if lane is Lane.RETRY and _are_scarce(gate, limits):
                raise NotPermitted("credits are kept for fresh leads")
            if is_free:
                # An empty lane takes no probe.
                is_probe = (
                    gate.probe_due and count_due(engine, lane, limit=1) > 0 and take_probe(engine, gate.reason)
                )
                if not gate.is_open and not is_probe:
                    raise _gate_is_shut(gate)
                yield Permit(engine, limits, gate, threading.Lock())
                return
        if time.monotonic() >= until:
            raise NotPermitted("every call slot is busy")
        threading.Event().wait(SLOT_POLL_SECONDS)


def _gate_is_shut(gate: Gate) -> NotPermitted:
    return NotPermitted(f"the gate is shut ({gate.reason})", gate.reason)


def _are_scarce(gate: Gate, limits: CallLimits) -> bool:
    return gate.credits_left is not None and gate.credits_left < limits.credits_reserve
