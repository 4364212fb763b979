"""What must hold after every step of a run and at its end, judged by the log of changes and the CRM's ledger."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from leads.lifecycle import LEASE_SECONDS, LONGEST_LEASE_SECONDS
from tools.simulation.crm import KILLER, SimulatedCall, SimulatedCrm
from tools.simulation.scheduler import SECOND, Process, Scheduler
from tools.simulation.server import Change
from tools.simulation.stand_ins import microseconds

REFUSED, FATAL = "Poison", "fatal"
# A field that became mandatory refuses every row.
MANDATORY = "MANDATORY_NOT_FOUND"
MARKERS = (KILLER, REFUSED, FATAL)
OWED = frozenset({"pending", "retrying", "sending"})
# A row waits at most for a Retry-After of a day and its spread, or for the longest back-off.
MAX_WAIT_SECONDS = 86_400 * 1.1 + 60
MAX_MINTS, MINT_WINDOW = 10, 600.0
# Fields of the record, and what of the visitor's is in them.
_ANSWERS = {"Treatment_Interest": "interest", "Already_Has": "already_has", "Call_From": "call_from"}


@dataclass(slots=True)
class Row:
    """What the oracle knows of a row. `marker`: what makes it a killer, or refused; empty for an innocent."""

    kind: str
    marker: str = ""
    surname: str = ""
    status: str = "pending"
    due: int = 0
    holder: str = ""
    lease_end: int = 0
    changed: int = 0
    lost: int = 0
    tries: int = 0
    error: str = ""
    erased: bool = False
    is_old: bool = False  # retention removes it; the CRM keeps its record


@dataclass(slots=True)
class Oracle:
    """The invariants. Violations are plain sentences; the first one ends the run."""

    scheduler: Scheduler
    rows: dict[UUID, Row] = field(default_factory=dict)
    violations: list[str] = field(default_factory=list)
    checks: Counter[str] = field(default_factory=Counter)
    sent_unchecked: list[UUID] = field(default_factory=list)
    # What sales staff did to the records of rows that had been sent.
    handled: dict[UUID, str] = field(default_factory=dict)
    progress: int = 0

    def require(self, name: str, holds: object, text: str) -> None:
        """Count a check of an invariant; note a violation if it does not hold."""
        self.checks[name] += 1
        if not holds:
            self.violations.append(f"{name}: {text}")

    # After every change of a row --------------------------------------------------------------------------------

    def on_change(self, change: Change) -> None:
        """Judge one change of one row."""
        if change.op == "INSERT":
            marker = next((marker for marker in MARKERS if marker in (change.surname or "")), "")
            self.rows[change.id] = Row(
                change.kind, marker, change.surname or "", change.new_status or "", _time(change.new_due)
            )
            self.progress += 1
            return
        row = self.rows[change.id]
        if change.op == "DELETE":
            may_go = row.is_old or change.actor.startswith("operator")
            self.require("nothing lost", may_go, f"{change.id} deleted by {change.actor}")
            row.erased, row.status = not row.is_old, "gone"
            return
        self._judge(change, row)
        row.status, row.due, row.lost = change.new_status or "", _time(change.new_due), change.lost or 0
        row.tries, row.error = change.tries or 0, change.error or ""
        row.changed = self.scheduler.now
        if change.old_status != change.new_status and row.status in {"sent", "dead"}:
            self.progress += 1

    def _judge(self, change: Change, row: Row) -> None:
        actor, at = change.actor.partition("|")[0], _time(change.at)
        story = f"{change.kind} {change.id}: {change.old_status} -> {change.new_status} by {change.actor}"
        # What a visitor adds makes a row due again whose record is in the CRM.
        is_added = change.new_status == "pending" and actor.startswith("visitor")
        is_kept = change.old_status != "sent" or change.new_status == "sent" or is_added
        self.require("success is monotone", is_kept, story)
        if change.new_status == "sending" and change.old_due != change.new_due:
            self._judge_claim(change, row, actor, story)
        elif change.old_status == "sending" and change.new_status not in {"sending", "sent"}:
            # A success that comes late, to words of which there are newer ones, is due again.
            is_holder = actor == row.holder or (change.new_status == "pending" and change.record is not None)
            self.require("a lease is ended by its holder", is_holder, f"{story}; its holder: {row.holder}")
        if change.new_status == "sent" and change.old_status != "sent":
            self.sent_unchecked.append(change.id)
        if change.new_status == "dead" and change.old_status != "dead":
            self._judge_death(change, row, story)
        if change.new_status in OWED:
            wait = (_time(change.new_due) - at) / SECOND
            self.require("what is owed is due at some time", wait <= MAX_WAIT_SECONDS, f"{story}, in {wait:.0f} s")

    def _judge_claim(self, change: Change, row: Row, actor: str, story: str) -> None:
        at = _time(change.at)
        self.require("no claim before its time", _time(change.old_due) <= at, story)
        self.require("no claim in a pause", not change.is_paused, story)
        self.require("only waiting rows are claimed", change.old_status in OWED, story)
        row.holder, row.lease_end = actor, _time(change.new_due)
        lease = (row.lease_end - at) / SECOND
        wanted = min(LEASE_SECONDS * 2 ** (change.lost or 0), LONGEST_LEASE_SECONDS)
        self.require("the lease doubles with each lost one", abs(lease - wanted) < 1, f"{story}, {lease:.1f} s")
        is_lost = change.old_status == "sending"
        self.require("each lost lease is counted", (change.lost or 0) == row.lost + is_lost, story)

    def _judge_death(self, change: Change, row: Row, story: str) -> None:
        error = change.error or ""
        # A lost lease ends no row, not even one that kills its workers.
        is_due = "no tries left" in error and (row.marker in {FATAL, REFUSED} or error.startswith(MANDATORY))
        self.require("no innocent row dies", is_due, f"{story} ({error}); its marker: {row.marker or 'none'}")

    # Of a call --------------------------------------------------------------------------------------------------

    def on_send(self, call: SimulatedCall) -> None:
        """Judge a call that is about to leave."""
        if not call.is_upsert:
            return
        for event in _event_ids(call):
            row = self.rows.get(event)
            if row is None or row.erased:
                continue
            is_held = row.holder == call.fiber.name and self.scheduler.now < row.lease_end
            self.require(
                "no call after the lease", is_held, f"{event} in call {call.call_id}, held by {row.holder}"
            )

    def on_answer(self, call: SimulatedCall, crm: SimulatedCrm) -> None:
        """Judge what the CRM holds after a call; on the main greenlet."""
        if call.is_upsert:
            for event in _event_ids(call):
                records = len(crm.records_of(event))
                self.require("nothing doubled", records <= 1, f"{event} has {records} records")

    def check_sent(self, crm: SimulatedCrm) -> None:
        """Judge rows that were just marked as sent: the CRM must have them; on the main greenlet."""
        while self.sent_unchecked:
            event = self.sent_unchecked.pop()
            has_it = self.rows[event].erased or event in self.handled or len(crm.records_of(event)) == 1
            self.require("sent means that the CRM has it", has_it, f"{event} is marked sent")

    # Of the schedule itself -------------------------------------------------------------------------------------

    def lease_end_of(self, process: Process) -> int | None:
        """When the last lease of this process ends; None when it holds none."""
        ends = [
            row.lease_end
            for row in self.rows.values()
            if row.status == "sending" and row.holder.partition(".")[0] == process.name
        ]
        return max((end for end in ends if end > self.scheduler.now), default=None)

    def carries_lost_row(self, call: SimulatedCall) -> bool:
        """Whether a row of the call has lost a lease before."""
        return any(self.rows[event].lost for event in _event_ids(call) if event in self.rows)

    # At the end -------------------------------------------------------------------------------------------------

    def owed(self) -> list[UUID]:
        """The rows that the CRM still gets."""
        return [event for event, row in self.rows.items() if row.status in OWED]

    def describe(self, events: Sequence[UUID]) -> str:
        """The state of some rows, in a line."""
        rows = ((event, self.rows[event]) for event in events)
        return "; ".join(
            f"{event} {row.status}, {row.tries} tries, {row.lost} lost, due in"
            f" {(row.due - self.scheduler.now) / SECOND:.0f} s, {row.error}"
            for event, row in rows
        )

    def check_end(self, crm: SimulatedCrm, accepted: set[UUID], answered: Mapping[UUID, Mapping[str, Any]]) -> None:
        """Judge the end of a run, when nothing is owed any more."""
        lost = accepted - self.rows.keys()
        self.require("nothing lost", not lost, f"{len(lost)} accepted rows are not in the database")
        records = crm.all_records()
        for event, row in self.rows.items():
            if row.erased:
                remains = crm.records_of(event, binned=True)
                self.require("an erased row is not in the CRM", not remains, f"{event} has {len(remains)} records")
                continue
            record = records.get(str(event))
            if self.handled.get(event) in ("delete", "merge"):
                self.require("what staff do is not undone", record is None, f"{event} is back")
                continue
            self.require("nothing lost", record is not None, f"{row.kind} {event} ({row.status}) has no record")
            if record is not None and row.surname:
                self.require("the record is the row's", record.get("Last_Name") == row.surname, str(event))
        self.check_answers(crm, answered)
        strange = records.keys() - {str(event) for event in self.rows}
        self.require("every record has its row", not strange, f"{len(strange)} records without a row")
        self._check_mints(crm)

    def check_answers(self, crm: SimulatedCrm, answered: Mapping[UUID, Mapping[str, Any]]) -> None:
        """Judge that each record has what its visitor answered last, and when the clinic calls."""
        records = crm.all_records()
        for event, answers in answered.items():
            record = records.get(str(event))
            is_known = event not in self.handled and event not in crm.swapped and not self.rows[event].erased
            if record is None or not is_known:
                continue
            said = {field: record.get(field) for field in _ANSWERS}
            said["Call_From"] = said["Call_From"] and datetime.fromisoformat(str(said["Call_From"]))
            wanted = {field: answers.get(column) for field, column in _ANSWERS.items()}
            self.require("the last words are in the record", said == wanted, f"{event}: {said}, not {wanted}")

    def _check_mints(self, crm: SimulatedCrm) -> None:
        minted = crm.sandbox.tokens.minted_at()
        spans = [later - earlier for earlier, later in zip(minted, minted[MAX_MINTS:], strict=False)]
        self.require("mints within the limit", not spans or min(spans) >= MINT_WINDOW, "11 tokens in 10 minutes")

    def check_log(self, crm: SimulatedCrm, claimed: set[tuple[str, str]]) -> None:
        """Judge that every row of every call was claimed for it. `claimed`: call and row of each claim."""
        for request_id, results in crm.upserts():
            base = re.split(r"[.-]", request_id)[0]
            for event in re.findall(r'"event_id": "([0-9a-f-]{36})"', results):
                is_kept = (base, event) in claimed or self.rows[UUID(event)].is_old
                self.require("the log has every call", is_kept, f"{event} in call {request_id}")


def _time(at: datetime | None) -> int:
    return 0 if at is None else microseconds(at)


def _event_ids(call: SimulatedCall) -> list[UUID]:
    return [UUID(str(row["Website_Event_ID"])) for row in call.rows if "Website_Event_ID" in row]
