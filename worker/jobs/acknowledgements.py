"""Delivery of acknowledgements: claim and commit; send; mark and commit each. No mail is sent in a transaction."""

from __future__ import annotations

import logging
import random
import smtplib
import threading
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from sqlalchemy import Engine

from leads.lifecycle import Outcome, Rejected, Retryable, Status, settle
from leads.mail.acknowledgements import MailBudgets, Owed, claim_owed, mark_owed
from leads.settings import Settings
from worker.jobs.smtp import (
    MailServerUnavailable,
    connect_mail,
    is_lost,
    make_acknowledgement,
    not_tried,
    send_mail,
)

log = logging.getLogger(__name__)

BATCH = 20  # e-mails over one connection, at most
TURN_SECONDS = 30.0  # then others get the worker's thread; the next bell continues
_GOOD = {"sent", "skipped"}


@dataclass(frozen=True, slots=True)
class MailContext:
    """What sending mail needs. `turn`: only one thread sends, so that a slow mail server delays no lead."""

    settings: Settings
    engine: Engine
    stopping: threading.Event
    turn: threading.Lock = field(default_factory=threading.Lock)


def acknowledge(context: MailContext, *, seconds: float = TURN_SECONDS) -> dict[str, int]:
    """Send the e-mails that are due, in batches, for at most `seconds`; return their number by resulting status."""
    if not context.settings.smtp_url or context.stopping.is_set() or not context.turn.acquire(blocking=False):
        return {}
    counts: Counter[str] = Counter()
    try:
        until = time.monotonic() + seconds
        while True:
            batch = _send_batch(context)
            counts += batch
            # After a failure the server gets a rest, until the next bell.
            if not batch or batch.keys() - _GOOD or time.monotonic() > until or context.stopping.is_set():
                break
    finally:
        context.turn.release()
    if counts:
        log.info("acknowledged %s", dict(counts))
    return dict(counts)


def _send_batch(context: MailContext) -> Counter[str]:
    started = time.monotonic()
    settings = context.settings
    lease = settings.mail_lease_seconds
    budgets = MailBudgets(
        per_mailbox=settings.mail_per_address_day,
        per_domain=settings.mail_per_domain_day,
        per_client=settings.mail_per_client_hour,
        per_hour=settings.mail_per_hour,
    )
    owed, skipped = claim_owed(context.engine, rows=BATCH, lease_seconds=lease, budgets=budgets)
    counts = _send_all(context, owed, started + lease / 2) if owed else Counter[str]()
    return counts + Counter({"skipped": skipped})


def _send_all(context: MailContext, owed: Sequence[Owed], until: float) -> Counter[str]:
    counts: Counter[str] = Counter()
    done = 0
    try:
        with connect_mail(context.settings) as server:
            for item in owed:
                if time.monotonic() > until or context.stopping.is_set():
                    break
                outcome = _send(context, server, item)
                counts[_mark(context, item, outcome)] += 1
                done += 1
                if is_lost(outcome):
                    break
    except MailServerUnavailable as error:
        log.warning("the mail server cannot be used: %s", error)
        for item in owed:
            counts[_mark(context, item, Retryable(str(error)))] += 1
        return counts
    for item in owed[done:]:
        _mark(context, item, not_tried())
    return counts


def _send(context: MailContext, server: smtplib.SMTP, item: Owed) -> Outcome:
    try:
        message = make_acknowledgement(
            context.settings, lead_id=item.lead_id, reference=item.reference, to=item.email
        )
    except ValueError:
        return Rejected("ADDRESS", "cannot be used in a header")
    return send_mail(server, message)


def _mark(context: MailContext, item: Owed, outcome: Outcome) -> str:
    settled = settle(item.sync, outcome, random.uniform(-1, 1))  # noqa: S311 - spread, not secrecy
    kept = mark_owed(context.engine, item, settled)
    if settled.status is Status.DEAD:
        log.error("the acknowledgement of lead %s is given up: %s", item.lead_id, settled.error)
    return str(settled.status) if kept else "fenced"
