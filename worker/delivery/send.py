"""Sending claimed rows: one upsert a batch, split when the CRM refuses it whole, and what each answer means."""

from __future__ import annotations

import logging
import random
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from leads.crm_state.gate import Reason, halve_concurrency, report_failure, shut_gate
from leads.lifecycle import Deferred, Outcome, settle
from leads.outbox.lease import Verdict
from worker.delivery.mapping import set_aside
from worker.delivery.outcomes import OUTAGE, Shut, judge_call, judge_row, shut_for_call, shut_for_row
from worker.delivery.repeats import put_note
from worker.zoho.errors import CallFailed, FailureClass

if TYPE_CHECKING:
    from collections.abc import Sequence

    from leads.outbox.rows import Claimed
    from worker.context import Crm
    from worker.zoho.errors import Verdict as Answer

log = logging.getLogger(__name__)

# Optional fields a row may lose one after the other, each moved to Description, before it is given up as dead.
MOST_REPAIRS = 3
LATE = Deferred("LEASE_SHORT", "not sent, too little of the lease left", 0.0)
# What a record that was deleted, converted or locked away from us answers to a note.
NOT_THERE = frozenset({FailureClass.RECORD, FailureClass.REQUEST})


@dataclass(frozen=True, slots=True)
class Item:
    """A claimed row on its way, and which of its fields were set aside because the CRM refused them."""

    row: Claimed
    record: dict[str, object]
    set_aside: tuple[str, ...] = ()


@dataclass(slots=True)
class Sending:
    """What a batch's calls gave: a verdict for every row, and whether the CRM answered at all."""

    verdicts: list[Verdict] = field(default_factory=list)
    answered: bool = False


def send(crm: Crm, rows: Sequence[Claimed], call_id: str, *, deadline: float) -> Sending:
    """Send rows of one kind. No call starts after `deadline` (monotonic seconds): its lease could run out."""
    sending = Sending()
    items = [Item(row, crm.record(row)) for row in rows]
    _send_records(
        crm, sending, [item for item in items if not item.row.values.get("merged_into")], call_id, deadline
    )
    notes = [item for item in items if item.row.values.get("merged_into")]
    refused = [
        item
        for number, item in enumerate(notes, 1)
        if not _send_note(crm, sending, item, f"{call_id}.n{number}", deadline)
    ]
    # The earlier record is gone or may not be written: this enquiry becomes a record of its own.
    _send_records(crm, sending, refused, f"{call_id}.o", deadline)
    return sending


def _send_records(crm: Crm, sending: Sending, items: Sequence[Item], call_id: str, deadline: float) -> None:
    batches = [(items, call_id)] if items else []
    while batches:
        items, name = batches.pop()
        if time.monotonic() > deadline:
            _settle_all(sending, items, LATE, name)
            continue
        try:
            answers = crm.upsert([item.record for item in items], call_id=name)
        except CallFailed as failure:
            if failure.failure is FailureClass.REQUEST and len(items) > 1:
                middle = len(items) // 2
                batches += [(items[:middle], f"{name}.a"), (items[middle:], f"{name}.b")]
            else:
                _take_failure(crm, sending, items, failure, name)
            continue
        sending.answered = True
        repaired = _take_answers(crm, sending, items, answers, name)
        if repaired:
            batches.append((repaired, f"{name}.r"))


def _send_note(crm: Crm, sending: Sending, item: Item, call_id: str, deadline: float) -> bool:
    """Add a repeat enquiry to the earlier record; False when that record takes no note."""
    try:
        answer = put_note(crm, item.row, item.record, call_id=call_id, deadline=deadline)
    except CallFailed as failure:
        if failure.failure in NOT_THERE:
            return False
        _take_failure(crm, sending, [item], failure, call_id)
        return True
    if answer is None:
        _settle(sending, item, LATE, call_id, None)
        return True
    if not answer.ok and answer.failure in NOT_THERE:
        return False
    sending.answered = True
    _take_answers(crm, sending, [item], [answer], call_id)
    return True


def _take_answers(
    crm: Crm, sending: Sending, items: Sequence[Item], answers: Sequence[Answer], call_id: str
) -> list[Item]:
    """Settle every row that has its final answer; gives the rest, repaired, to be sent once more."""
    repaired = []
    for item, answer in zip(items, answers, strict=True):
        again = _repair(crm, item, answer)
        if again is not None:
            repaired.append(again)
            continue
        order = shut_for_row(answer)
        if order is not None:
            _shut(crm, order)
        _settle(sending, item, judge_row(answer), call_id, answer.http_status)
    return repaired


def _repair(crm: Crm, item: Item, answer: Answer) -> Item | None:
    """The row without the one optional field the CRM refused; None when that is not what happened."""
    if answer.ok or answer.failure is not FailureClass.RECORD or answer.field is None:
        return None
    if len(item.set_aside) >= MOST_REPAIRS:
        return None
    record = set_aside(item.record, answer.field, crm.mapping)
    if record is None:
        return None
    log.warning("%s %s goes without %s (%s)", item.row.kind, item.row.id, answer.field, answer.code)
    return Item(item.row, record, (*item.set_aside, answer.field))


def _take_failure(crm: Crm, sending: Sending, items: Sequence[Item], failure: CallFailed, call_id: str) -> None:
    order = shut_for_call(failure)
    if order is not None:
        _shut(crm, order)
    shut = order is not None
    if failure.failure in OUTAGE:
        log.warning("call %s failed: %s", call_id, failure)
        shut = report_failure(crm.engine, [item.row.id for item in items], str(failure))
    _settle_all(sending, items, judge_call(failure, gate_shut=shut), call_id, failure.http_status)


def _shut(crm: Crm, order: Shut) -> None:
    loud = log.error if order.reason in {"configuration", "credits"} else log.warning
    loud("the gate shuts (%s): %s", order.reason, order.detail)
    shut_gate(crm.engine, order.reason, order.detail, by="worker", seconds=order.seconds)
    if order.reason is Reason.RATE:
        halve_concurrency(crm.engine, cap=crm.settings.crm_calls_in_flight)


def _settle_all(
    sending: Sending, items: Sequence[Item], outcome: Outcome, call_id: str, http_status: int | None = None
) -> None:
    for item in items:
        _settle(sending, item, outcome, call_id, http_status)


def _settle(sending: Sending, item: Item, outcome: Outcome, call_id: str, http_status: int | None) -> None:
    settled = settle(item.row.sync, outcome, random.uniform(-1, 1))  # noqa: S311 - spread, not secrecy
    event, code = type(outcome).__name__.lower(), getattr(outcome, "code", None)
    note = f"without {', '.join(item.set_aside)}" if item.set_aside else None
    sending.verdicts.append(Verdict(item.row, settled, event, code, http_status, call_id, note))
