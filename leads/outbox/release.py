"""Looking through held rows: what looks real goes to the CRM or to staff, the rest is deleted in the end."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Engine, text

from leads.destinations import CRM
from leads.mailbox import mailbox_of
from leads.network import network_of
from leads.outbox.holds import (
    FLOOD_AFTER_SECONDS,
    PATIENT,
    RELEASE_AFTER_SECONDS,
    Held,
    HeldRow,
    sort_held,
)
from leads.outbox.removal import WITH_ALL_OF_IT
from leads.outbox.rows import Kind
from leads.outbox.selection import Selection, release_steps
from leads.tables.delivery import STOPPED_AT

BY_ITSELF = "the site: varied"
# Rows that one run considers: as many as may be stored in a day.
MAX_CONSIDERED = 10_000
# Of an hour's enquiries that are let through, as many held for a flood go within a minute.
FLOOD_SHARE = 15
_SAYS = "language, timezone, user_agent, referrer, current_url"
_COLUMNS = {
    Kind.LEAD: f"email, phone_e164, name, surname, message, country_code AS country, {_SAYS}",
    Kind.CLICK: f"session_id, unique_code, button_location, country_iso AS country, {_SAYS}",
}
# `leads.network.network_of` in SQL.
_CLIENT = """
CASE WHEN ip_address NOT LIKE '%.%' AND pg_input_is_valid(ip_address, 'inet')
     THEN host(network(set_masklen(cast(ip_address AS inet), 64))) ELSE ip_address END
"""
# One row of each network address, then a second one of each; of more than fit, other ones in the next run. So junk
# keeps no row from being considered. Released rows come first: they count towards the limit of their address.
_HELD = f"""
SELECT id, held_reason, ip_address, created_at, zoho_status <> 'held' AS released, {{columns}},
       created_at < now() - make_interval(secs => CASE WHEN held_reason = ANY(:patient) THEN :long ELSE :short END)
       AS ripe
FROM {{rows}}
WHERE held_reason IS NOT NULL AND created_at > now() - interval '1 day'
  AND ((zoho_status = 'held' AND {STOPPED_AT} > now() - interval '1 day') OR queued_at > now() - interval '1 hour')
ORDER BY row_number() OVER (PARTITION BY {_CLIENT} ORDER BY zoho_status = 'held', random()), random()
LIMIT :rows
"""  # noqa: S608 - constants of this project
HELD_LATELY = f"""destination = '{CRM}' AND kind IN ('lead', 'click') AND status = 'held'
    AND {STOPPED_AT} > now() - interval '1 day'"""
_GONE = """
SELECT count(*) FILTER (WHERE held_reason = 'flood' AND queued_at > now() - interval '1 minute') AS flood,
       count(*) FILTER (WHERE held_reason <> 'flood') AS others
FROM {rows} WHERE requeued AND queued_at > now() - interval '1 hour'
"""
_JUDGE = text("""
UPDATE deliveries SET looks_real = id = ANY(cast(:real AS uuid[])), judged_at = now()
WHERE destination = 'zoho' AND id = ANY(cast(:ripe AS uuid[])) AND status = 'held'
    AND looks_real IS DISTINCT FROM (id = ANY(cast(:real AS uuid[])))
""")
_DELETE = """
WITH gone AS (
    DELETE FROM deliveries
    WHERE destination = 'zoho' AND id = ANY(cast(:ids AS uuid[])) AND status = 'held'
        AND looks_real IS FALSE
    RETURNING id
), {rest} SELECT count(*) FROM gone
"""


@dataclass(frozen=True, slots=True)
class Settled:
    """How many held rows were let go, and how many deleted."""

    released: int = 0
    deleted: int = 0

    def __add__(self, more: Settled) -> Settled:
        """Both together."""
        return Settled(self.released + more.released, self.deleted + more.deleted)


def settle_held(engine: Engine, *, per_hour: int) -> Settled:
    """Let go what the rules let go (`leads.outbox.holds`), mark what else looks real, delete what is too much.

    `per_hour`: how many leads, and how many clicks, go to the CRM within an hour without being held. As many held
    ones may go; those held for a flood have a share of their own a minute.
    """
    return sum((_settle(engine, kind, per_hour) for kind in Kind), Settled())


def _settle(engine: Engine, kind: Kind, per_hour: int) -> Settled:
    rows = _read_held(engine, kind)
    ripe = [row.id for row in rows if row.ripe]
    if not ripe:
        return Settled()
    found = sort_held(rows)
    with engine.connect() as connection:
        gone = connection.execute(text(_GONE.format(rows=kind.with_crm))).one()
    flood = [row.id for row in found.go if row.reason is Held.FLOOD]
    others = [row.id for row in found.go if row.reason is not Held.FLOOD]
    going = flood[: max(0, max(1, per_hour // FLOOD_SHARE) - gone.flood)] + others[: max(0, per_hour - gone.others)]
    released = sum(release_steps(engine, Selection(ids=going), by=BY_ITSELF)) if going else 0
    delete = text(_DELETE.format(rest=WITH_ALL_OF_IT.format(table=kind.table.name)))
    with engine.connect() as connection:
        connection.execute(_JUDGE, {"real": found.real, "ripe": ripe})
        deleted = connection.execute(delete, {"ids": found.surplus}).scalar_one() if found.surplus else 0
    return Settled(released, deleted)


def _read_held(engine: Engine, kind: Kind) -> list[HeldRow]:
    statement = text(_HELD.format(rows=kind.with_crm, columns=_COLUMNS[kind]))
    values = {
        "patient": list(PATIENT),
        "long": RELEASE_AFTER_SECONDS,
        "short": FLOOD_AFTER_SECONDS,
        "rows": MAX_CONSIDERED,
    }
    with engine.connect() as connection:
        return [_held_row(kind, row) for row in connection.execute(statement, values)]


def _held_row(kind: Kind, row: Any) -> HeldRow:
    says: tuple[str | None, ...] = (
        row.country,
        row.language,
        row.timezone,
        row.user_agent,
        row.referrer,
        row.current_url,
    )
    if kind is Kind.LEAD:
        name = f"{row.name} {row.surname}".lower()
        marks: tuple[str | None, ...] = (mailbox_of(row.email), row.phone_e164, name)
        words = row.message or ""
        says = (*says, words)
    else:
        # The text of a tap is ours, but for its code; who has no session could be anybody.
        marks, words = (row.session_id or "none", row.unique_code), ""
        says = (*says, row.button_location)
    return HeldRow(
        id=row.id,
        reason=Held(row.held_reason),
        client=network_of(row.ip_address),
        marks=marks,
        words=words,
        says=says,
        created_at=row.created_at,
        ripe=row.ripe,
        released=row.released,
    )
