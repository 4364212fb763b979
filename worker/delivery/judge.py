"""What the answers of a destination mean: the mark of each row, and what the gate is told."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TypeVar, assert_never
from uuid import UUID

from leads.db import DATABASE_ERRORS, error_name
from leads.lifecycle import Deferred, Outcome, Rejected
from leads.outbox.gate import Reason
from leads.outbox.lease import Mark
from leads.outbox.permit import Permit
from worker.destinations.port import Answer

log = logging.getLogger(__name__)

T = TypeVar("T")


class Judge:
    """Judges each answer before the next call is made; a failure of the whole destination is reported at once.

    permit: the one that the calls are made under, known before the first. rows: those that were answered for.
    is_answered: whether the destination answered about any. is_stopped: an answer has shut the gate.
    """

    permit: Permit

    def __init__(self) -> None:
        self._has_shut: bool | None = None
        self.rows: set[UUID] = set()
        self.is_answered = False
        self.is_stopped = False

    @property
    def has_failed(self) -> bool:
        """Whether a call without an answer was reported."""
        return self._has_shut is not None

    def marks_of(self, answers: Iterable[Answer]) -> Iterator[list[Mark]]:
        """Yield the marks of each answer."""
        for answer in answers:
            outcome = self._outcome(answer)
            self.rows.update(row.id for row in answer.rows)
            self.is_answered = self.is_answered or answer.answered
            yield [Mark(row, outcome, answer.call_id, answer.http_status, answer.note) for row in answer.rows]

    def excuse(self, marks: Sequence[Mark]) -> tuple[list[Mark], bool]:
        """Spend no try of a claim's rows that are all refused for one field, when others were before; and if so."""
        reasons = {_reason(mark.outcome) for mark in marks}
        words = reasons.pop() if len(reasons) == 1 else None
        if words is None or not _told(lambda: self.permit.report_refusal(words)):
            return list(marks), False
        log.error("the gate is shut (%s): every row is refused for %s", Reason.CONFIGURATION, words)
        return [replace(mark, outcome=Deferred(words.partition(":")[0], words, wait=0.0)) for mark in marks], True

    def _outcome(self, answer: Answer) -> Outcome:
        if answer.shut is not None:
            order, self.is_stopped = answer.shut, True
            log.log(_level(order.reason), "shutting the gate (%s): %s", order.reason, order.detail)
            _told(lambda: self.permit.shut(order.reason, order.detail, order.seconds))
        if answer.outage is None:
            return answer.outcome
        log.warning("call %s failed: %s", answer.call_id, answer.outage)
        # A destination that has just answered about other rows is not unavailable: these rows are the cause. And
        # the parts of a batch that was halved are one failure.
        if not self.is_answered:
            if self._has_shut is None:
                rows, detail = [row.id for row in answer.rows], answer.outage
                self._has_shut = bool(_told(lambda: self.permit.report_failure(rows, detail)))
            if self._has_shut:
                # A call that has shut the gate costs the rows no try.
                return Deferred(getattr(answer.outcome, "code", "OUTAGE"), answer.outage, wait=0.0)
        return answer.outcome


def _told(report: Callable[[], T]) -> T | None:
    """Tell the gate; None when the database fails just then. The results must be marked all the same.

    The gate is told by the next call that fails.
    """
    try:
        return report()
    except DATABASE_ERRORS as error:
        log.warning("the gate could not be told (%s)", error_name(error))
        return None


def _reason(outcome: Outcome) -> str | None:
    """The code and the field for which a row was refused, as its timeline begins."""
    return f"{outcome.code}: {outcome.field}" if isinstance(outcome, Rejected) and outcome.field else None


def _level(reason: Reason) -> int:
    """An error is what does not pass by itself."""
    match reason:
        case Reason.CONFIGURATION | Reason.CREDITS:
            return logging.ERROR
        case Reason.PAUSED | Reason.OUTAGE | Reason.RATE | Reason.AUTH:
            return logging.WARNING
    assert_never(reason)
