"""The budgets of acknowledgements: which of the e-mails that are being sent may go now.

Whose address a visitor typed is not known, so our mail must not be aimed at a stranger's mailbox.
"""

from __future__ import annotations

from collections import Counter
from uuid import UUID

from sqlalchemy import Engine, text

from leads.addresses import mailbox_of
from leads.db import run
from leads.destinations import VISITOR
from leads.lifecycle import Reason, Skipped, Unavailable

# A person who enquires more often in a day has the earlier ones.
MAILS_TO_A_MAILBOX = 3
# Several times what a clinic gets in its busiest hour: beyond it the mail server's good name is at stake.
MAILS_AN_HOUR = 1000
BEYOND_MAILBOX = Skipped(code="LIMIT", detail="too many e-mails for one address within a day")
BEYOND_HOUR = Unavailable(reason=Reason.RATE, code="LIMIT", detail="too many e-mails within an hour", wait=600.0)

_COUNTED = text(f"""
SELECT id, email, status = 'sending' AS is_sending, sent_at > now() - interval '1 hour' AS is_of_this_hour
FROM deliveries JOIN leads USING (id)
WHERE destination = '{VISITOR}' AND (status = 'sending' OR sent_at > now() - interval '1 day') ORDER BY id
""")  # noqa: S608 - a constant of this project


def find_beyond(engine: Engine) -> dict[UUID, Skipped | Unavailable]:
    """Return the leads whose acknowledgement is being sent and is beyond a budget, with what becomes of it.

    Beyond a mailbox's budget it is never sent; beyond that of all it waits. Of those that are being sent, by
    whichever worker, the lead that came first goes first.
    """
    counted = run(engine, _COUNTED)
    sent = [mail for mail in counted if not mail.is_sending]
    of_mailbox = Counter(mailbox_of(mail.email) for mail in sent)
    of_hour = sum(mail.is_of_this_hour for mail in sent)
    beyond: dict[UUID, Skipped | Unavailable] = {}
    for mail in counted:
        mailbox = mailbox_of(mail.email)
        if not mail.is_sending:
            continue
        if of_mailbox[mailbox] >= MAILS_TO_A_MAILBOX:
            beyond[mail.id] = BEYOND_MAILBOX
        elif of_hour >= MAILS_AN_HOUR:
            beyond[mail.id] = BEYOND_HOUR
        else:
            of_mailbox[mailbox] += 1
            of_hour += 1
    return beyond
