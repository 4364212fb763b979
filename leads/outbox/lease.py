"""The lease on a row: claim due rows under it, mark results while it holds, sweep up rows whose lease expired.

`next_retry_at` is both the lease and its fencing token: only the worker that wrote it may mark the row.
"""

from __future__ import annotations

import logging
import random
import threading
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any
from uuid import UUID

import orjson
from sqlalchemy import Connection, Engine, text

from leads.db import DATABASE_ERRORS, error_name
from leads.destinations import CRM, DETAILS
from leads.lifecycle import Deferred, Outcome, Settled, Status, Sync, lose_lease, settle
from leads.outbox.due import SEARCHES, Search
from leads.outbox.history import history_of
from leads.outbox.rows import Claimed, Kind, Lane

log = logging.getLogger(__name__)

# Locked rows are skipped, so claimers never wait for each other; the partial indexes hold owed rows only, so the
# cost of a claim does not grow with the rows that are done. The lease is the row's own clock: when it expires, the
# row is due again without further action. The braces are filled with this project's own names and conditions, never
# with input; they must be literals, or a prepared statement could not use the partial indexes. Rows are looked
# up by = ANY(array), and lines in _MARK by a lateral LIMIT 1: while a table is small, the plan of a join would scan
# all of it, and the connection keeps the plan when the table has grown.
_CLAIM = """
WITH due AS (
    SELECT id FROM deliveries
    WHERE destination = %(destination)s AND {due}
        AND (%(among)s::uuid[] IS NULL OR id = ANY(%(among)s::uuid[])) AND {gate}
    ORDER BY next_retry_at LIMIT %(rows)s FOR UPDATE SKIP LOCKED
), claimed AS (
    UPDATE deliveries
    SET status = 'sending', began = false, next_retry_at = now() + make_interval(secs => %(lease)s)
    WHERE destination = %(destination)s AND id = ANY(array(SELECT id FROM due))
    RETURNING id, next_retry_at, retry_count, lost_leases,
        coalesce(last_retry_at < now() - interval '{minutes} min', false) AS was_tried,
        extract(epoch FROM now() - queued_at)::float8 AS age
), noted AS (
    INSERT INTO attempts (destination, kind, row_id, call_id, event, next_retry_at)
    SELECT %(destination)s, '{kind}', id, %(call_id)s, 'claimed', next_retry_at FROM claimed
)
SELECT claimed.*, {columns}, {history}, {record} AS crm_record_id, {refusal} AS crm_refusal
FROM claimed JOIN {table} AS {kind} USING (id) ORDER BY created_at, id
"""
# Nothing is claimed that may not be sent: the gate is read by the claim itself.
_GATE = """(NOT %(while_open)s::boolean OR EXISTS (
        SELECT 1 FROM gates WHERE destination = %(gate)s AND state = 'open'
    ))"""
# What a message says of the record: where it is, or why there will be none. The CRM's own claim does not ask.
_OF_CRM = f"""CASE WHEN %(destination)s::text <> '{CRM}' THEN (
    SELECT {{what}} FROM deliveries AS crm WHERE crm.id = {{kind}}.id AND crm.destination = '{CRM}'
) END"""  # noqa: S608 - constants of this project
_REFUSAL = "CASE WHEN crm.status = 'dead' THEN split_part(crm.last_error, ':', 1) END"
# After so long staff may have changed, converted or merged a record that a lost reply left behind; sooner hardly.
TRIED_MINUTES = 5


def _statement(search: Search) -> str:
    kind = search.kind
    return _CLAIM.format(
        kind=kind,
        table=kind.table.name,
        due=search.rows,
        gate=_GATE,
        minutes=TRIED_MINUTES,
        columns=kind.sent_columns,
        history=history_of(kind),
        record=_OF_CRM.format(kind=kind, what="crm.record_id"),
        refusal=_OF_CRM.format(kind=kind, what=_REFUSAL),
    )


_STATEMENTS = {search: _statement(search) for searches in SEARCHES.values() for search in searches}


def claim(  # noqa: PLR0913 - keywords, one per property of the claim
    engine: Engine,
    lane: Lane,
    *,
    rows: int,
    lease_seconds: float,
    call_id: str,
    destination: str = CRM,
    gate: str | None = None,
    among: Sequence[UUID] | None = None,
    while_open: bool = False,
    searches: Sequence[Search] | None = None,
) -> list[Claimed]:
    """Claim due rows of one kind, leads before clicks.

    A row whose worker was lost twice is claimed by itself.

    Args:
        engine: The database.
        lane: Whose rows to claim.
        rows: How many rows to claim at most.
        lease_seconds: How long the rows belong to the caller.
        call_id: Ties the claim to the call it is for.
        destination: Who is owed.
        gate: Whose gate is looked at; None: the destination's own.
        among: Only rows with these ids; None: any.
        while_open: Claim nothing once the gate is shut (a probe claims through a shut gate).
        searches: Those of the lane to make; None: all.

    Returns:
        The claimed rows, with the columns of `history_of`, `repeat_enquiry` (whether the person enquired before),
        `was_tried` (some minutes ago or more) and, for a message, `crm_record_id` and
        `crm_refusal` (the code with which the row was given up); empty when nothing is due.
    """
    if among is not None and not among:
        return []
    settings = {"destination": destination, "rows": rows, "lease": lease_seconds, "call_id": call_id}
    settings |= {
        "gate": gate or destination,
        "while_open": while_open,
        "among": None if among is None else list(among),
    }
    for search in SEARCHES[lane] if searches is None else searches:
        with engine.connect() as connection:
            given = {**settings, "rows": 1} if search.alone else settings
            found = connection.exec_driver_sql(_STATEMENTS[search], given).mappings().all()
        if found:
            return [_claimed(destination, search.kind, dict(row)) for row in found]
    return []


def _claimed(destination: str, kind: Kind, row: dict[str, Any]) -> Claimed:
    sync = Sync(row["retry_count"], row["lost_leases"], row["age"])
    row["repeat_enquiry"] = row["earlier_enquiry_at"] is not None
    return Claimed(destination, kind, row["id"], row["next_retry_at"], sync, row)


# A begun call that a crash of the database forgets is only not charged, so the commit need not be durable.
_BEGIN = """
WITH quick AS (SELECT set_config('synchronous_commit', 'off', true))
UPDATE deliveries SET began = true FROM quick
WHERE destination = %(destination)s AND id = ANY(%(ids)s::uuid[]) AND status = 'sending'
    AND next_retry_at = %(lease)s
RETURNING id
"""


def begin(engine: Engine, rows: Sequence[Claimed]) -> list[Claimed]:
    """Record that the call for rows of one claim begins now; return those whose lease still holds.

    From here on a lost lease counts as a try. The others were taken back or erased meanwhile: they are not sent.
    """
    first = rows[0]
    values = {"destination": first.destination, "ids": [row.id for row in rows], "lease": first.lease}
    with engine.connect() as connection:
        ours = set(connection.exec_driver_sql(_BEGIN, values).scalars())
    return [row for row in rows if row.id in ours]


# The state check is inside the UPDATE: a worker that lost its lease marks nothing. One exception: success is
# monotone. The CRM has the row whatever happened to the lease, so a success is kept and never taken back; but not
# that of what a visitor added, who may have said more since. A mark whose reply was lost is written again, and its
# timeline is not given a second line.
_MARK = f"""
WITH mark AS (
    SELECT * FROM jsonb_to_recordset(%(marks)s::jsonb) AS v(
        id uuid, lease timestamptz, status text, count int, wait float8, tried bool, record text, error text,
        event text, code text, http int, call text, note text
    )
), marked AS (
    UPDATE deliveries AS t SET
        status = v.status,
        retry_count = v.count,
        next_retry_at = coalesce(now() + make_interval(secs => v.wait), t.next_retry_at),
        last_retry_at = CASE WHEN v.tried THEN now() ELSE t.last_retry_at END,
        sent_at = CASE WHEN v.status = 'sent' THEN now() ELSE t.sent_at END,
        record_id = coalesce(v.record, t.record_id),
        last_error = CASE WHEN v.status = 'sent' THEN NULL ELSE coalesce(v.error, t.last_error) END
    FROM mark AS v
    WHERE t.destination = %(destination)s AND t.id = v.id AND t.id = ANY(array(SELECT id FROM mark)) AND (
        (t.status = 'sending' AND t.next_retry_at = v.lease)
        OR (v.status = 'sent' AND t.status <> 'sent' AND t.destination <> '{DETAILS}')
    )
    RETURNING t.id, t.next_retry_at
), noted AS (
    INSERT INTO attempts (destination, kind, row_id, call_id, event, code, http_status, detail, next_retry_at)
    SELECT %(destination)s, %(kind)s, v.id, v.call, CASE WHEN m.id IS NULL THEN 'fenced' ELSE v.event END,
           v.code, v.http, coalesce(v.error, v.note),
           CASE WHEN v.wait IS NOT NULL THEN m.next_retry_at END
    FROM mark AS v LEFT JOIN marked AS m ON m.id = v.id
    WHERE m.id IS NOT NULL OR NOT EXISTS (
        SELECT 1 FROM attempts WHERE row_id = v.id AND call_id = v.call AND event IN (v.event, 'fenced')
    )
)
SELECT id FROM marked UNION SELECT v.id FROM mark AS v, LATERAL (
    SELECT 1 FROM attempts AS line
    WHERE line.row_id = v.id AND line.call_id = v.call AND line.event = v.event LIMIT 1
) AS noted_before
"""  # noqa: S608 - a constant of this project
# Seconds between attempts to mark; together under half a lease. After that the rows become due again when their
# lease runs out; the CRM's upsert key makes sending them twice harmless, and a message keeps its id.
MARK_PAUSES = (0.0, 0.2, 0.5, 1.0, 2.0, 4.0, 8.0)


@dataclass(frozen=True, slots=True)
class Mark:
    """The outcome of sending one claimed row, and what its timeline says of the call; no personal data."""

    row: Claimed
    outcome: Outcome
    call_id: str | None = None
    http_status: int | None = None
    note: str | None = None


@dataclass(frozen=True, slots=True)
class Tally:
    """How many rows had which outcome. `fenced`: how many of all these were not marked, as their lease was lost."""

    sent: int = 0
    retrying: int = 0
    dead: int = 0
    deferred: int = 0
    fenced: int = 0
    skipped: int = 0

    def __add__(self, more: Tally) -> Tally:
        """Both together."""
        return Tally(*(getattr(self, item.name) + getattr(more, item.name) for item in fields(Tally)))


def mark(engine: Engine, marks: Sequence[Mark]) -> Tally:
    """Settle the outcomes of rows of one claim and write them, trying again while the database fails."""
    if not marks:
        return Tally()
    settled = [settle(item.row.sync, item.outcome, _jitter()) for item in marks]
    marked = _write(engine, marks, settled)
    states = Counter(item.status for item in settled)
    sent, dead, skipped = states[Status.SENT], states[Status.DEAD], states[Status.SKIPPED]
    deferred = sum(isinstance(item.outcome, Deferred) for item in marks)
    retrying = len(marks) - sent - dead - deferred - skipped
    return Tally(sent, retrying, dead, deferred, len(marks) - marked, skipped)


def _write(engine: Engine, marks: Sequence[Mark], settled: Sequence[Settled]) -> int:
    values = [_values(item, state) for item, state in zip(marks, settled, strict=True)]
    first = marks[0].row
    parameters = {
        "destination": first.destination, "kind": first.kind, "marks": orjson.dumps(values).decode(),
    }  # fmt: skip
    for pause in MARK_PAUSES:
        threading.Event().wait(pause)
        try:
            with engine.connect() as connection:
                return len(connection.exec_driver_sql(_MARK, parameters).all())
        except DATABASE_ERRORS as error:
            log.warning("could not mark %d rows (%s), trying again", len(marks), error_name(error))
    log.error("gave up marking %d rows; they become due again when their lease runs out", len(marks))
    return 0


def _values(item: Mark, state: Settled) -> dict[str, object]:
    return {
        "id": item.row.id,
        "lease": item.row.lease,
        "status": state.status,
        "count": state.retry_count,
        "wait": state.wait,
        "tried": state.tried,
        "record": state.record_id or None,
        "error": state.error,
        "event": type(item.outcome).__name__.lower(),
        "code": getattr(item.outcome, "code", None),
        "http": item.http_status,
        "call": item.call_id,
        "note": item.note,
    }


def _jitter() -> float:
    return random.uniform(-1, 1)  # noqa: S311 - spread, not secrecy


_HURRY = text("""
WITH hurried AS (
    UPDATE deliveries SET next_retry_at = now()
    WHERE id = ANY(cast(:ids AS uuid[])) AND destination <> 'zoho' AND status = 'pending' AND next_retry_at > now()
)
SELECT DISTINCT destination FROM deliveries
WHERE id = ANY(cast(:ids AS uuid[])) AND destination <> 'zoho' AND status = 'pending'
""")


def hurry_messages(engine: Engine, ids: Sequence[UUID]) -> Sequence[str]:
    """Make the messages due that wait for these rows' records in the CRM; return the destinations that have any.

    If that fails, they only wait longer.
    """
    try:
        with engine.connect() as connection:
            return connection.execute(_HURRY, {"ids": list(ids)}).scalars().all()
    except DATABASE_ERRORS as error:
        log.warning("messages could not be hurried (%s)", error_name(error))
        return ()


LEASE_ENDED = "status = 'sending' AND next_retry_at <= now()"
_LOST = text(f"""
SELECT id, destination, retry_count, lost_leases, CASE WHEN NOT began THEN 'NOT_SENT'
    WHEN now() - cast(:last AS timestamptz) > make_interval(secs => :patience) THEN 'DATABASE_SILENT'
    ELSE 'WORKER_LOST' END AS code
FROM deliveries
WHERE {LEASE_ENDED} ORDER BY next_retry_at LIMIT :rows FOR UPDATE SKIP LOCKED
""")  # noqa: S608 - a constant of this module
_RETURN = text("""
WITH lost AS (
    SELECT * FROM unnest(
        cast(:ids AS uuid[]), cast(:destinations AS text[]), cast(:statuses AS text[]), cast(:counts AS int[]),
        cast(:waits AS float8[]), cast(:errors AS text[]), cast(:codes AS text[])
    ) AS v(id, destination, status, count, wait, error, code)
), returned AS (
    UPDATE deliveries AS t SET
        status = v.status, retry_count = v.count,
        lost_leases = t.lost_leases + CASE WHEN v.code = 'WORKER_LOST' THEN 1 ELSE 0 END,
        last_retry_at = CASE WHEN v.code = 'WORKER_LOST' THEN now() ELSE t.last_retry_at END,
        next_retry_at = now() + make_interval(secs => coalesce(v.wait, 0)),
        last_error = coalesce(v.error, t.last_error)
    FROM lost AS v WHERE t.id = v.id AND t.destination = v.destination
    RETURNING t.destination, t.kind, t.id, t.next_retry_at, v.error, v.code
)
INSERT INTO attempts (destination, kind, row_id, event, code, detail, next_retry_at)
SELECT destination, kind, id, 'lease_lost', code, error, next_retry_at FROM returned
""")


def sweep(engine: Engine, *, rows: int = 1000, last: datetime | None = None, patience: float = 0.0) -> int:
    """Take back all rows of any destination whose lease expired; return how many there were.

    Safe to run anywhere, concurrently or late: the rows stay locked between reading and writing, and a success
    that arrives afterwards still marks its row as sent.

    Args:
        engine: The database.
        rows: How many rows in one step, which is committed.
        last: When the caller swept before, by the database's clock; None: never.
        patience: When that is more seconds ago, the database stood still, or the caller did. Then no lost lease
            proves that a worker was lost, and none is charged.
    """
    values: dict[str, object] = {"rows": rows, "last": last, "patience": patience}
    total = 0
    while True:
        with engine.connect().execution_options(isolation_level="READ COMMITTED") as connection, connection.begin():
            taken = _take_back(connection, values)
        total += taken
        if taken < rows:
            return total


def _take_back(connection: Connection, values: dict[str, object]) -> int:
    lost = connection.execute(_LOST, values).all()
    if not lost:
        return 0
    settled = [
        lose_lease(Sync(row.retry_count, row.lost_leases), _jitter(), charged=row.code == "WORKER_LOST")
        for row in lost
    ]
    connection.execute(
        _RETURN,
        {
            "ids": [row.id for row in lost],
            "destinations": [row.destination for row in lost],
            "statuses": [str(item.status) for item in settled],
            "counts": [item.retry_count for item in settled],
            "waits": [item.wait for item in settled],
            "errors": [item.error for item in settled],
            "codes": [row.code for row in lost],
        },
    )
    return len(lost)
