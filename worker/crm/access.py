"""The CRM as the jobs and the operator's commands get it: only under a permit."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TypeVar

from sqlalchemy import Engine

from leads.outbox.permit import CallLimits, hold_permit
from worker.crm.port import Crm

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class CrmAccess:
    """The CRM, for callers that send no fresh row. Every call needs a permit; see `leads.outbox.permit`."""

    crm: Crm
    engine: Engine
    limits: CallLimits

    @contextmanager
    def permitted(self, *, patience: float = 0.0) -> Iterator[Crm]:
        """The CRM, for one call at a time until the context ends.

        Raises `NotPermitted`; `patience` is how many seconds to wait for a free call slot.
        """
        until = time.monotonic() + patience
        with hold_permit(self.engine, self.limits, may_wait=lambda: time.monotonic() < until):
            yield self.crm

    def pages(self, read: Callable[[Crm], Iterator[T]], *, patience: float = 0.0) -> Iterator[T]:
        """Yield the pages that `read` reads from the CRM, each under a permit of its own; raises `NotPermitted`."""
        pages = read(self.crm)
        while True:
            with self.permitted(patience=patience):
                page = next(pages, None)
            if page is None:
                return
            yield page
