"""The gate: the circuit breaker between all workers and one destination, a row with its reason and next probe.

Mind the direction: an *open* gate lets calls flow (a breaker calls that closed), a *shut* gate stops them. Trouble
that concerns the whole destination shuts its gate; it costs no row an attempt.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from typing import Self
from uuid import UUID

from sqlalchemy import Engine, text

from leads.destinations import CRM
from leads.outbox.rows import Kind

FAILURES_TO_SHUT = 5
ROWS_TO_SHUT = 3
# Fewer rows shut the gate when nothing else was heard for so long: on a quiet day nobody else would notice.
LONE_FAILURE_SECONDS = 900.0
# Failures for so long, without a success, were the CRM's: what failed is due at once when it answers again.
OUTAGE_SECONDS = 60.0
OUTAGE_SUCCESSES_TO_OPEN = 2


class Reason(StrEnum):
    """Why the gate is shut."""

    def __new__(cls, value: str, probe_seconds: float | None) -> Self:
        """Make a reason; see `probe_seconds`."""
        reason = str.__new__(cls, value)
        reason._value_ = value
        reason.probe_seconds = probe_seconds
        return reason

    # Seconds between probes while the gate is shut; a probe sends one due row. None: no probes, an operator opens
    # it.
    probe_seconds: float | None

    PAUSED = "paused", None  # by an operator
    OUTAGE = "outage", 30.0
    RATE = "rate", 5.0
    CREDITS = "credits", 900.0
    AUTH = "auth", 90.0
    CONFIGURATION = "configuration", 300.0


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
    failing_since: datetime | None
    probe_due: bool
    tick_age: float | None

    @property
    def is_open(self) -> bool:
        """True while calls flow."""
        return self.state == "open"


# The columns of `Gate`, with the destination as the driver or SQLAlchemy names a parameter.
READ_GATE = """
SELECT state, reason, detail, changed_by, changed_at, until_at, failing_since,
       state = 'shut' AND coalesce(until_at <= now(), false) AS probe_due,
       (SELECT extract(epoch FROM now() - max(seen_at))::float8 FROM workers) AS tick_age
FROM gates WHERE destination = {destination}
"""
_READ_ALL = text(f"""
SELECT owed.destination, gate.* FROM gates AS owed,
    LATERAL ({READ_GATE.format(destination="owed.destination")}) AS gate
ORDER BY owed.destination <> 'zoho', owed.destination
""")  # noqa: S608 - a constant of this module
_READ = text(READ_GATE.format(destination=":destination"))
# An operator's pause outranks every other reason. A gate that is already shut keeps the later of the two times: the
# longest wait that was asked for counts.
_SHUT = text("""
UPDATE gates SET
    state = 'shut', reason = :reason, detail = :detail, changed_by = :by, successes = 0,
    changed_at = CASE WHEN state = 'shut' AND reason = :reason THEN changed_at ELSE now() END,
    until_at = CASE WHEN cast(:seconds AS float8) IS NULL THEN NULL
        ELSE greatest(until_at, now() + make_interval(secs => cast(:seconds AS float8))) END,
    failing_since = coalesce(failing_since, now())
WHERE destination = :destination AND (:reason = 'paused' OR reason IS DISTINCT FROM 'paused')
""")
_OPEN = text("""
UPDATE gates SET
    state = 'open', reason = NULL, detail = NULL, changed_by = :by, changed_at = now(), until_at = NULL,
    failures = 0, failed_rows = '{}', successes = 0
WHERE destination = :destination RETURNING changed_at
""")
_TAKE_PROBE = text("""
UPDATE gates SET until_at = now() + make_interval(secs => :seconds)
WHERE destination = :destination AND state = 'shut' AND until_at <= now() RETURNING 1
""")
# Only a probe counts as evidence against a shut gate, and only against the reason it was sent under: a call that
# was in flight when the gate was shut proves nothing about what the CRM has asked for since.
_SUCCESS = text("""
UPDATE gates AS gate SET failures = 0,
    failed_rows = CASE WHEN state = 'open' THEN '{}' ELSE gate.failed_rows END,
    successes = successes + CASE WHEN reason = cast(:probed AS text) THEN 1 ELSE 0 END,
    until_at = CASE WHEN reason = cast(:probed AS text) AND reason <> 'paused' THEN now() ELSE until_at END
FROM (
    SELECT cardinality(failed_rows) AS rows FROM gates WHERE destination = :destination FOR UPDATE
) AS before
WHERE gate.destination = :destination RETURNING state, reason, successes, before.rows, failing_since, now() AS at,
    extract(epoch FROM now() - failing_since)::float8 AS failing_seconds
""")
_FAILURE = text("""
UPDATE gates SET failures = failures + 1, successes = 0, failing_since = coalesce(failing_since, now()),
    failed_rows = (ARRAY(SELECT DISTINCT unnest(failed_rows || cast(:rows AS uuid[]))))[1:3]
WHERE destination = :destination RETURNING state, reason, failures, cardinality(failed_rows) AS rows,
    extract(epoch FROM now() - failing_since)::float8 AS failing_seconds
""")
# At once and oldest first, or with :minutes after some for each try. A row that may kill its worker keeps its wait.
_PULL_FORWARD = text("""
UPDATE deliveries SET next_retry_at = CASE WHEN :minutes = 0 THEN queued_at
    ELSE greatest(now(), last_retry_at + retry_count * make_interval(mins => :minutes)) END
WHERE destination = :destination AND id = ANY(array(
    SELECT id FROM deliveries WHERE destination = :destination AND kind = :kind AND status = 'retrying'
        AND next_retry_at > greatest(now(), last_retry_at + retry_count * make_interval(mins => :minutes))
        AND last_retry_at BETWEEN :since AND :until AND lost_leases = 0
    LIMIT :rows FOR UPDATE SKIP LOCKED
))
""")
# Only then: what ends the process in between leaves the rest to the next success.
_RECOVERED = text("""
UPDATE gates SET failing_since = NULL WHERE destination = :destination AND state = 'open' AND failures = 0
""")
STEP_ROWS = 10_000


def read_gate(engine: Engine, destination: str = CRM) -> Gate:
    """Return the current state of the destination's gate."""
    with engine.connect() as connection:
        return Gate(**connection.execute(_READ, {"destination": destination}).mappings().one())


def read_gates(engine: Engine) -> dict[str, Gate]:
    """Return the gates of all destinations that there are, the CRM's first."""
    with engine.connect() as connection:
        rows = [dict(row) for row in connection.execute(_READ_ALL).mappings()]
    return {row.pop("destination"): Gate(**row) for row in rows}


def shut_gate(  # noqa: PLR0913 - keywords, one per column
    engine: Engine,
    reason: Reason,
    detail: str,
    *,
    by: str,
    seconds: float | None = None,
    destination: str = CRM,
) -> None:
    """Shut the gate.

    Args:
        engine: The database.
        reason: Why. A pause by an operator outranks every other reason.
        detail: The reason in more words, without personal data.
        by: Who shuts it: a worker or an operator.
        seconds: The wait until the first probe, as the destination asked for it; never shortened, but up to a tenth
            longer, so that workers spread. None: the reason's own spacing. A pause has no probes.
        destination: Whose gate.
    """
    wait = reason.probe_seconds
    if wait is not None and seconds is not None:
        wait = seconds * random.uniform(1.0, 1.1)  # noqa: S311 - spread, not secrecy
    values = {"reason": reason, "detail": detail, "by": by, "seconds": wait, "destination": destination}
    with engine.connect() as connection:
        connection.execute(_SHUT, values)


def open_gate(engine: Engine, *, by: str, destination: str = CRM) -> None:
    """Open the gate for an operator, and make all rows due that failed, oldest first, whatever they failed for."""
    with engine.connect() as connection:
        now = connection.execute(_OPEN, {"by": by, "destination": destination}).scalar_one()
    _pull_forward(engine, destination, datetime.min.replace(tzinfo=UTC), now)


def _pull_forward(engine: Engine, destination: str, since: datetime, until: datetime, *, minutes: int = 0) -> None:
    """Make rows due soon that failed in that time, in steps that are committed: there may be a million."""
    values = {"destination": destination, "since": since, "until": until, "minutes": minutes, "rows": STEP_ROWS}
    with engine.connect() as connection:
        for kind in Kind:
            while connection.execute(_PULL_FORWARD, {**values, "kind": kind}).rowcount == STEP_ROWS:
                pass
        connection.execute(_RECOVERED, values)


def take_probe(engine: Engine, reason: str | None, destination: str = CRM) -> bool:
    """Take the due probe; True for the one caller among all workers that may send a row through the shut gate."""
    seconds = None if reason is None else Reason(reason).probe_seconds  # type: ignore[call-arg] # a look-up by value
    if seconds is None:
        return False
    with engine.connect() as connection:
        taken = connection.execute(_TAKE_PROBE, {"seconds": seconds, "destination": destination}).scalar()
    return taken is not None


def report_success(
    engine: Engine,
    *,
    probed: str | None = None,
    destination: str = CRM,
) -> None:
    """Record that the destination answered; enough answered probes open the gate, unless an operator paused it.

    Rows that failed before the answer are due soon, whether the gate was shut or not.

    Args:
        engine: The database.
        probed: The reason why the gate was shut, when this call was a probe; None for a call through the open gate.
        destination: Who answered.
    """
    values = {"probed": probed, "destination": destination}
    with engine.connect().execution_options(isolation_level="READ COMMITTED") as connection, connection.begin():
        gate = connection.execute(_SUCCESS, values).one()
        # A quiet day's one or two rows shut it, so one success opens it.
        is_lone = 0 < gate.rows < ROWS_TO_SHUT
        successes_to_open = OUTAGE_SUCCESSES_TO_OPEN if gate.reason == Reason.OUTAGE and not is_lone else 1
        is_evidence = gate.reason == probed != Reason.PAUSED
        opens = gate.state == "shut" and is_evidence and gate.successes >= successes_to_open
        if opens:
            connection.execute(_OPEN, {"by": "probe", "destination": destination})
    # Open first: calls flow while the rows are moved.
    if gate.failing_since is not None and (opens or gate.state == "open"):
        # Between other rows' successes a row is itself the cause: it must not be tried after each of them.
        is_own_fault = not opens and gate.failing_seconds < OUTAGE_SECONDS
        _pull_forward(engine, destination, gate.failing_since, gate.at, minutes=int(is_own_fault))


def report_failure(engine: Engine, rows: Sequence[UUID], detail: str, destination: str = CRM) -> bool:
    """Record an unanswered call for `rows`; return True when the gate is (now) shut, so that no try is spent."""
    with engine.connect() as connection:
        values = {"rows": list(rows[:ROWS_TO_SHUT]), "destination": destination}
        gate = connection.execute(_FAILURE, values).one()
    if gate.state == "shut":
        return True
    is_outage = gate.rows >= ROWS_TO_SHUT or gate.failing_seconds >= LONE_FAILURE_SECONDS
    if gate.failures >= FAILURES_TO_SHUT and is_outage:
        shut_gate(engine, Reason.OUTAGE, detail, by="worker", destination=destination)
        return True
    return False
