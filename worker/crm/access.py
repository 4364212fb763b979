"""What the CRM's failures mean; and the CRM for jobs and commands, while calls to it flow or as a pause's trial."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TypeVar, assert_never

from sqlalchemy import Engine

from leads.destinations import CRM
from leads.lifecycle import Outcome, Reason, Refused, Retry, Unavailable
from leads.outbox.pause import TRIAL_SECONDS, note_answer, note_outcome, take_call
from worker.crm.port import OVERWROTE, CallFailed, Crm, FailureClass

T = TypeVar("T")
OVERWROTE_SECONDS = 4 * 3600.0  # each trial may overwrite one more record


def outcome_of(failure: CallFailed) -> Outcome:
    """Return what a failed call means for its row."""
    code, status, asked = failure.code, failure.http_status, failure.retry_after_seconds
    detail = f"{failure.field}: {failure.detail}".removesuffix(": ") if failure.field else failure.detail
    match failure.failure:
        case FailureClass.REFUSED | FailureClass.DUPLICATE:
            return Refused(code=code, detail=detail, http_status=status)
        case FailureClass.TRANSIENT | FailureClass.UNKNOWN | FailureClass.GONE:
            wait = asked or 0.0
            return Retry(code=code, detail=detail, wait=wait, answered=failure.answered, http_status=status)
        case FailureClass.AUTH | FailureClass.RATE | FailureClass.CREDITS | FailureClass.CONFIGURATION:
            reason = Reason(failure.failure.value)
            asked = OVERWROTE_SECONDS if code == OVERWROTE else asked
            wait = TRIAL_SECONDS[reason] if asked is None else asked
            return Unavailable(reason=reason, code=code, detail=detail, wait=wait, http_status=status)
    assert_never(failure.failure)


@dataclass(frozen=True, slots=True)
class CrmAccess:
    """The CRM, for callers that deliver no row. What a call says of it as a whole is noted as a delivery's is."""

    crm: Crm
    engine: Engine

    @contextmanager
    def permitted(self) -> Iterator[Crm]:
        """The CRM, until the context ends; raises `Paused`."""
        trial = take_call(self.engine, CRM)
        try:
            yield self.crm
        except CallFailed as failure:
            # A right that only this call needs stops no delivery.
            if failure.failure is not FailureClass.CONFIGURATION:
                note_outcome(self.engine, CRM, outcome_of(failure), trial)
            raise
        if trial is not None:
            note_answer(self.engine, CRM, trial)

    def pages(self, read: Callable[[Crm], Iterator[T]]) -> Iterator[T]:
        """Yield the pages that `read` reads from the CRM; raises `Paused`."""
        pages = read(self.crm)
        while True:
            with self.permitted():
                page = next(pages, None)
            if page is None:
                return
            yield page
