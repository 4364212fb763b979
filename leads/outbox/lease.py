"""The lease on a row: claim due rows under it, mark results while it holds, sweep up rows whose lease expired.

`next_retry_at` is both the lease and its fencing token: only the worker that wrote it may mark the row.
"""

from __future__ import annotations

import logging
import random
import threading
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import orjson
from sqlalchemy import Connection, Engine, TextClause, text

from leads.db import DATABASE_ERRORS, error_name, fetch
from leads.lifecycle import LOST_LEASES_ALONE, Deferred, Loss, Outcome, Settled, Status, Sync, lose_lease, settle
from leads.outbox.history import history_of
from leads.outbox.rows import Claimed, Kind, Lane
from leads.tables.delivery import ALONE, REQUEUED

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
    WHERE kind = '{kind}' AND {pile} AND next_retry_at <= now() AND {isolation} AND {gate}
    ORDER BY next_retry_at LIMIT %(rows)s FOR UPDATE SKIP LOCKED
), claimed AS (
    UPDATE deliveries SET zoho_status = 'sending', next_retry_at = now() + make_interval(secs => %(lease)s)
    WHERE id = ANY(array(SELECT id FROM due))
    RETURNING id, next_retry_at, retry_count, lost_leases, workers_killed, merged_into,
        extract(epoch FROM now() - queued_at)::float8 AS age
), noted AS (
    INSERT INTO crm_attempts (kind, row_id, call_id, event, next_retry_at)
    SELECT '{kind}', id, %(call_id)s, 'claimed', next_retry_at FROM claimed
)
SELECT claimed.*, {columns}, {history} FROM claimed JOIN {table} AS {kind} USING (id) ORDER BY created_at, id
"""
# Check the gate again in the claim itself: it may have been shut since the caller read it.
_GATE = """(NOT %(while_open)s::boolean OR EXISTS (
        SELECT 1 FROM crm_gate WHERE destination = 'zoho' AND state = 'open'
    ))"""
_BATCHABLE = f"lost_leases < {LOST_LEASES_ALONE}"
# Alone means alone across all workers, leads and clicks together. Otherwise the next row that kills its worker
# would take another row's last chance with it.
_ALONE = f"""{ALONE} AND NOT EXISTS (
        SELECT 1 FROM deliveries WHERE zoho_status = 'sending' AND {ALONE} AND next_retry_at > now()
    )"""  # noqa: S608 - constants of this project
_ALONE_DUE = """
SELECT EXISTS (SELECT 1 FROM deliveries WHERE kind = '{kind}' AND {pile} AND next_retry_at <= now() AND {alone})
"""
# A statement sees what was committed before it began, so two concurrent claims would both see no such row in
# flight. A statement before the claim takes this lock, and the transaction holds it until the commit.
ALONE_LOCK = 4_021_735
_TRY_ALONE_LOCK = text("SELECT pg_try_advisory_xact_lock(:key)")


@dataclass(frozen=True, slots=True)
class _Search:
    """One search for due rows. `alone_due`: for rows that are sent one at a time, the check whether one is due."""

    kind: Kind
    statement: str
    requeued: bool
    alone_due: TextClause | None


def _searches(lane: Lane) -> list[_Search]:
    """Return a lane's searches in order of precedence: leads before clicks, and both before requeued rows.

    Only the retry lane can hold rows that must be sent alone. They are searched first: a claim stops at the first
    search that finds rows, so a steady supply of other rows would starve them.
    """
    order = (False,) if lane is Lane.FRESH else (True, False)
    return [_search(kind, pile, alone=alone) for pile in lane.piles for kind in Kind for alone in order]


def _search(kind: Kind, pile: str, *, alone: bool) -> _Search:
    isolation = _ALONE if alone else _BATCHABLE
    statement = _CLAIM.format(
        kind=kind,
        table=kind.table.name,
        pile=pile,
        isolation=isolation,
        gate=_GATE,
        columns=kind.sent_columns,
        history=history_of(kind),
    )
    alone_due = text(_ALONE_DUE.format(kind=kind, pile=pile, alone=ALONE)) if alone else None
    return _Search(kind, statement, pile == REQUEUED, alone_due)


_SEARCHES = {lane: _searches(lane) for lane in Lane}


def claim(  # noqa: PLR0913 - keywords, one per property of the claim
    engine: Engine,
    lane: Lane,
    *,
    rows: int,
    lease_seconds: float,
    call_id: str,
    requeued: bool = True,
    alone: bool = True,
    while_open: bool = False,
) -> list[Claimed]:
    """Claim due rows of one kind, leads before clicks.

    A row whose worker died twice is claimed by itself, one at a time across all workers.

    Args:
        engine: The database.
        lane: Whose rows to claim.
        rows: How many rows to claim at most.
        lease_seconds: How long the rows belong to the caller.
        call_id: Ties the claim to the CRM call it is for.
        requeued: False leaves rows that an operator requeued where they are.
        alone: False leaves rows that must be sent alone where they are.
        while_open: Claim nothing once the gate is shut (a probe claims through a shut gate).

    Returns:
        The claimed rows, with the columns of `history_of` and `repeat_enquiry`, whether the person enquired before;
        empty when nothing is due.
    """
    settings = {"rows": rows, "lease": lease_seconds, "call_id": call_id, "while_open": while_open}
    for search in _SEARCHES[lane]:
        if (search.requeued and not requeued) or (search.alone_due is not None and not alone):
            continue
        found = _take(engine, search.statement, settings, search.alone_due)
        if found:
            return [_claimed(search.kind, row) for row in found]
    return []


def _take(
    engine: Engine, statement: str, parameters: dict[str, object], alone_due: TextClause | None
) -> list[dict[str, Any]]:
    with engine.connect() as connection:
        if alone_due is None:
            return fetch(connection, statement, parameters)
        # Such a row is hardly ever due: begin no transaction for nothing.
        if not connection.execute(alone_due).scalar_one():
            return []
    with engine.connect().execution_options(isolation_level="READ COMMITTED") as connection, connection.begin():
        if not connection.execute(_TRY_ALONE_LOCK, {"key": ALONE_LOCK}).scalar_one():
            return []
        return fetch(connection, statement, {**parameters, "rows": 1})


def _claimed(kind: Kind, row: dict[str, Any]) -> Claimed:
    sync = Sync(row["retry_count"], row["lost_leases"], row["age"], row["workers_killed"])
    row["repeat_enquiry"] = row["earlier_enquiry_at"] is not None
    return Claimed(kind, row["id"], row["next_retry_at"], sync, row)


# The state check is inside the UPDATE: a worker that lost its lease marks nothing. One exception: success is
# monotone. The CRM has the row whatever happened to the lease, so a success is kept and never taken back. A mark
# whose reply was lost is written again, and its timeline is not given a second line.
_MARK = """
WITH mark AS (
    SELECT * FROM jsonb_to_recordset(%(marks)s::jsonb) AS v(
        id uuid, lease timestamptz, status text, count int, wait float8, tried bool, record text, error text,
        event text, code text, http int, call text, note text
    )
), marked AS (
    UPDATE deliveries AS t SET
        zoho_status = v.status,
        retry_count = v.count,
        next_retry_at = coalesce(now() + make_interval(secs => v.wait), t.next_retry_at),
        last_retry_at = CASE WHEN v.tried THEN now() ELSE t.last_retry_at END,
        zoho_sent_at = CASE WHEN v.status = 'sent' THEN now() ELSE t.zoho_sent_at END,
        zoho_record_id = coalesce(v.record, t.zoho_record_id),
        last_error = CASE WHEN v.status = 'sent' THEN NULL ELSE coalesce(v.error, t.last_error) END
    FROM mark AS v
    WHERE t.id = v.id AND t.id = ANY(array(SELECT id FROM mark)) AND (
        (t.zoho_status = 'sending' AND t.next_retry_at = v.lease) OR (v.status = 'sent' AND t.zoho_status <> 'sent')
    )
    RETURNING t.id, t.next_retry_at
), noted AS (
    INSERT INTO crm_attempts (kind, row_id, call_id, event, code, http_status, detail, next_retry_at)
    SELECT %(kind)s, v.id, v.call, CASE WHEN m.id IS NULL THEN 'fenced' ELSE v.event END, v.code, v.http,
           coalesce(v.error, v.note),
           CASE WHEN v.wait IS NOT NULL THEN m.next_retry_at END
    FROM mark AS v LEFT JOIN marked AS m ON m.id = v.id
    WHERE m.id IS NOT NULL OR NOT EXISTS (
        SELECT 1 FROM crm_attempts WHERE row_id = v.id AND call_id = v.call AND event IN (v.event, 'fenced')
    )
)
SELECT id FROM marked UNION SELECT v.id FROM mark AS v, LATERAL (
    SELECT 1 FROM crm_attempts AS line
    WHERE line.row_id = v.id AND line.call_id = v.call AND line.event = v.event LIMIT 1
) AS noted_before
"""
# Seconds between attempts to mark; together under half a lease. After that the rows become due again when their
# lease runs out, and the upsert key makes sending them twice harmless.
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


def mark(engine: Engine, marks: Sequence[Mark]) -> Tally:
    """Settle the outcomes of one batch (rows of one kind) and write them, trying again while the database fails."""
    if not marks:
        return Tally()
    settled = [settle(item.row.sync, item.outcome, _jitter()) for item in marks]
    marked = _write(engine, marks, settled)
    states = Counter(item.status for item in settled)
    sent, dead = states[Status.SENT], states[Status.DEAD]
    deferred = sum(isinstance(item.outcome, Deferred) for item in marks)
    return Tally(sent, len(marks) - sent - dead - deferred, dead, deferred, len(marks) - marked)


def _write(engine: Engine, marks: Sequence[Mark], settled: Sequence[Settled]) -> int:
    values = [_values(item, state) for item, state in zip(marks, settled, strict=True)]
    parameters = {"kind": marks[0].row.kind, "marks": orjson.dumps(values).decode()}
    for pause in MARK_PAUSES:
        threading.Event().wait(pause)
        try:
            with engine.connect() as connection:
                return len(fetch(connection, _MARK, parameters))
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
        "record": state.record_id,
        "error": state.error,
        "event": type(item.outcome).__name__.lower(),
        "code": getattr(item.outcome, "code", None),
        "http": item.http_status,
        "call": item.call_id,
        "note": item.note,
    }


def _jitter() -> float:
    return random.uniform(-1, 1)  # noqa: S311 - spread, not secrecy


# With the evidence: whether the call of the last claim had begun, and whether only the row explains the loss.
# A worker that was not seen for `gone` seconds and has not stopped is dead. The row did not kill it if it began
# another call afterwards, or if another worker died, or may have died, in that time. And nobody knows what killed
# it unless other rows were delivered since this one was last tried: on a quiet night, workers that die in every
# call have this row alone to die with.
_LOST = text("""
SELECT lost.id, retry_count, lost_leases, workers_killed, call.id IS NOT NULL AS began,
    coalesce(call.alone AND claimer.stopped_at IS NULL AND claimer.seen_at < now() - gone.after AND NOT EXISTS (
        SELECT 1 FROM crm_calls AS later WHERE later.worker_id = claimer.id AND later.began_at > call.began_at
    ) AND NOT EXISTS (
        SELECT 1 FROM crm_workers AS other WHERE other.id <> claimer.id AND other.stopped_at IS NULL
            AND other.seen_at BETWEEN call.began_at - gone.after AND now() - gone.after / 3
    ) AND EXISTS (
        SELECT 1 FROM crm_attempts AS delivered
        WHERE delivered.id > coalesce(claim_before.id, 0) AND delivered.event = 'delivered'
            AND delivered.row_id <> lost.id
    ), false) AS is_proof
FROM deliveries AS lost
CROSS JOIN (SELECT make_interval(secs => :gone) AS after) AS gone
LEFT JOIN LATERAL (
    SELECT id, call_id FROM crm_attempts WHERE row_id = lost.id AND event = 'claimed' ORDER BY id DESC LIMIT 1
) AS last_claim ON true
LEFT JOIN LATERAL (
    SELECT id FROM crm_attempts WHERE row_id = lost.id AND event = 'claimed' AND id < last_claim.id
    ORDER BY id DESC LIMIT 1
) AS claim_before ON true
LEFT JOIN crm_calls AS call ON call.id = last_claim.call_id
LEFT JOIN crm_workers AS claimer ON claimer.id = call.worker_id
WHERE zoho_status = 'sending' AND next_retry_at <= now()
ORDER BY next_retry_at LIMIT :rows FOR UPDATE OF lost SKIP LOCKED
""")
_RETURN = text("""
WITH lost AS (
    SELECT * FROM unnest(
        cast(:ids AS uuid[]), cast(:statuses AS text[]), cast(:counts AS int[]), cast(:waits AS float8[]),
        cast(:errors AS text[]), cast(:began AS int[]), cast(:proofs AS int[])
    ) AS v(id, status, count, wait, error, began, proof)
), returned AS (
    UPDATE deliveries AS t SET
        zoho_status = v.status, retry_count = v.count, lost_leases = t.lost_leases + v.began,
        workers_killed = t.workers_killed + v.proof,
        last_retry_at = CASE WHEN v.began = 1 THEN now() ELSE t.last_retry_at END,
        next_retry_at = now() + make_interval(secs => coalesce(v.wait, 0)),
        last_error = coalesce(v.error, t.last_error)
    FROM lost AS v WHERE t.id = v.id
    RETURNING t.kind, t.id, t.next_retry_at, v.error, v.began, v.proof
)
INSERT INTO crm_attempts (kind, row_id, event, code, detail, next_retry_at)
SELECT kind, id, 'lease_lost', CASE WHEN began = 1 THEN 'WORKER_LOST' ELSE 'NOT_SENT' END,
    CASE WHEN proof = 1 THEN error || ' (alone, and no other worker died)' ELSE error END, next_retry_at
FROM returned
""")


def sweep(engine: Engine, *, gone_seconds: float, rows: int = 1000) -> int:
    """Take back up to `rows` rows whose lease expired; return how many there were.

    Safe to run anywhere, concurrently or late: the rows stay locked between reading and writing, and a success
    that arrives afterwards still marks its row as sent. A worker that was not seen for `gone_seconds` is dead; they
    should be less than a lease.
    """
    with engine.connect().execution_options(isolation_level="READ COMMITTED") as connection, connection.begin():
        return _take_back(connection, {"gone": gone_seconds, "rows": rows})


def _take_back(connection: Connection, parameters: dict[str, float]) -> int:
    lost = connection.execute(_LOST, parameters).all()
    if not lost:
        return 0
    losses = [Loss(row.began, row.is_proof) for row in lost]
    settled = [
        lose_lease(Sync(row.retry_count, row.lost_leases, workers_killed=row.workers_killed), loss, _jitter())
        for row, loss in zip(lost, losses, strict=True)
    ]
    connection.execute(
        _RETURN,
        {
            "ids": [row.id for row in lost],
            "statuses": [str(item.status) for item in settled],
            "counts": [item.retry_count for item in settled],
            "waits": [item.wait for item in settled],
            "errors": [item.error for item in settled],
            "began": [int(loss.began) for loss in losses],
            "proofs": [int(loss.began and loss.is_proof) for loss in losses],
        },
    )
    return len(lost)
