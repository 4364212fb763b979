"""Held rows when their time is over: most go to the CRM, and what may be spam waits for a person."""

from __future__ import annotations

from sqlalchemy import Engine, text

from leads.destinations import CRM
from leads.outbox.holds import FOR_STAFF, RELEASE_AFTER_SECONDS
from leads.outbox.operate import STEP_ROWS, Change
from leads.outbox.rows import Kind
from leads.outbox.selection import Selection

BY_ITSELF = "the site: ten minutes are over"
_LINK = r"https?:|www\.|\[url|<a\s|t\.me/"
# What a visitor typed; of a tap nothing is, but a program may write there.
_WORDS = {
    Kind.LEAD: "concat_ws(' ', name, surname, email, message)",
    Kind.CLICK: "concat_ws(' ', unique_code, whatsapp_message)",
}
_RIPE = f"""
SELECT id, held_reason = ANY(:for_staff) OR {{words}} ~* :link AS stays
FROM {{rows}} WHERE destination = '{CRM}' AND status = 'held' AND judged_at IS NULL
    AND queued_at < now() - make_interval(secs => :seconds)
ORDER BY queued_at LIMIT :rows
"""  # noqa: S608 - constants of this project
_STAYS = text(f"""
UPDATE deliveries SET judged_at = now()
WHERE destination = '{CRM}' AND id = ANY(cast(:ids AS uuid[])) AND status = 'held' AND judged_at IS NULL
""")  # noqa: S608 - constants of this project


def settle_held(engine: Engine) -> int:
    """Let held rows go whose time is over, and leave the others to staff; return how many went.

    However long no worker looked: each row is judged once.
    """
    return sum(_settle(engine, kind) for kind in Kind)


def _settle(engine: Engine, kind: Kind) -> int:
    statement = text(_RIPE.format(words=_WORDS[kind], rows=kind.with_delivery))
    values = {"for_staff": list(FOR_STAFF), "link": _LINK, "seconds": RELEASE_AFTER_SECONDS, "rows": STEP_ROWS}
    with engine.connect() as connection:
        ripe = connection.execute(statement, values).all()
        if staying := [row.id for row in ripe if row.stays]:
            connection.execute(_STAYS, {"ids": staying})
    going = [row.id for row in ripe if not row.stays]
    return sum(Change.RELEASED.make(engine, Selection(states=("held",), ids=going), by=BY_ITSELF)) if going else 0
