"""Sending claimed rows: one upsert a batch, split when the CRM refuses it whole, and what each answer means."""

from __future__ import annotations

import logging
import random
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from leads.lifecycle import Deferred, Outcome, settle
from leads.outbox.gate import report_failure, shut_gate
from leads.outbox.mark import Verdict
from worker.outcomes import OUTAGE, Shut, judge_call, judge_row, shut_for_call, shut_for_row
from worker.zoho.errors import CallFailed, FailureClass

if TYPE_CHECKING:
    from collections.abc import Sequence

    from leads.outbox.kinds import Claimed
    from worker.crm import Crm

log = logging.getLogger(__name__)


@dataclass(slots=True)
class Sending:
    """What a batch's calls gave: a verdict for every row, and whether the CRM answered at all."""

    verdicts: list[Verdict] = field(default_factory=list)
    answered: bool = False


def send(crm: Crm, rows: Sequence[Claimed], call_id: str, *, deadline: float) -> Sending:
    """Send rows of one kind. No call starts after `deadline` (monotonic seconds): its lease could run out."""
    sending = Sending()
    batches = [(list(rows), call_id)]
    while batches:
        batch, name = batches.pop()
        if time.monotonic() > deadline:
            _settle_all(
                sending, batch, Deferred("LEASE_SHORT", "not sent, too little of the lease left", 0.0), name
            )
            continue
        try:
            answers = crm.upsert(batch, call_id=name)
        except CallFailed as failure:
            if failure.failure is FailureClass.REQUEST and len(batch) > 1:
                middle = len(batch) // 2
                batches += [(batch[:middle], f"{name}.a"), (batch[middle:], f"{name}.b")]
                continue
            _take_failure(crm, sending, batch, failure, name)
            continue
        sending.answered = True
        for row, answer in zip(batch, answers, strict=True):
            order = shut_for_row(answer)
            if order is not None:
                _shut(crm, order)
            _settle(sending, row, judge_row(answer), name, answer.http_status)
    return sending


def _take_failure(crm: Crm, sending: Sending, batch: list[Claimed], failure: CallFailed, call_id: str) -> None:
    order = shut_for_call(failure)
    if order is not None:
        _shut(crm, order)
    shut = order is not None
    if failure.failure in OUTAGE:
        log.warning("call %s failed: %s", call_id, failure)
        shut = report_failure(crm.engine, [row.id for row in batch], str(failure))
    _settle_all(sending, batch, judge_call(failure, gate_shut=shut), call_id, failure.http_status)


def _shut(crm: Crm, order: Shut) -> None:
    loud = log.error if order.reason in {"configuration", "credits"} else log.warning
    loud("the gate shuts (%s): %s", order.reason, order.detail)
    shut_gate(crm.engine, order.reason, order.detail, by="worker", seconds=order.seconds)


def _settle_all(
    sending: Sending, batch: Sequence[Claimed], outcome: Outcome, call_id: str, http_status: int | None = None
) -> None:
    for row in batch:
        _settle(sending, row, outcome, call_id, http_status)


def _settle(sending: Sending, row: Claimed, outcome: Outcome, call_id: str, http_status: int | None) -> None:
    settled = settle(row.sync, outcome, random.uniform(-1, 1))  # noqa: S311 - spread, not secrecy
    code = getattr(outcome, "code", None)
    sending.verdicts.append(Verdict(row, settled, type(outcome).__name__.lower(), code, http_status, call_id))
