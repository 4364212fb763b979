"""Retention: old leads and clicks go, old network addresses are forgotten, and each run is on record. SQL only.

Whatever still owes the CRM a call is left alone. Who became a patient is known in the CRM, whose records stay; here
every row is an enquiry.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import text

from leads.outbox.kinds import Kind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sqlalchemy import Connection, Engine

STEP_ROWS = 1000
# Seconds that the day's run belongs to one worker; handed back at the end of its turn.
TURN_SECONDS = 120.0

_SETTLED = "zoho_status IN ('sent', 'dead', 'held')"
_OLD = f"{_SETTLED} AND created_at < now() - make_interval(months => :months)"
_KNOWN = f"{_SETTLED} AND ip_address IS NOT NULL AND created_at < now() - make_interval(days => :days)"
_COUNT = "SELECT count(*) FROM {table} WHERE {which}"
_SOME = "SELECT id FROM {table} WHERE {which} LIMIT :rows FOR UPDATE SKIP LOCKED"
_DELETE = "DELETE FROM {table} WHERE id IN ({some}) RETURNING 1"
_FORGET = "UPDATE {table} SET ip_address = NULL WHERE id IN ({some}) RETURNING 1"
# A step and its note are one statement: the record is right wherever a run breaks off.
_NOTED = """
WITH done AS ({step}), noted AS (
    UPDATE retention_runs SET {column} = {column} + (SELECT count(*) FROM done) WHERE id = :run
)
SELECT count(*) FROM done
"""
_WAITS = text("""
SELECT NOT EXISTS (
    SELECT 1 FROM retention_runs WHERE day = current_date AND (finished_at IS NOT NULL OR taken_until > now())
)
""")
_TAKE = text("""
INSERT INTO retention_runs (day, by, taken_until)
VALUES (current_date, :by, now() + make_interval(secs => :turn))
ON CONFLICT (day) DO UPDATE SET taken_until = excluded.taken_until
    WHERE retention_runs.finished_at IS NULL AND retention_runs.taken_until <= now()
RETURNING id
""")
_BEGIN = text("INSERT INTO retention_runs (by) VALUES (:by) RETURNING id")
_END = text("UPDATE retention_runs SET finished_at = now() WHERE id = :run")
_HAND_BACK = text("UPDATE retention_runs SET taken_until = now() WHERE id = :run")
_LIST = text(
    "SELECT id, at, by, leads, clicks, addresses, finished_at FROM retention_runs ORDER BY id DESC LIMIT 30"
)


@dataclass(frozen=True, slots=True)
class Terms:
    """How long things are kept: `months` for leads and clicks, `days` for network addresses."""

    months: int
    days: int


@dataclass(slots=True)
class Retained:
    """What a run removed, or would remove. `finished`: nothing of it is left to do."""

    leads: int = 0
    clicks: int = 0
    addresses: int = 0
    finished: bool = True


def count_expired(engine: Engine, terms: Terms) -> Retained:
    """What a run would do; changes nothing. Rows that would go do not count among the addresses."""
    found = Retained()
    values = {"months": terms.months, "days": terms.days}
    kept = f"{_KNOWN} AND NOT ({_OLD})"
    with engine.connect() as connection:
        for kind in Kind:
            gone = connection.execute(text(_COUNT.format(table=kind.table.name, which=_OLD)), values).scalar_one()
            _add(found, _column(kind), gone)
            found.addresses += connection.execute(
                text(_COUNT.format(table=kind.table.name, which=kept)), values
            ).scalar_one()
    return found


def retain(engine: Engine, terms: Terms, *, by: str) -> Retained:
    """Run it now, whatever the day's run has done; gives what it removed."""
    with engine.connect() as connection:
        run = connection.execute(_BEGIN, {"by": by}).scalar_one()
        return _work(connection, run, terms, lambda: True)


def retain_today(engine: Engine, terms: Terms, *, by: str, go_on: Callable[[], bool]) -> Retained | None:
    """The day's run, once over all workers, while `go_on()`; None when there is nothing (more) to do today.

    Broken off, it is taken up again by whichever worker comes next.
    """
    with engine.connect() as connection:
        if not connection.execute(_WAITS).scalar_one():
            return None
        run = connection.execute(_TAKE, {"by": by, "turn": TURN_SECONDS}).scalar_one_or_none()
        if run is None:
            return None
        try:
            return _work(connection, run, terms, go_on)
        finally:
            connection.execute(_HAND_BACK, {"run": run})


def list_runs(engine: Engine) -> list[dict[str, object]]:
    """The newest runs, with what each removed."""
    with engine.connect() as connection:
        return [dict(row) for row in connection.execute(_LIST).mappings()]


def _work(connection: Connection, run: int, terms: Terms, go_on: Callable[[], bool]) -> Retained:
    done = Retained()
    values = {"run": run, "months": terms.months, "days": terms.days, "rows": STEP_ROWS}
    for column, statement in _steps():
        count = STEP_ROWS
        while count == STEP_ROWS:
            if not go_on():
                done.finished = False
                return done
            count = connection.execute(text(statement), values).scalar_one()
            _add(done, column, count)
    connection.execute(_END, {"run": run})
    return done


def _steps() -> Iterator[tuple[str, str]]:
    """Rows first, then the addresses of those that stay."""
    for template, which in ((_DELETE, _OLD), (_FORGET, _KNOWN)):
        for kind in Kind:
            table = kind.table.name
            step = template.format(table=table, some=_SOME.format(table=table, which=which))
            column = _column(kind) if template is _DELETE else "addresses"
            yield column, _NOTED.format(step=step, column=column)


def _column(kind: Kind) -> str:
    return "leads" if kind is Kind.LEAD else "clicks"


def _add(counts: Retained, column: str, count: int) -> None:
    setattr(counts, column, getattr(counts, column) + count)
