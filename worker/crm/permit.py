"""The permit to call the CRM: circuit breaker, concurrency limit and call slot behind one context manager.

Every call needs a permit: deliveries, erasures, retention, reconciliation, the operator's commands. Only `check`
calls without one, because it must be able to show why calls have stopped.
"""

from __future__ import annotations

import threading
import time
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from leads.crm_state.concurrency import acquire_call_slot
from leads.crm_state.gate import (
    Reason,
    halve_concurrency,
    read_gate,
    report_failure,
    report_success,
    shut_gate,
    take_probe,
)
from leads.outbox.rows import Lane
from leads.outbox.stats import count_due

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from uuid import UUID

    from sqlalchemy import Engine

    from leads.crm_state.gate import Gate
    from worker.crm.port import Crm

T = TypeVar("T")

SLOT_POLL_SECONDS = 0.1


class NotPermitted(Exception):
    """No call may be made now; the message is the reason. `gate_reason` is set when the gate is shut."""

    def __init__(self, message: str, gate_reason: str | None = None) -> None:
        super().__init__(message)
        self.gate_reason = gate_reason


@dataclass(frozen=True, slots=True)
class Permit:
    """Permission to make calls, one at a time, until the context ends; it also takes reports of their results.

    `gate` is the gate as it was read for this permit.
    """

    crm: Crm
    gate: Gate
    engine: Engine
    max_in_flight: int
    credits_are_scarce: bool

    @property
    def is_probe(self) -> bool:
        """Whether the gate is shut, and only one row may be sent, to find out whether it can open."""
        return not self.gate.is_open

    def report_answer(self) -> None:
        """Report that the CRM answered. Writes only what changes something: most answers follow an answer."""
        gate, credits_left = self.gate, self.crm.credits_left
        is_troubled = gate.failures or not gate.is_open or gate.concurrency is not None
        if is_troubled or credits_left is not None or gate.credits_left is not None:
            probed = gate.reason if self.is_probe else None
            report_success(self.engine, cap=self.max_in_flight, probed=probed, credits_left=credits_left)

    def report_failure(self, rows: Sequence[UUID], detail: str) -> bool:
        """Report a call without an answer for these rows; True when the gate is shut now: it costs no attempt."""
        return report_failure(self.engine, rows, detail)

    def shut(self, reason: Reason, detail: str, seconds: float | None) -> None:
        """Stop all calls. `seconds` until the first probe, as the CRM asked; None for the reason's own spacing."""
        shut_gate(self.engine, reason, detail, by="worker", seconds=seconds)
        if reason is Reason.RATE:
            halve_concurrency(self.engine, cap=self.max_in_flight)


@dataclass(frozen=True, slots=True)
class CrmAccess:
    """The CRM, which can be called only under a permit.

    max_in_flight: calls at once over all workers. credits_reserve: with fewer API credits left, only fresh rows are
    sent.
    """

    crm: Crm
    engine: Engine
    max_in_flight: int
    credits_reserve: int

    @contextmanager
    def permit(
        self, lane: Lane = Lane.RETRY, *, spare: bool = False, may_probe: bool = False, patience: float = 0.0
    ) -> Iterator[Permit]:
        """Hold a call slot while the gate is open.

        Args:
            lane: whose slots to use; every call that sends no fresh row uses RETRY.
            spare: see `acquire_call_slot`.
            may_probe: whether the caller sends a row of the lane, and so may send one through a shut gate.
            patience: seconds to wait for a free slot.

        Yields:
            The permit, valid until the context ends.

        Raises:
            NotPermitted: the gate is shut, credits are reserved, or no slot became free.
        """
        until = time.monotonic() + patience
        while True:
            gate = self._read_gate(lane, may_probe=may_probe)
            cap = min(self.max_in_flight, gate.concurrency or self.max_in_flight)
            with acquire_call_slot(self.engine, lane, cap=cap, spare=spare) as is_free:
                if is_free:
                    if not gate.is_open and not self._take_probe(lane, gate):
                        raise NotPermitted(f"the gate is shut ({gate.reason})", gate.reason)
                    yield Permit(self.crm, gate, self.engine, self.max_in_flight, self._is_scarce(gate))
                    return
            if time.monotonic() >= until:
                raise NotPermitted("every call slot is busy")
            threading.Event().wait(SLOT_POLL_SECONDS)

    def pages(self, read: Callable[[Crm], Iterator[T]], *, patience: float = 0.0) -> Iterator[T]:
        """Yield the pages that `read` reads from the CRM, each under a permit of its own; raises `NotPermitted`."""
        pages = read(self.crm)
        while True:
            with self.permit(patience=patience):
                page = next(pages, None)
            if page is None:
                return
            yield page

    def _read_gate(self, lane: Lane, *, may_probe: bool) -> Gate:
        gate = read_gate(self.engine)
        if not gate.is_open and not may_probe:
            raise NotPermitted(f"the gate is shut ({gate.reason})", gate.reason)
        if lane is Lane.RETRY and self._is_scarce(gate):
            raise NotPermitted("credits are kept for fresh leads")
        return gate

    def _take_probe(self, lane: Lane, gate: Gate) -> bool:
        """Whether this caller may send one row through the shut gate; an empty lane takes no probe."""
        if not gate.probe_due or not count_due(self.engine, lane, limit=1):
            return False
        return take_probe(self.engine, gate.reason)

    def _is_scarce(self, gate: Gate) -> bool:
        """Whether the remaining API credits of the day are reserved for fresh rows."""
        return gate.credits_left is not None and gate.credits_left < self.credits_reserve
