"""Held rows when their time is over: most go to the CRM, and what may be spam waits for a person."""

from __future__ import annotations

from sqlalchemy import Engine, func, or_, select, update

from leads.destinations import CRM
from leads.outbox.holds import FOR_STAFF, RELEASE_AFTER_SECONDS
from leads.outbox.operate import STEP_ROWS, Change
from leads.outbox.pause import seconds
from leads.outbox.selection import FOUND, HELD_REASON, ROW, Selection
from leads.tables import deliveries, leads, whatsapp_clicks

BY_ITSELF = "the site: ten minutes are over"
_LINK = r"https?:|www\.|\[url|<a\s|t\.me/"
# What a visitor typed; of a tap nothing is, but a program may write there.
_LEAD, _CLICK = leads.c, whatsapp_clicks.c
_TYPED = (_LEAD.name, _LEAD.surname, _LEAD.email, _LEAD.message, _CLICK.unique_code, _CLICK.whatsapp_message)
_IS_HELD = (ROW.destination == CRM) & (ROW.status == "held") & ROW.judged_at.is_(None)


def settle_held(engine: Engine) -> int:
    """Let held rows go whose time is over, and leave the others to staff; return how many went.

    However long no worker looked: each row is judged once.
    """
    is_for_staff = HELD_REASON.in_(FOR_STAFF)
    stays = or_(is_for_staff, func.concat_ws(" ", *_TYPED).regexp_match(_LINK, flags="i")).label("stays")
    ripe = (
        select(ROW.id, stays)
        .select_from(FOUND)
        .where(_IS_HELD, ROW.queued_at < func.now() - seconds(RELEASE_AFTER_SECONDS))
    )
    with engine.connect() as connection:
        if not (rows := connection.execute(ripe.order_by(ROW.queued_at).limit(STEP_ROWS)).all()):
            return 0
        staying = [row.id for row in rows if row.stays]
        connection.execute(update(deliveries).where(_IS_HELD, ROW.id.in_(staying)).values(judged_at=func.now()))
    going = Selection(states=("held",), ids=[row.id for row in rows if not row.stays])
    return sum(Change.RELEASED.make(engine, going, by=BY_ITSELF))
