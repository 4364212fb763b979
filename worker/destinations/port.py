"""Port and adapter: what the delivery needs of any destination. `registry` names the adapters.

No database and no Celery: claims, leases, back-off, the gate and the timeline are the delivery's, for all alike.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Protocol
from uuid import UUID

from leads.lifecycle import Deferred, Outcome
from leads.outbox.gate import Reason
from leads.outbox.permit import CallLimits
from leads.outbox.rows import Claimed, Lane

# Of messages by mail and webhook. They begin in its first half, after connecting; the last one ends in the second.
MESSAGE_LEASE_SECONDS = 120.0
NOT_TRIED = Deferred("NOT_TRIED", "not sent, its turn did not come", 0.0)


@dataclass(frozen=True, slots=True)
class Shut:
    """An order to shut the gate: the reason, the failure's code and detail, the seconds until the first probe.

    seconds is what the destination asked for; None for the reason's own spacing.
    """

    reason: Reason
    detail: str
    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """What became of rows in one call. It holds no personal data, as it is written to their timelines.

    outcome: for each of the rows. answered: the destination answered about them. outage: why it did not, if that is
    its own trouble and not the rows'. shut: set when no further call should be made. note: what a timeline adds.
    """

    rows: Sequence[Claimed]
    outcome: Outcome
    call_id: str
    answered: bool = True
    outage: str | None = None
    shut: Shut | None = None
    http_status: int | None = None
    note: str | None = None


@dataclass(frozen=True, slots=True)
class Call:
    """What an adapter needs to send claimed rows.

    id: ties the calls to the claim; further calls get it with a suffix. deadline: monotonic seconds after which no
    call begins, because the lease could run out. begin: records that the call for these rows begins, and returns
    those whose lease still holds: only they are sent. take_slot: waits until calls may be made; asked again, it has
    one. begun: the ids of all those that began.
    """

    id: str
    deadline: float
    begin: Callable[[Sequence[Claimed]], list[Claimed]]
    take_slot: Callable[[], None]
    is_stopping: Callable[[], bool] = lambda: False
    begun: AbstractSet[UUID] = frozenset()

    def may_begin(self) -> bool:
        """Whether there is time for another call, and the process was not asked to end."""
        return time.monotonic() < self.deadline and not self.is_stopping()


class Destination(Protocol):
    """An adapter. Safe to share between threads."""

    @property
    def name(self) -> str:
        """Stored with each row, so that it stays as it is."""

    @property
    def max_rows(self) -> int:
        """In one claim."""

    @property
    def lease_seconds(self) -> float:
        """How long the rows of a claim belong to their worker; calls begin in the first half."""

    @property
    def is_repeatable(self) -> bool:
        """Whether sending a row twice changes nothing there.

        Then the results of a claim are written together; else each is written at once.
        """

    @property
    def limits(self) -> CallLimits:
        """How many calls at once, over all workers."""

    def choose(self, lane: Lane, rows: int) -> Sequence[UUID] | None:
        """Which due rows may be sent now, so many at most; None: any."""

    def send(self, rows: Sequence[Claimed], call: Call) -> Iterator[Answer]:
        """Send rows of one claim, and yield what became of them as it is known.

        Each exchange has time-outs. `call.take_slot` comes before the first, and may raise `NotPermitted`;
        `call.begin` comes before the call that it is about. A row that is named in no answer was not tried.
        Failures are answers; an exception is taken for a fault of the adapter on the one row whose call had begun.
        An error of the database leaves the rows without an answer to their next try: an adapter that is not
        repeatable asks the database nothing between sending and its answer.
        """
