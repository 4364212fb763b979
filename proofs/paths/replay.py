"""Replay of real rows through the table: each row's log of attempts must be a path of the table in transitions.py.

The path must end in the row's present state and counters. Two rules that no table of one row can hold
are checked here too: who may end a lease, and that a row which is sent alone is claimed alone.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from proofs.paths.transitions import (
    ERASED,
    EVENTS,
    HELD,
    IS_ALONE,
    PENDING,
    SENDING,
    SENT,
    By,
    Counts,
    Row,
    by_of,
    step,
)

Attempt = dict[str, Any]  # row, event, call_id, code, detail, next_retry_at

ATTEMPTS = """
SELECT row_id::text AS row, at, event, call_id, code, detail, next_retry_at FROM crm_attempts ORDER BY id
"""
ERASED_ROWS = "SELECT id::text AS row FROM erased_rows"

# Calls of an erasure: the row no longer exists here.
ERASURE_CALLS = frozenset({"erase_look", "erase_delete", "erase_purge"})


class NoPath(Exception):
    """The table has no such path; the message says where it ends."""


@dataclass(slots=True)
class Path:
    """A row on its way: where it is, whose claim holds its lease, the claims it had, and the events so far."""

    row: Row
    holder: str | None = None
    claims: set[str] = field(default_factory=set)
    events: list[str] = field(default_factory=list)

    def follow(self, attempt: Attempt, claimed: Mapping[str, int]) -> None:
        """Follow one line of the log; `claimed` is the number of rows by claim. Raises `NoPath`."""
        event, call = event_of(attempt), _base(attempt["call_id"])
        self.events.append(event)
        if event == "arranged":
            status, *counts = attempt["detail"].split()
            self.row, self.holder = Row(status, Counts(*map(int, counts))), None
        elif event in ERASURE_CALLS:
            self._erase()
        elif event == "fenced":
            # Nobody but an erasure can take a row from its holder without a line in the log.
            if self._is_held_by(call):
                self._erase()
        elif event not in EVENTS:
            raise NoPath(f"{event} is no event of the table")
        else:
            self._check_who(event, call)
            self._go(event)
            self.holder = None
            if event == "claimed":
                self._claim(call, claimed)

    def _check_who(self, event: str, call: str | None) -> None:
        if call is None:
            return
        if by_of(event) is By.HOLDER and not self._is_held_by(call):
            raise NoPath(f"{event} by a call that had lost its lease")
        if by_of(event) is By.ANSWERED and call not in self.claims:
            raise NoPath(f"{event} by a call that never had the row")

    def _claim(self, call: str | None, claimed: Mapping[str, int]) -> None:
        if call is None:
            return
        if self.row.counts.losses >= IS_ALONE.losses and claimed[call] > 1:
            raise NoPath(f"a row that must be sent alone was claimed with {claimed[call] - 1} others")
        self.holder = call
        self.claims.add(call)

    def _is_held_by(self, call: str | None) -> bool:
        return self.row.status == SENDING and self.holder is not None and self.holder == call

    def _erase(self) -> None:
        if self.row.status != ERASED:
            self._go("erased")

    def _go(self, event: str) -> None:
        after = step(self.row, event)
        if after is None:
            raise NoPath(f"{event} is no transition from {self.row.status} {self.row.counts}")
        self.row = after


def event_of(attempt: Attempt) -> str:
    """The table's event for a line of the log."""
    event = str(attempt["event"])
    if event == "retryable" and attempt["next_retry_at"] is None:
        return "exhausted"
    if event != "lease_lost":
        return event
    return "lost" if attempt["code"] == "WORKER_LOST" else "lost_uncharged"


def replay(attempts: Iterable[Attempt], finals: Sequence[Attempt], erased: Iterable[str]) -> Iterator[str]:
    """The rows whose history the table does not have, as sentences.

    Args:
        attempts: The lines of ATTEMPTS, in their order. A line `arranged` is a change by hand, its detail the new
            status and counters.
        finals: The rows of `FINALS` (proofs/harness/outbox.py).
        erased: The ids of ERASED_ROWS.
    """
    timelines: dict[str, list[Attempt]] = defaultdict(list)
    claimed: Counter[str] = Counter()
    for attempt in attempts:
        timelines[attempt["row"]].append(attempt)
        if attempt["event"] == "claimed":
            claimed[str(_base(attempt["call_id"]))] += 1
    ends = {final["row"]: final for final in finals}
    gone = set(erased)
    for row in timelines.keys() | ends.keys():
        lines, final = timelines.get(row, []), ends.get(row)
        path = Path(Row(_start(lines, final)))
        try:
            for attempt in lines:
                path.follow(attempt, claimed)
            _check_end(path, final, is_erased=row in gone)
        except NoPath as wrong:
            yield f"row {row}: {wrong}; its events: {', '.join(path.events) or 'none'}"


def _start(lines: Sequence[Attempt], final: Attempt | None) -> str:
    """Suspected spam is stored as held; whoever released it is in the log."""
    if lines:
        return HELD if lines[0]["event"] == "released" else PENDING
    return HELD if final is not None and final["zoho_status"] == HELD else PENDING


def _check_end(path: Path, final: Attempt | None, *, is_erased: bool) -> None:
    row = path.row
    if final is None:
        if not is_erased:
            raise NoPath("it no longer exists, and nobody erased it")
        return
    if row.status != final["zoho_status"]:
        raise NoPath(f"the table ends in {row.status}, the row is {final['zoho_status']}")
    # A late success writes the tries of the claim that it belongs to.
    tries = final["retry_count"] if row.status == SENT else row.counts.tries
    counts = Counts(tries, row.counts.losses)
    found = Counts(final["retry_count"], final["lost_leases"])
    if counts != found:
        raise NoPath(f"the table ends with {counts}, the row has {found}")


def _base(call_id: str | None) -> str | None:
    """The claim's id: without the suffixes of resent, split and repaired calls."""
    return None if call_id is None else re.split(r"[.-]", call_id)[0]
