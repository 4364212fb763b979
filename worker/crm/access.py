"""The CRM as the jobs and the operator's commands get it: while calls flow, or as the trial that ends a pause."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TypeVar

from sqlalchemy import Engine

from leads.destinations import CRM
from leads.outbox.pause import note_answer, note_outcome, take_call
from worker.crm.outcomes import outcome_of
from worker.crm.port import CallFailed, Crm, FailureClass

T = TypeVar("T")


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
