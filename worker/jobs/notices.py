"""Delivery of staff notices: claim and commit; send; mark and commit each. Nothing is sent in a transaction."""

from __future__ import annotations

import logging
import random
import time
from collections import Counter
from collections.abc import Generator

from leads.lifecycle import Delivered, Outcome, Retryable, Status, settle
from leads.mail.notices import Notice, claim_notices, mark_notice, skip_notices
from leads.settings import Settings
from worker.crm.connect import record_url
from worker.jobs.acknowledgements import MailContext
from worker.jobs.smtp import MailServerUnavailable, connect_mail, not_tried, send_mail
from worker.jobs.staff_notice import make_mail, make_payload
from worker.jobs.webhook import post_webhook

log = logging.getLogger(__name__)

BATCH = 20


def notify_staff(context: MailContext) -> dict[str, int]:
    """Send a batch of the notices that are due through each channel; return their number by resulting status.

    What is left over goes with the next bell. A channel that fails rests until then, and delays no other.
    """
    if context.stopping.is_set() or not context.turn.acquire(blocking=False):
        return {}
    counts: Counter[str] = Counter()
    try:
        channels = context.settings.notice_channels
        skip_notices(context.engine, channels)
        for channel in channels:
            counts += _send_batch(context, channel)
    finally:
        context.turn.release()
    if counts:
        log.info("staff notices: %s", dict(counts))
    return dict(counts)


def _send_batch(context: MailContext, channel: str) -> Counter[str]:
    settings = context.settings
    until = time.monotonic() + settings.mail_lease_seconds / 2
    notices = claim_notices(context.engine, channel, rows=BATCH, lease_seconds=settings.mail_lease_seconds)
    if not notices:
        return Counter()
    send = _mail if channel == "mail" else _post
    outcomes = send(settings, notices)
    counts: Counter[str] = Counter()
    for notice in notices:
        in_time = time.monotonic() < until and not context.stopping.is_set()
        outcome = next(outcomes) if in_time else not_tried()
        counts[_mark(context, notice, outcome)] += 1
    outcomes.close()
    return counts


def _mail(settings: Settings, notices: list[Notice]) -> Generator[Outcome]:
    """Yield the outcome of each, over one connection."""
    try:
        with connect_mail(settings) as server:
            for notice in notices:
                yield send_mail(server, make_mail(settings, notice, record_url(settings, notice.record_id)))
    except MailServerUnavailable as error:
        for _ in notices:
            yield Retryable(str(error))


def _post(settings: Settings, notices: list[Notice]) -> Generator[Outcome]:
    """Yield the outcome of each; after a failure the others share it, so that a dead receiver costs one wait."""
    failure: Outcome | None = None
    for notice in notices:
        url = record_url(settings, notice.record_id)
        outcome = failure or post_webhook(
            settings.lead_webhook_url,
            make_payload(notice, url, full=settings.staff_notice == "full"),
            secret=settings.lead_webhook_secret,
            message_id=str(notice.lead_id),
            seconds=settings.mail_timeout_seconds,
        )
        if not isinstance(outcome, Delivered):
            failure = outcome
        yield outcome


def _mark(context: MailContext, notice: Notice, outcome: Outcome) -> str:
    settled = settle(notice.sync, outcome, random.uniform(-1, 1))  # noqa: S311 - spread, not secrecy
    kept = mark_notice(context.engine, notice, settled)
    if settled.status is Status.DEAD:
        log.error("the notice of lead %s by %s is given up: %s", notice.lead_id, notice.channel, settled.error)
    return str(settled.status) if kept else "fenced"
