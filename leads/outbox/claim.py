"""Claiming: one statement takes due rows of one kind and lane under a lease and writes the claim down."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import text

from leads.columns import ALONE, REQUEUED
from leads.lifecycle import LOST_LEASES_ALONE, Sync
from leads.outbox.kinds import Claimed, Kind, Lane

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import Engine, RowMapping, TextClause

# Locked rows are skipped, so claimers never wait for each other; the partial indexes hold owed rows only, so the
# price of a claim does not grow with what is done. The lease is the row's own clock: when it runs out the row is
# due again by itself. In braces stand this project's own names and conditions, never input; they must be literal,
# or a prepared statement could not use the partial indexes.
_CLAIM = """
WITH due AS (
    SELECT id FROM {table}
    WHERE {pile} AND next_retry_at <= now() AND {company} AND {gate}
    ORDER BY next_retry_at LIMIT :rows FOR UPDATE SKIP LOCKED
), claimed AS (
    UPDATE {table} SET zoho_status = 'sending', next_retry_at = now() + make_interval(secs => :lease)
    FROM due WHERE {table}.id = due.id
    RETURNING {table}.*, extract(epoch FROM now() - queued_at)::float8 AS age
), noted AS (
    INSERT INTO crm_attempts (kind, row_id, call_id, event, next_retry_at)
    SELECT :kind, id, :call_id, 'claimed', next_retry_at FROM claimed
)
SELECT * FROM claimed ORDER BY created_at, id
"""
# The gate once more, in the claim itself: it may have shut since the caller looked.
_GATE = """(NOT cast(:while_open AS boolean) OR EXISTS (
        SELECT 1 FROM crm_gate WHERE destination = 'zoho' AND state = 'open'
    ))"""
_CROWD = f"lost_leases < {LOST_LEASES_ALONE}"
# Alone means alone on every worker, leads and clicks together: or the next row that kills its worker takes
# another's last chance with it.
_ON_THE_WAY = "SELECT 1 FROM {table} WHERE zoho_status = 'sending' AND {alone} AND next_retry_at > now()"
_ALONE = f"""{ALONE} AND NOT EXISTS (
        {" UNION ALL ".join(_ON_THE_WAY.format(table=kind.table.name, alone=ALONE) for kind in Kind)}
    )"""
_ALONE_DUE = "SELECT EXISTS (SELECT 1 FROM {table} WHERE {pile} AND next_retry_at <= now() AND {alone})"
# A statement sees what was committed before it began, so two at once would each see nobody on the way. The lock is
# taken by a statement before the claim and kept until its commit.
ALONE_LOCK = 4_021_735
_TRY_ALONE_LOCK = text("SELECT pg_try_advisory_xact_lock(:key)")


@dataclass(frozen=True, slots=True)
class _Pass:
    """One look for due rows. `alone_due`, of a look for rows that go one at a time: whether there is one."""

    kind: Kind
    statement: TextClause
    requeued: bool
    alone_due: TextClause | None


def _passes(lane: Lane) -> list[_Pass]:
    """In order of precedence: leads before clicks, and all of them before what a person queued again.

    Only the retry lane can hold rows that must go alone; they go first, since they may never end a batch.
    """
    crowds = (False,) if lane is Lane.FRESH else (True, False)
    return [_pass(kind, pile, alone=alone) for pile in lane.piles for kind in Kind for alone in crowds]


def _pass(kind: Kind, pile: str, *, alone: bool) -> _Pass:
    table, company = kind.table.name, _ALONE if alone else _CROWD
    statement = text(_CLAIM.format(table=table, pile=pile, company=company, gate=_GATE))
    alone_due = text(_ALONE_DUE.format(table=table, pile=pile, alone=ALONE)) if alone else None
    return _Pass(kind, statement, pile == REQUEUED, alone_due)


_PASSES = {lane: _passes(lane) for lane in Lane}


def claim(  # noqa: PLR0913 - each names one thing of the claim
    engine: Engine,
    lane: Lane,
    *,
    rows: int,
    lease_seconds: float,
    call_id: str,
    requeued: bool = True,
    while_open: bool = False,
) -> list[Claimed]:
    """Take up to `rows` due rows of one kind, leads before clicks; empty when nothing is due.

    A row whose worker died twice is taken by itself, one at a time over all workers. `call_id` ties the claim to
    the CRM call it is for; `requeued` False leaves what a person queued again where it is; `while_open`: nothing
    once the gate is shut (a probe claims through a shut one).
    """
    asked = {"rows": rows, "lease": lease_seconds, "call_id": call_id, "while_open": while_open}
    for look in _PASSES[lane]:
        if look.requeued and not requeued:
            continue
        parameters = {**asked, "kind": look.kind}
        found = _take(engine, look.statement, parameters, look.alone_due)
        if found:
            return [_claimed(look.kind, row) for row in found]
    return []


def _take(
    engine: Engine, statement: TextClause, parameters: dict[str, object], alone_due: TextClause | None
) -> Sequence[RowMapping]:
    with engine.connect() as connection:
        if alone_due is None:
            return connection.execute(statement, parameters).mappings().all()
        # Hardly ever is one due: no transaction is begun for nothing.
        if not connection.execute(alone_due).scalar_one():
            return []
    with engine.connect().execution_options(isolation_level="READ COMMITTED") as connection, connection.begin():
        if not connection.execute(_TRY_ALONE_LOCK, {"key": ALONE_LOCK}).scalar_one():
            return []
        return connection.execute(statement, {**parameters, "rows": 1}).mappings().all()


def _claimed(kind: Kind, row: RowMapping) -> Claimed:
    sync = Sync(row["retry_count"], row["lost_leases"], row["age"])
    return Claimed(kind, row["id"], row["next_retry_at"], sync, dict(row))
