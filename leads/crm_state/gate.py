"""The gate: the circuit breaker between all workers and the CRM, kept in one row with its reason and next probe.

Mind the direction: an *open* gate lets calls flow (a breaker calls that closed), a *shut* gate stops them. Trouble
that concerns the whole CRM shuts the gate; it costs no row an attempt.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from sqlalchemy import Connection, Engine, TextClause, text

FAILURES_TO_SHUT = 5
ROWS_TO_SHUT = 3
# Fewer rows shut the gate when nothing else was heard for so long: on a quiet day nobody else would notice.
LONE_FAILURE_SECONDS = 900.0
# Failures for so long, without a success, were the CRM's: what failed is due at once when it answers again.
OUTAGE_SECONDS = 60.0
OUTAGE_SUCCESSES_TO_OPEN = 2


class Reason(StrEnum):
    """Why the gate is shut."""

    PAUSED = "paused"  # by an operator; only an operator opens it
    OUTAGE = "outage"
    RATE = "rate"
    CREDITS = "credits"
    AUTH = "auth"
    CONFIGURATION = "configuration"


# Seconds between probes while the gate is shut; a probe sends one due row. A paused gate sends none.
PROBE_EVERY = {
    Reason.OUTAGE: 30.0,
    Reason.RATE: 5.0,
    Reason.CREDITS: 900.0,
    Reason.AUTH: 90.0,
    Reason.CONFIGURATION: 300.0,
}


@dataclass(frozen=True, slots=True)
class Gate:
    """The gate's row; times are judged by the database's clock.

    `probe_due`: the gate is shut and one row may be tried now. `tick_age`: seconds since a worker was seen.
    """

    state: str
    reason: str | None
    detail: str | None
    changed_by: str | None
    changed_at: datetime
    until_at: datetime | None
    failures: int
    concurrency: int | None
    credits_left: int | None
    probe_due: bool
    tick_age: float | None

    @property
    def is_open(self) -> bool:
        """True while calls flow."""
        return self.state == "open"


# The columns of `Gate`.
READ_GATE = """
SELECT state, reason, detail, changed_by, changed_at, until_at, failures, concurrency,
       CASE WHEN credits_at > now() - interval '15 min' THEN credits_left END AS credits_left,
       state = 'shut' AND coalesce(until_at <= now(), false) AS probe_due,
       (SELECT extract(epoch FROM now() - max(seen_at))::float8 FROM crm_workers) AS tick_age
FROM crm_gate WHERE destination = 'zoho'
"""
_READ = text(READ_GATE)
# An operator's pause outranks every other reason. A gate that is already shut keeps the later of the two times: the
# longest wait that was asked for counts.
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
# Only a probe counts as evidence against a shut gate, and only against the reason it was sent under: a call that
# was in flight when the gate was shut proves nothing about what the CRM has asked for since.
_SUCCESS = text("""
UPDATE crm_gate AS gate SET failures = 0,
    failed_rows = CASE WHEN state = 'open' THEN '{}' ELSE gate.failed_rows END,
    successes = successes + CASE WHEN reason = cast(:probed AS text) THEN 1 ELSE 0 END,
    until_at = CASE WHEN reason = cast(:probed AS text) AND reason <> 'paused' THEN now() ELSE until_at END,
    failing_since = CASE WHEN state = 'open' THEN NULL ELSE gate.failing_since END,
    concurrency = CASE WHEN concurrency + 1 < :cap THEN concurrency + 1 END,
    credits_left = :credits, credits_at = CASE WHEN cast(:credits AS bigint) IS NULL THEN NULL ELSE now() END
FROM (
    SELECT failing_since, cardinality(failed_rows) AS rows FROM crm_gate WHERE destination = 'zoho' FOR UPDATE
) AS before
WHERE gate.destination = 'zoho' RETURNING state, reason, successes, before.rows, before.failing_since,
    extract(epoch FROM now() - before.failing_since)::float8 AS failing_seconds
""")
_FAILURE = text("""
UPDATE crm_gate SET failures = failures + 1, successes = 0, failing_since = coalesce(failing_since, now()),
    failed_rows = (ARRAY(SELECT DISTINCT unnest(failed_rows || cast(:rows AS uuid[]))))[1:3]
WHERE destination = 'zoho' RETURNING state, reason, failures, cardinality(failed_rows) AS rows,
    extract(epoch FROM now() - failing_since)::float8 AS failing_seconds
""")
_HALVE = text(
    "UPDATE crm_gate SET concurrency = greatest(1, coalesce(concurrency, :cap) / 2) WHERE destination = 'zoho'"
)
# Due since they entered the queue, so that the oldest rows go first. A row that may kill its worker keeps its wait.
_PULL_ALL_FORWARD = text("""
UPDATE deliveries SET next_retry_at = queued_at
WHERE zoho_status = 'retrying' AND next_retry_at > now() AND last_retry_at >= :since AND lost_leases = 0
""")
# After failures that never shut the gate: at once, or after some minutes for each try.
_PULL_FORWARD = text("""
UPDATE deliveries SET next_retry_at = greatest(now(), last_retry_at + retry_count * make_interval(mins => :minutes))
WHERE zoho_status = 'retrying'
  AND next_retry_at > greatest(now(), last_retry_at + retry_count * make_interval(mins => :minutes))
  AND last_retry_at >= :since AND lost_leases = 0
""")


def read_gate(engine: Engine) -> Gate:
    """Return the current state of the gate."""
    with engine.connect() as connection:
        return Gate(**connection.execute(_READ).mappings().one())


def shut_gate(engine: Engine, reason: Reason, detail: str, *, by: str, seconds: float | None = None) -> None:
    """Shut the gate.

    Args:
        engine: The database.
        reason: Why. A pause by an operator outranks every other reason.
        detail: The reason in more words, without personal data.
        by: Who shuts it: a worker or an operator.
        seconds: The wait until the first probe, as the CRM asked for it; never shortened, but up to a tenth longer,
            so that workers spread. None: the reason's own spacing. A pause has no probes.
    """
    if reason is not Reason.PAUSED:
        seconds = PROBE_EVERY[reason] if seconds is None else seconds * random.uniform(1.0, 1.1)  # noqa: S311 - spread
    with engine.connect() as connection:
        connection.execute(_SHUT, {"reason": reason, "detail": detail, "by": by, "seconds": seconds})


def open_gate(engine: Engine, *, by: str) -> None:
    """Open the gate and make the rows that failed since the trouble began due at once, oldest first."""
    with engine.connect().execution_options(isolation_level="READ COMMITTED") as connection, connection.begin():
        _open(connection, by)


def _open(connection: Connection, by: str) -> None:
    since = connection.execute(_OPEN, {"by": by}).scalar_one()
    _pull_forward(connection, _PULL_ALL_FORWARD, since)


def _pull_forward(connection: Connection, statement: TextClause, since: datetime | None, minutes: int = 0) -> None:
    if since is not None:
        connection.execute(statement, {"since": since, "minutes": minutes})


def take_probe(engine: Engine, reason: str | None) -> bool:
    """Take the due probe; True for the one caller among all workers that may send a row through the shut gate."""
    if reason is None or reason == Reason.PAUSED:
        return False
    with engine.connect() as connection:
        taken = connection.execute(_TAKE_PROBE, {"seconds": PROBE_EVERY[Reason(reason)]}).scalar()
    return taken is not None


def report_success(engine: Engine, *, cap: int, probed: str | None = None, credits_left: int | None = None) -> None:
    """Record that the CRM answered a call; enough answered probes open the gate, unless an operator paused it.

    Rows that failed before the answer are due soon, whether the gate was shut or not.

    Args:
        engine: The database.
        cap: The configured concurrency. A lowered concurrency rises by one per success and is forgotten at the cap.
        probed: The reason why the gate was shut, when this call was a probe; None for a call through the open gate.
        credits_left: The API credits left, as the CRM reported them; None when it did not.
    """
    with engine.connect().execution_options(isolation_level="READ COMMITTED") as connection, connection.begin():
        gate = connection.execute(_SUCCESS, {"cap": cap, "credits": credits_left, "probed": probed}).one()
        # A quiet day's one or two rows shut it, so one success opens it.
        is_lone = 0 < gate.rows < ROWS_TO_SHUT
        successes_to_open = OUTAGE_SUCCESSES_TO_OPEN if gate.reason == Reason.OUTAGE and not is_lone else 1
        is_evidence = gate.reason == probed != Reason.PAUSED
        if gate.state == "shut" and is_evidence and gate.successes >= successes_to_open:
            _open(connection, "probe")
        elif gate.state == "open":
            # Between other rows' successes a row is itself the cause: it must not be tried after each of them.
            is_own_fault = (gate.failing_seconds or 0.0) < OUTAGE_SECONDS
            _pull_forward(connection, _PULL_FORWARD, gate.failing_since, minutes=int(is_own_fault))


def report_failure(engine: Engine, rows: Sequence[UUID], detail: str) -> bool:
    """Record an unanswered call for `rows`; return True when the gate is (now) shut, so that no try is spent."""
    with engine.connect() as connection:
        gate = connection.execute(_FAILURE, {"rows": list(rows[:ROWS_TO_SHUT])}).one()
    if gate.state == "shut":
        return True
    is_outage = gate.rows >= ROWS_TO_SHUT or gate.failing_seconds >= LONE_FAILURE_SECONDS
    if gate.failures >= FAILURES_TO_SHUT and is_outage:
        shut_gate(engine, Reason.OUTAGE, detail, by="worker")
        return True
    return False


def halve_concurrency(engine: Engine, *, cap: int) -> None:
    """Halve the number of calls allowed in flight (at least one), because the CRM reported too many at once."""
    with engine.connect() as connection:
        connection.execute(_HALVE, {"cap": cap})
