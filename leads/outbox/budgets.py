"""The budget of acknowledgements: whether one that is being sent may go now.

Whose address a visitor typed is not known, so our mail must not be aimed at a stranger's mailbox.
"""

from uuid import UUID

from sqlalchemy import Engine, text

from leads.addresses import mailbox_of
from leads.db import run
from leads.destinations import VISITOR

# Within a day; a person who enquires more often has the earlier ones.
MAILS_TO_A_MAILBOX = 3

_COUNTED = text(f"""
SELECT id, email, status = 'sending' AS is_sending FROM deliveries JOIN leads USING (id)
WHERE destination = '{VISITOR}' AND (status = 'sending' OR sent_at > now() - interval '1 day')
""")  # noqa: S608 - a constant of this project


def is_beyond(engine: Engine, lead_id: UUID, email: str) -> bool:
    """Return whether the acknowledgement of a lead is beyond the budget of its mailbox.

    Of those that are being sent, by whichever worker, the lead that came first goes first.
    """
    mailbox = mailbox_of(email)
    same = [mail for mail in run(engine, _COUNTED) if mailbox_of(mail.email) == mailbox]
    ahead = [mail for mail in same if not mail.is_sending or mail.id < lead_id]
    return len(ahead) >= MAILS_TO_A_MAILBOX
