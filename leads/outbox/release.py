"""Letting held rows go by themselves, when they turn out to be varied and honest."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Engine, text

from leads.mail.mailbox import mailbox_of
from leads.network import network_of
from leads.outbox.holds import RELEASABLE, RELEASE_AFTER_SECONDS, Held, HeldRow, choose_releasable
from leads.outbox.rates import count_last_hour, usual_hour
from leads.outbox.rows import Kind
from leads.outbox.selection import Selection, release_steps
from leads.tables.delivery import STOPPED_AT

BY_ITSELF = "the site: varied"
# Rows that one run considers: a crowd, not a flood of days.
MAX_CONSIDERED = 2000
_COLUMNS = {
    Kind.LEAD: "email, phone_e164, name, surname, message",
    Kind.CLICK: "session_id, unique_code, whatsapp_message",
}
# `leads.network.network_of` in SQL.
_CLIENT = """
CASE WHEN ip_address NOT LIKE '%.%' AND pg_input_is_valid(ip_address, 'inet')
     THEN host(network(set_masklen(cast(ip_address AS inet), 64))) ELSE ip_address END
"""
# One row of each network address, then a second one of each; of more than fit, other ones in the next run. So junk
# keeps no row from being considered. Released rows come first: they count towards the limit of their address.
_HELD = f"""
SELECT id, held_reason, ip_address, created_at, zoho_status <> 'held' AS released,
       created_at < now() - make_interval(secs => :after) AS ripe, {{columns}}
FROM {{rows}}
WHERE held_reason = ANY(:reasons) AND created_at > now() - interval '1 day'
  AND ((zoho_status = 'held' AND {STOPPED_AT} > now() - interval '1 day') OR queued_at > now() - interval '1 hour')
ORDER BY row_number() OVER (PARTITION BY {_CLIENT} ORDER BY zoho_status = 'held', random()), random()
LIMIT :rows
"""  # noqa: S608 - constants of this project


def release_varied(engine: Engine, *, least: int, multiple: int) -> int:
    """Release what the rules let go (`leads.outbox.holds`); return how many rows.

    Not more than the flood breaker lets through go to the CRM within an hour, those that were never held included:
    `least`, or `multiple` times the usual busy hour.
    """
    chosen = {kind: ids for kind in Kind if (ids := choose_releasable(_read_held(engine, kind)))}
    if not chosen:
        return 0
    moved, room = 0, max(least, multiple * usual_hour(engine)) - count_last_hour(engine)
    for kind, ids in chosen.items():
        if fitting := ids[: max(0, room - moved)]:
            moved += sum(release_steps(engine, Selection(ids=fitting, kinds=(kind,)), by=BY_ITSELF))
    return moved


def _read_held(engine: Engine, kind: Kind) -> list[HeldRow]:
    statement = text(_HELD.format(rows=kind.with_crm, columns=_COLUMNS[kind]))
    values = {"reasons": list(RELEASABLE), "after": RELEASE_AFTER_SECONDS, "rows": MAX_CONSIDERED}
    with engine.connect() as connection:
        return [_held_row(kind, row) for row in connection.execute(statement, values)]


def _held_row(kind: Kind, row: Any) -> HeldRow:
    if kind is Kind.LEAD:
        name = f"{row.name} {row.surname}".lower()
        marks: tuple[str | None, ...] = (mailbox_of(row.email), row.phone_e164, name)
        words = row.message or ""
    else:
        # The text of a tap is ours, but for its code; who has no session could be anybody.
        marks, words = (row.session_id or "none", row.unique_code), ""
    return HeldRow(
        id=row.id,
        reason=Held(row.held_reason),
        client=network_of(row.ip_address),
        marks=marks,
        words=words,
        created_at=row.created_at,
        ripe=row.ripe,
        released=row.released,
    )
