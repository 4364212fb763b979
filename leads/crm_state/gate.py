"""The gate: one row that says whether calls may flow to the CRM at all, why not, and when to try again.

What concerns the whole CRM shuts it; it costs no row an attempt. Open means calls flow.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from sqlalchemy import text

from leads.outbox.rows import Kind

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime
    from uuid import UUID

    from sqlalchemy import Connection, Engine

FAILURES_TO_SHUT = 5
ROWS_TO_SHUT = 3
OUTAGE_SUCCESSES_TO_OPEN = 2


class Reason(StrEnum):
    """Why the gate is shut."""

    PAUSED = "paused"  # by a person; only a person opens it
    OUTAGE = "outage"
    RATE = "rate"
    CREDITS = "credits"
    AUTH = "auth"
    CONFIGURATION = "configuration"


# Seconds between probes (one due row each) while shut. A paused gate sends none.
PROBE_EVERY = {
    Reason.OUTAGE: 30.0,
    Reason.RATE: 5.0,
    Reason.CREDITS: 900.0,
    Reason.AUTH: 90.0,
    Reason.CONFIGURATION: 300.0,
}


@dataclass(frozen=True, slots=True)
class Gate:
    """The gate as the database's clock sees it. `probe_due`: shut, and one row may be tried now."""

    state: str
    reason: str | None
    detail: str | None
    changed_by: str | None
    changed_at: datetime
    until_at: datetime | None
    failures: int
    concurrency: int | None
    credits_left: int | None
    last_tick_at: datetime | None
    probe_due: bool
    tick_age: float | None

    @property
    def is_open(self) -> bool:
        """Whether calls flow."""
        return self.state == "open"


_READ = text("""
SELECT state, reason, detail, changed_by, changed_at, until_at, failures, concurrency, last_tick_at,
       CASE WHEN credits_at > now() - interval '15 min' THEN credits_left END AS credits_left,
       state = 'shut' AND coalesce(until_at <= now(), false) AS probe_due,
       extract(epoch FROM now() - last_tick_at)::float8 AS tick_age
FROM crm_gate WHERE destination = 'zoho'
""")
# A person's pause outranks every other reason. A gate that is shut already keeps the later moment: asked twice
# to wait, it waits for the longer.
_SHUT = text("""
UPDATE crm_gate SET
    state = 'shut', reason = :reason, detail = :detail, changed_by = :by, successes = 0,
    changed_at = CASE WHEN state = 'shut' AND reason = :reason THEN changed_at ELSE now() END,
    until_at = CASE WHEN cast(:seconds AS float8) IS NULL THEN NULL
        ELSE greatest(until_at, now() + make_interval(secs => cast(:seconds AS float8))) END,
    failing_since = coalesce(failing_since, now())
WHERE destination = 'zoho' AND (:reason = 'paused' OR reason IS DISTINCT FROM 'paused')
""")
_OPEN = text("""
UPDATE crm_gate AS gate SET
    state = 'open', reason = NULL, detail = NULL, changed_by = :by, changed_at = now(), until_at = NULL,
    failures = 0, failed_rows = '{}', failing_since = NULL, successes = 0
FROM (SELECT failing_since FROM crm_gate WHERE destination = 'zoho' FOR UPDATE) AS before
WHERE gate.destination = 'zoho' RETURNING before.failing_since
""")
_TAKE_PROBE = text("""
UPDATE crm_gate SET until_at = now() + make_interval(secs => :seconds)
WHERE destination = 'zoho' AND state = 'shut' AND until_at <= now() RETURNING 1
""")
# Only a probe speaks against a shut gate, and only against the reason it was taken under: a call that was on its
# way when the gate shut knows nothing of what the CRM has asked for since.
_SUCCESS = text("""
UPDATE crm_gate SET failures = 0, failed_rows = '{}',
    successes = successes + CASE WHEN reason = cast(:probed AS text) THEN 1 ELSE 0 END,
    until_at = CASE WHEN reason = cast(:probed AS text) AND reason <> 'paused' THEN now() ELSE until_at END,
    failing_since = CASE WHEN state = 'open' THEN NULL ELSE failing_since END,
    concurrency = CASE WHEN concurrency + 1 < :cap THEN concurrency + 1 END,
    credits_left = :credits, credits_at = CASE WHEN cast(:credits AS bigint) IS NULL THEN NULL ELSE now() END
WHERE destination = 'zoho' RETURNING state, reason, successes
""")
_FAILURE = text("""
UPDATE crm_gate SET failures = failures + 1, successes = 0, failing_since = coalesce(failing_since, now()),
    failed_rows = (ARRAY(SELECT DISTINCT unnest(failed_rows || cast(:rows AS uuid[]))))[1:3]
WHERE destination = 'zoho' RETURNING state, reason, failures, cardinality(failed_rows) AS rows
""")
_HALVE = text(
    "UPDATE crm_gate SET concurrency = greatest(1, coalesce(concurrency, :cap) / 2) WHERE destination = 'zoho'"
)
_TICK = text("UPDATE crm_gate SET last_tick_at = now() WHERE destination = 'zoho'")
# Oldest first: due since they entered the queue. A row that may kill its worker keeps its wait.
_PULL_FORWARD = """
UPDATE {table} SET next_retry_at = queued_at
WHERE zoho_status = 'retrying' AND next_retry_at > now() AND last_retry_at >= :since AND lost_leases = 0
"""


def read_gate(engine: Engine) -> Gate:
    """The gate as it is now."""
    with engine.connect() as connection:
        return Gate(**connection.execute(_READ).mappings().one())


def shut_gate(engine: Engine, reason: Reason, detail: str, *, by: str, seconds: float | None = None) -> None:
    """Shut the gate. `seconds` until the first probe: None for the reason's own spacing; a pause has none.

    A server's own wait is kept exactly and never undercut: up to a tenth is added so that workers spread.
    """
    if reason is not Reason.PAUSED:
        seconds = PROBE_EVERY[reason] if seconds is None else seconds * random.uniform(1.0, 1.1)  # noqa: S311 - spread
    with engine.connect() as connection:
        connection.execute(_SHUT, {"reason": reason, "detail": detail, "by": by, "seconds": seconds})


def open_gate(engine: Engine, *, by: str) -> None:
    """Open the gate and make due what failed while it was failing, oldest first."""
    with engine.connect().execution_options(isolation_level="READ COMMITTED") as connection, connection.begin():
        _open(connection, by)


def _open(connection: Connection, by: str) -> None:
    since = connection.execute(_OPEN, {"by": by}).scalar_one()
    if since is not None:
        for kind in Kind:
            connection.execute(text(_PULL_FORWARD.format(table=kind.table.name)), {"since": since})


def take_probe(engine: Engine, reason: str | None) -> bool:
    """Whether the caller, alone among all workers, may send one row through the shut gate now."""
    if reason is None or reason == Reason.PAUSED:
        return False
    with engine.connect() as connection:
        taken = connection.execute(_TAKE_PROBE, {"seconds": PROBE_EVERY[Reason(reason)]}).scalar()
    return taken is not None


def report_success(engine: Engine, *, cap: int, probed: str | None = None, credits_left: int | None = None) -> None:
    """The CRM answered a call. Enough probes that it answered open a gate that a failure shut; a pause stays.

    `probed` is the reason of the shut gate that let this call through, None for a call through an open one. A
    lowered concurrency rises by one towards `cap`, where it is forgotten.
    """
    with engine.connect().execution_options(isolation_level="READ COMMITTED") as connection, connection.begin():
        gate = connection.execute(_SUCCESS, {"cap": cap, "credits": credits_left, "probed": probed}).one()
        enough = OUTAGE_SUCCESSES_TO_OPEN if gate.reason == Reason.OUTAGE else 1
        is_answered = gate.reason == probed != Reason.PAUSED
        if gate.state == "shut" and is_answered and gate.successes >= enough:
            _open(connection, "probe")


def report_failure(engine: Engine, rows: Sequence[UUID], detail: str) -> bool:
    """The CRM did not answer a call for these rows; True when the gate is (now) shut, so no try is spent."""
    with engine.connect() as connection:
        gate = connection.execute(_FAILURE, {"rows": list(rows[:ROWS_TO_SHUT])}).one()
    if gate.state == "shut":
        return True
    if gate.failures >= FAILURES_TO_SHUT and gate.rows >= ROWS_TO_SHUT:
        shut_gate(engine, Reason.OUTAGE, detail, by="worker")
        return True
    return False


def halve_concurrency(engine: Engine, *, cap: int) -> None:
    """The CRM said too many at once: allow half as many calls in flight as now, at least one."""
    with engine.connect() as connection:
        connection.execute(_HALVE, {"cap": cap})


def note_tick(engine: Engine) -> None:
    """Write down that a worker's tick has just passed."""
    with engine.connect() as connection:
        connection.execute(_TICK)
