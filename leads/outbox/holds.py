"""Held rows: why a row is held as suspected spam, and what becomes of it when its time is over.

It is stored like all others, and costs no call to the CRM and no e-mail. The rules in words:
docs/limits-and-security.md.
"""

from enum import StrEnum

from sqlalchemy import Engine, func, or_, select, update

from leads.db import run, seconds
from leads.destinations import CRM
from leads.outbox.operate import STEP_ROWS, Change
from leads.outbox.selection import FOUND, HELD_REASON, ROW, Selection
from leads.tables import deliveries, leads, whatsapp_clicks


class Held(StrEnum):
    """The reasons; the first that applies is stored with the row."""

    HONEYPOT = "honeypot"  # the field that people do not see was filled
    NO_START = "no-start"  # no start token: no page was opened, or no script ran on it
    FORGED = "forged"  # a start token that this site did not sign
    EXPIRED = "expired"  # a start token that is too old
    TOO_FAST = "too-fast"  # sent sooner after its start token than anybody types
    REPLAYED = "replayed"  # one start token for many different enquiries
    PERSON = "person"  # many enquiries with one e-mail address or one phone number from one network address
    ADDRESS = "address"  # many from one network address
    FLOOD = "flood"  # many more than usual, from everywhere; or many held ones


# Honest visitors are held for the other reasons too: a form sent without script has no start token, a page left
# open has an old one, a tab that closes at once a young one, and many phones share an address.
FOR_STAFF = (Held.HONEYPOT, Held.FLOOD)
# How long a row is held before it goes by itself: by then a flood has shown itself.
RELEASE_AFTER_SECONDS = 600

BY_ITSELF = "the site: ten minutes are over"
_LINK = r"https?:|www\.|\[url|<a\s|t\.me/"
# What a visitor typed; of a tap nothing is, but a program may write there.
_LEAD, _CLICK = leads.c, whatsapp_clicks.c
_TYPED = (_LEAD.name, _LEAD.surname, _LEAD.email, _LEAD.message, _CLICK.unique_code, _CLICK.whatsapp_message)
_IS_HELD = (ROW.destination == CRM) & (ROW.status == "held") & ROW.judged_at.is_(None)


def settle_held(engine: Engine) -> int:
    """Let held rows go whose time is over, and leave to staff what may be spam; return how many went.

    Each row is judged once, however long no worker looked.
    """
    is_for_staff = HELD_REASON.in_(FOR_STAFF)
    stays = or_(is_for_staff, func.concat_ws(" ", *_TYPED).regexp_match(_LINK, flags="i")).label("stays")
    since = func.now() - seconds(RELEASE_AFTER_SECONDS)
    ripe = select(ROW.id, stays).select_from(FOUND).where(_IS_HELD, ROW.queued_at < since)
    rows = run(engine, ripe.order_by(ROW.queued_at).limit(STEP_ROWS))
    if not rows:
        return 0
    staying = [row.id for row in rows if row.stays]
    run(engine, update(deliveries).where(_IS_HELD, ROW.id.in_(staying)).values(judged_at=func.now()))
    going = Selection(states=("held",), ids=[row.id for row in rows if not row.stays])
    return sum(Change.RELEASED.make(engine, going, by=BY_ITSELF))
