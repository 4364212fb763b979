"""Retention: delete old leads and clicks, clear old network addresses, and record each run. SQL only.

Rows that still owe the CRM a call are left alone, and so are the rows of customers. Only the CRM knows who became
one: before a row that may be in the CRM is deleted, the CRM is asked, and without an answer the row stays.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from sqlalchemy import Connection, Engine, TextClause, text

from leads.outbox.removal import WITH_ALL_OF_IT
from leads.outbox.rows import Kind
from leads.page_failures import forget_page_failures


@dataclass(frozen=True, slots=True)
class Terms:
    """The retention periods: `months` for leads and clicks, `days` for network addresses."""

    months: int
    days: int


@dataclass(slots=True)
class RetentionResult:
    """What a run removed, or would remove. `finished`: nothing is left to do.

    `converted`: kept, because it belongs to a customer. `unasked`: kept, because the CRM could not be asked.
    """

    leads: int = 0
    clicks: int = 0
    addresses: int = 0
    converted: int = 0
    unasked: int = 0
    finished: bool = True


@dataclass(frozen=True, slots=True)
class Old:
    """An expired row that may be in the CRM: its event id, and the id of its record where that is known."""

    id: UUID
    record_id: str | None


class CannotAsk(Exception):
    """The CRM cannot be asked now who became a customer; the message is a code without personal data."""


# Returns those of the rows (MAX_ROWS_ASKED at most) whose record became a customer's. Raises `CannotAsk`.
Ask = Callable[[Sequence[Old]], set[UUID]]


log = logging.getLogger(__name__)

STEP_ROWS = 100
MAX_ROWS_ASKED = 100  # rows in one question: as many records as the CRM returns by their ids
# Of those, the most without a known record: each costs a search, and the worker's tick waits for it.
MAX_ROWS_SEARCHED = 5
# How many seconds the day's run belongs to one worker, which gives it back at the end of its turn.
TURN_SECONDS = 120.0

# Nothing is owed to the CRM any more.
_SETTLED = "zoho_status IN ('sent', 'dead', 'held')"
# What was held and does not look real goes sooner, or strangers could fill the disk.
HELD_DAYS = 7
_OLD = f"""
{_SETTLED} AND converted_at IS NULL AND (
    created_at < now() - make_interval(months => :months)
    OR (zoho_status = 'held' AND looks_real IS FALSE AND created_at < now() - interval '{HELD_DAYS} days')
)
"""
_WITH_ADDRESS = f"{_SETTLED} AND ip_address IS NOT NULL AND created_at < now() - make_interval(days => :days)"
_COUNT = "SELECT count(*) FROM {rows} WHERE {which}"
# Locks the delivery too: a row that is requeued meanwhile keeps its address.
_SOME = "SELECT id FROM {rows} WHERE {which} LIMIT :rows FOR UPDATE SKIP LOCKED"
_FORGET = "UPDATE {table} SET ip_address = NULL WHERE id IN ({some}) RETURNING 1"
# A row that was never claimed was never sent, so it is not in the CRM.
_CANDIDATES = """
WITH candidates AS (
    SELECT id, zoho_record_id AS record_id, zoho_record_id IS NOT NULL OR EXISTS (
        SELECT 1 FROM crm_attempts WHERE row_id = crm_deliveries.id AND event = 'claimed'
    ) AS tried
    FROM {rows} WHERE {which} AND id > cast(:after AS uuid) ORDER BY id LIMIT :rows
), counted AS (
    SELECT *, count(*) FILTER (WHERE tried AND record_id IS NULL) OVER (ORDER BY id) AS searched FROM candidates
)
SELECT id, record_id, tried FROM counted WHERE searched <= :searched ORDER BY id
"""
# The delivery first: its state is looked at again when it changed meanwhile, and a row that was requeued stays.
_SETTLE = """
WITH gone AS (
    DELETE FROM crm_deliveries USING {table}
    WHERE crm_deliveries.id = ANY(cast(:gone AS uuid[])) AND {table}.id = crm_deliveries.id AND {which}
    RETURNING crm_deliveries.id
), {rest}, kept AS (
    UPDATE {table} SET converted_at = now() WHERE id = ANY(cast(:kept AS uuid[])) RETURNING 1
), noted AS (
    UPDATE retention_runs SET {column} = {column} + (SELECT count(*) FROM gone),
        converted = converted + (SELECT count(*) FROM kept)
    WHERE id = :run
)
SELECT (SELECT count(*) FROM gone)
"""
# A step and its count are one statement, so the record of the run is right wherever the run is interrupted.
_COUNTED_STEP = """
WITH done AS ({step}), noted AS (
    UPDATE retention_runs SET {column} = {column} + (SELECT count(*) FROM done) WHERE id = :run
)
SELECT count(*) FROM done
"""
RETENTION_IS_DUE = """NOT EXISTS (
    SELECT FROM retention_runs WHERE day = current_date AND (finished_at IS NOT NULL OR taken_until > now())
)"""
_TAKE = text("""
INSERT INTO retention_runs (day, by, taken_until)
VALUES (current_date, :by, now() + make_interval(secs => :turn))
ON CONFLICT (day) DO UPDATE SET taken_until = excluded.taken_until
    WHERE retention_runs.finished_at IS NULL AND retention_runs.taken_until <= now()
RETURNING id
""")
_BEGIN = text("INSERT INTO retention_runs (by) VALUES (:by) RETURNING id")
_END = text("UPDATE retention_runs SET finished_at = now() WHERE id = :run")
_RELEASE = text("UPDATE retention_runs SET taken_until = now() WHERE id = :run")
_LIST = text("""
SELECT id, at, by, leads, clicks, addresses, converted, finished_at FROM retention_runs ORDER BY id DESC LIMIT 30
""")


def count_expired(engine: Engine, terms: Terms, ask: Ask | None) -> RetentionResult:
    """Count what a run would do, asking the CRM; change nothing. Addresses of rows to delete are not counted."""
    found = RetentionResult()
    values = {"months": terms.months, "days": terms.days}
    kept = f"{_WITH_ADDRESS} AND NOT ({_OLD})"
    with engine.connect() as connection:
        for kind in Kind:
            for portion in _portions(connection, kind, terms, ask):
                _add(found, _column(kind), len(portion.expired))
                _add(found, "converted", len(portion.converted))
                _add(found, "unasked", portion.unasked)
            found.addresses += connection.execute(
                text(_COUNT.format(rows=kind.with_crm, which=kept)), values
            ).scalar_one()
    return found


def retain(engine: Engine, terms: Terms, *, by: str, ask: Ask | None) -> RetentionResult:
    """Apply retention now, whatever the day's run did.

    Args:
        engine: The database.
        terms: The retention periods.
        by: Who ordered the run, for its record.
        ask: Asks the CRM which rows belong to customers; without it, rows that may be in the CRM stay.

    Returns:
        What was removed.
    """
    with engine.connect() as connection:
        run = connection.execute(_BEGIN, {"by": by}).scalar_one()
        return _work(connection, run, terms, ask, lambda: True)


def retain_today(
    engine: Engine, terms: Terms, *, by: str, ask: Ask | None, may_continue: Callable[[], bool]
) -> RetentionResult | None:
    """Do the day's run, once across all workers.

    The next worker to come along continues an interrupted run; when the CRM could not be asked, only after the turn
    has expired.

    Args:
        engine: The database.
        terms: The retention periods.
        by: Which worker runs it, for its record.
        ask: Asks the CRM which rows belong to customers; without it, rows that may be in the CRM stay.
        may_continue: Called before each step; the run is interrupted when it returns False.

    Returns:
        What was removed; None when nothing is left to do today or another worker has the turn.
    """
    with engine.connect() as connection:
        run = connection.execute(_TAKE, {"by": by, "turn": TURN_SECONDS}).scalar_one_or_none()
        if run is None:
            return None
        done = RetentionResult()
        try:
            done = _work(connection, run, terms, ask, may_continue)
        finally:
            if not done.unasked:
                connection.execute(_RELEASE, {"run": run})
        return done


def list_runs(engine: Engine) -> list[dict[str, object]]:
    """Return the newest runs, with what each removed."""
    with engine.connect() as connection:
        return [dict(row) for row in connection.execute(_LIST).mappings()]


@dataclass(slots=True)
class _Portion:
    """Expired rows of one step: those to delete, those of customers, and how many were left undecided."""

    expired: list[UUID]
    converted: list[UUID]
    unasked: int = 0


def _portions(connection: Connection, kind: Kind, terms: Terms, ask: Ask | None) -> Iterator[_Portion]:
    after = UUID(int=0)
    statement = text(_CANDIDATES.format(rows=kind.with_crm, which=_OLD))
    while True:
        values = {"months": terms.months, "after": after, "rows": MAX_ROWS_ASKED, "searched": MAX_ROWS_SEARCHED}
        rows = connection.execute(statement, values).all()
        if not rows:
            return
        after = rows[-1].id
        in_crm = [Old(row.id, row.record_id) for row in rows if row.tried]
        yield _partition([row.id for row in rows], in_crm, ask)


def _partition(ids: list[UUID], in_crm: list[Old], ask: Ask | None) -> _Portion:
    try:
        converted = _find_converted(in_crm, ask)
    except CannotAsk as error:
        log.warning("retention keeps %d rows: %s", len(in_crm), error)
        undecided = {old.id for old in in_crm}
        return _Portion([row_id for row_id in ids if row_id not in undecided], [], len(in_crm))
    return _Portion([row_id for row_id in ids if row_id not in converted], list(converted))


def _find_converted(in_crm: list[Old], ask: Ask | None) -> set[UUID]:
    if not in_crm:
        return set()
    if ask is None:
        raise CannotAsk("no CRM is configured")
    return ask(in_crm)


def _work(
    connection: Connection, run: int, terms: Terms, ask: Ask | None, may_continue: Callable[[], bool]
) -> RetentionResult:
    done = RetentionResult()
    for kind in Kind:
        settle = text(
            _SETTLE.format(
                table=kind.table.name,
                rest=WITH_ALL_OF_IT.format(table=kind.table.name),
                which=_OLD,
                column=_column(kind),
            )
        )
        for portion in _portions(connection, kind, terms, ask):
            if not may_continue():
                done.finished = False
                return done
            values = {"run": run, "months": terms.months, "gone": portion.expired, "kept": portion.converted}
            _add(done, _column(kind), _step(connection, settle, values))
            _add(done, "converted", len(portion.converted))
            _add(done, "unasked", portion.unasked)
    _forget_addresses(connection, run, terms, done, may_continue)
    if done.unasked:
        done.finished = False
    forget_page_failures(connection)
    if done.finished:
        connection.execute(_END, {"run": run})
    return done


def _forget_addresses(
    connection: Connection, run: int, terms: Terms, done: RetentionResult, may_continue: Callable[[], bool]
) -> None:
    values = {"run": run, "days": terms.days, "rows": STEP_ROWS}
    for kind in Kind:
        some = _SOME.format(rows=kind.with_crm, which=_WITH_ADDRESS)
        step = _FORGET.format(table=kind.table.name, some=some)
        statement = text(_COUNTED_STEP.format(step=step, column="addresses"))
        count = STEP_ROWS
        while count == STEP_ROWS:
            if not may_continue():
                done.finished = False
                return
            count = _step(connection, statement, values)
            _add(done, "addresses", count)


def _step(connection: Connection, statement: TextClause, values: Mapping[str, object]) -> int:
    """Do a step, then rest as long as it took: a visitor's enquiry waits for one short statement at most."""
    began = time.monotonic()
    count = int(connection.execute(statement, values).scalar_one())
    threading.Event().wait(time.monotonic() - began)
    return count


def _column(kind: Kind) -> str:
    return "leads" if kind is Kind.LEAD else "clicks"


def _add(counts: RetentionResult, column: str, count: int) -> None:
    setattr(counts, column, getattr(counts, column) + count)
