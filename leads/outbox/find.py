"""Finding rows by what people have of them: the beginning of an id, a reference, a code, an address, a number."""

import re
from collections.abc import Iterator
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, Engine, Select, case, func, select
from sqlalchemy.dialects.postgresql import aggregate_order_by

from leads.db import run
from leads.destinations import CRM
from leads.outbox.selection import IS_WAITING
from leads.tables import Kind, attempts, deliveries, leads, whatsapp_clicks

MAX_FOUND = 50


def find_rows(engine: Engine, word: str) -> list[dict[str, Any]]:
    """Return the leads and clicks that a word means, the newest first, MAX_FOUND of each at most; no personal data.

    Each has the state of its delivery to the CRM, and as `messages` the status of each message by destination.
    A word is the beginning of an id (four characters or more), a lead's six-digit reference, the code of a WhatsApp
    message, the id of a record in the CRM, an e-mail address, or a phone number with its country code (+44…).
    """
    found: dict[UUID, dict[str, Any]] = {}
    for kind, condition in _ways(word.strip()):
        rows = run(engine, _rows(kind).where(condition).limit(MAX_FOUND))
        found |= {row.id: row._asdict() for row in rows}
    return sorted(found.values(), key=lambda row: row["created_at"], reverse=True)


def newest_lead(engine: Engine) -> UUID | None:
    """Return the id of the lead that was stored last."""
    newest = run(engine, select(leads.c.id).order_by(leads.c.created_at.desc()).limit(1))
    return newest[0].id if newest else None


def read_timeline(engine: Engine, row_id: UUID) -> list[dict[str, Any]]:
    """Return every recorded event of a row's deliveries, oldest first."""
    line = attempts.c
    columns = (line.at, line.destination, line.event, line.code, line.http_status, line.detail, line.call_id)
    lines = select(*columns, line.next_retry_at).where(line.row_id == row_id).order_by(line.id)
    return [row._asdict() for row in run(engine, lines)]


def _rows(kind: Kind) -> Select[Any]:
    this, crm, message = kind.table.c, deliveries.c, deliveries.alias("message").c
    states = func.json_object_agg(message.destination, aggregate_order_by(message.status, message.destination))
    messages = select(states).where(message.id == this.id, message.destination != CRM).correlate(kind.table)
    return (
        select(crm.kind, crm.id, this[kind.reference].label("reference"), crm.retry_count, crm.lost_leases)
        .add_columns(crm.status.label("zoho_status"), crm.record_id.label("zoho_record_id"))
        .add_columns(crm.sent_at.label("zoho_sent_at"), crm.last_retry_at, crm.last_error, crm.queued_at)
        .add_columns(case((IS_WAITING, crm.next_retry_at)).label("next_retry_at"))
        .add_columns(this.held_reason, this.created_at, messages.scalar_subquery().label("messages"))
        .join_from(kind.table, deliveries, (crm.id == this.id) & (crm.destination == CRM))
        .order_by(this.created_at.desc())
    )


def _ways(word: str) -> Iterator[tuple[Kind, ColumnElement[bool]]]:
    """Yield the ways to find rows by a word: a kind, and a condition on its rows."""
    if "@" in word:
        yield Kind.LEAD, func.lower(leads.c.email) == func.lower(word)
        return
    if word.startswith("+"):
        yield Kind.LEAD, leads.c.phone_e164 == "+" + re.sub(r"\D", "", word)
        return
    digits = word.lower().replace("-", "")
    if re.fullmatch(r"[0-9a-f]{4,32}", digits):
        low, high = (UUID(digits.ljust(32, last)) for last in "0f")
        for kind in Kind:
            yield kind, kind.table.c.id.between(low, high)
    if re.fullmatch(r"[0-9]{6}", word):
        yield Kind.LEAD, leads.c.reference == word
    if re.fullmatch(r"[0-9]{10,64}", word):
        for kind in Kind:
            yield kind, deliveries.c.record_id == word
    if re.fullmatch(r"[0-9A-Za-z-]{4,80}", word):
        yield Kind.CLICK, whatsapp_clicks.c.unique_code == word
