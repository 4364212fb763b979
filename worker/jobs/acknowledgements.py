"""Acknowledgements from claim to mark: claim and commit; send; mark and commit each. No mail in a transaction."""

from __future__ import annotations

import logging
import random
import time
from collections import Counter
from typing import TYPE_CHECKING

from leads.lifecycle import Outcome, Rejected, Retryable, Status, settle
from leads.mail.acknowledgements import claim_owed, mark_owed
from worker.jobs.smtp import MailServerAway, connect_mail, is_lost, make_acknowledgement, not_tried, send_mail

if TYPE_CHECKING:
    import smtplib
    from collections.abc import Sequence

    from leads.mail.acknowledgements import Owed
    from worker.context import Crm

log = logging.getLogger(__name__)

BATCH = 20  # e-mails over one connection, at most


def acknowledge(crm: Crm) -> dict[str, int]:
    """Send one batch of the e-mails that are due; gives how many ended how, as Flower shows it.

    One thread of a process at most does this: a slow mail server never holds up leads.
    """
    if not crm.settings.smtp_url or crm.stopping.is_set() or not crm.mail_turn.acquire(blocking=False):
        return {}
    try:
        started = time.monotonic()
        lease, most = crm.settings.mail_lease_seconds, crm.settings.mail_per_address_day
        owed, skipped = claim_owed(crm.engine, rows=BATCH, lease_seconds=lease, most=most)
        ended = _send_all(crm, owed, started + lease / 2) if owed else Counter[str]()
        ended += Counter({"skipped": skipped})
        if not ended:
            return {}
    finally:
        crm.mail_turn.release()
    log.info("acknowledged %s", dict(ended))
    return dict(ended)


def _send_all(crm: Crm, owed: Sequence[Owed], until: float) -> Counter[str]:
    ended: Counter[str] = Counter()
    done = 0
    try:
        with connect_mail(crm.settings) as server:
            for item in owed:
                if time.monotonic() > until or crm.stopping.is_set():
                    break
                outcome = _send(crm, server, item)
                ended[_mark(crm, item, outcome)] += 1
                done += 1
                if is_lost(outcome):
                    break
    except MailServerAway as error:
        log.warning("the mail server cannot be used: %s", error)
        for item in owed:
            ended[_mark(crm, item, Retryable(str(error)))] += 1
        return ended
    for item in owed[done:]:
        _mark(crm, item, not_tried())
    return ended


def _send(crm: Crm, server: smtplib.SMTP, item: Owed) -> Outcome:
    try:
        message = make_acknowledgement(crm.settings, lead_id=item.lead_id, reference=item.reference, to=item.email)
    except ValueError:
        return Rejected("ADDRESS", "cannot stand in a header")
    return send_mail(server, message)


def _mark(crm: Crm, item: Owed, outcome: Outcome) -> str:
    settled = settle(item.sync, outcome, random.uniform(-1, 1))  # noqa: S311 - spread, not secrecy
    kept = mark_owed(crm.engine, item, settled)
    if settled.status is Status.DEAD:
        log.error("the acknowledgement of lead %s is given up: %s", item.lead_id, settled.error)
    return str(settled.status) if kept else "fenced"
