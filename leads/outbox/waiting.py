"""What waits, and why: rows by filter, counts by code, the day's arrivals and deliveries. No personal data.

For operators: the page in Flower and the command `waiting` show the same.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Engine, text

from leads.outbox.rows import Kind
from leads.tables.delivery import NEW, REQUEUED

# Conditions of the partial indexes, so that finished rows cost nothing, however many there are.
PILES = {
    "pending": (NEW, REQUEUED),
    "sending": ("zoho_status = 'sending'",),
    "retrying": ("zoho_status = 'retrying'",),
    "dead": ("zoho_status = 'dead'",),
    "held": ("zoho_status = 'held'",),
}
WAITING = ("pending", "sending", "retrying")

_CODE = "CASE WHEN zoho_status = 'held' THEN held_reason ELSE split_part(last_error, ':', 1) END"
_FILTERED = f"""
(cast(:code AS text) IS NULL OR {_CODE} = :code)
AND (cast(:source AS text) IS NULL OR lower(utm_source) = lower(:source)
     OR (lower(:source) = 'google' AND google_gclid IS NOT NULL))
AND created_at >= coalesce(cast(:since AS timestamptz), '-infinity')
AND created_at < coalesce(cast(:until AS timestamptz), 'infinity')
"""
_ROWS = f"""
SELECT '{{kind}}' AS kind, id, {{reference}} AS reference, zoho_status AS status, nullif({_CODE}, '') AS code,
       retry_count AS tries, last_retry_at AS last_try, utm_source AS source, created_at,
       CASE WHEN zoho_status IN ('pending', 'retrying') THEN next_retry_at END AS next_try,
       extract(epoch FROM now() - queued_at)::float8 AS age
FROM {{rows}} WHERE {{pile}} AND {_FILTERED} ORDER BY queued_at LIMIT :limit
"""  # noqa: S608 - constants of this project
_CODES = f"""
SELECT '{{kind}}' AS kind, zoho_status AS status, nullif({_CODE}, '') AS code, count(*) AS rows,
       min(next_retry_at) AS next_try, extract(epoch FROM now() - min(queued_at))::float8 AS age
FROM {{rows}} WHERE {{pile}} GROUP BY 2, 3
"""  # noqa: S608 - constants of this project
_OLDEST = "SELECT min(queued_at) AS at FROM deliveries WHERE kind = '{kind}' AND {pile}"
# The log has no index by time. Its newest lines tell; older ones are not worth reading the whole log.
_LAST_SUCCESS = text("""
SELECT max(at) FROM (SELECT at, event FROM crm_attempts ORDER BY id DESC LIMIT 20000) AS newest
WHERE event = 'delivered'
""")
_FAILING_SINCE = text("SELECT failing_since FROM crm_gate WHERE destination = 'zoho'")
# Rows are looked for by the time they were queued (an index), so one that waited for over a month is left out.
_FLOW = text("""
SELECT floor(extract(epoch FROM now() - queued_at) / :step)::int AS ago, count(*) AS rows FROM deliveries
WHERE queued_at > now() - make_interval(secs => :span) AND zoho_status <> 'held' GROUP BY 1
""")
_DELIVERED = text("""
SELECT floor(extract(epoch FROM now() - zoho_sent_at) / :step)::int AS ago, count(*) AS rows FROM deliveries
WHERE queued_at > now() - interval '31 days' AND zoho_sent_at > now() - make_interval(secs => :span) GROUP BY 1
""")


@dataclass(frozen=True, slots=True, kw_only=True)
class Filters:
    """Which rows to show; None is no filter. `code` of a held row is the reason why it is held."""

    states: tuple[str, ...] = WAITING
    kind: Kind | None = None
    code: str | None = None
    source: str | None = None
    since: datetime | None = None  # stored at or after
    until: datetime | None = None  # stored before


@dataclass(frozen=True, slots=True)
class Health:
    """How the CRM has answered lately, and what waits longest. Aware times; None: never, or nothing."""

    last_success_at: datetime | None
    failing_since: datetime | None
    oldest_waiting_at: datetime | None


@dataclass(frozen=True, slots=True)
class Flow:
    """Rows in one step of time: queued, delivered, and waiting at its end. `ago`: steps before now, from 0."""

    ago: int
    arrived: int
    delivered: int
    waiting: int


def list_waiting(engine: Engine, filters: Filters, *, limit: int) -> list[dict[str, Any]]:
    """Return the rows that match, the longest waiting first."""
    values = {"code": filters.code, "source": filters.source, "since": filters.since, "until": filters.until}
    found: list[dict[str, Any]] = []
    with engine.connect() as connection:
        for kind, pile in _piles(filters.states, filters.kind):
            reference = "reference" if kind is Kind.LEAD else "unique_code"
            query = _ROWS.format(kind=kind, rows=kind.with_delivery, pile=pile, reference=reference)
            found += [dict(row) for row in connection.execute(text(query), {**values, "limit": limit}).mappings()]
    return sorted(found, key=lambda row: -row["age"])[:limit]


def count_by_code(engine: Engine, states: tuple[str, ...] = tuple(PILES)) -> list[dict[str, Any]]:
    """Return how many rows wait by kind, status and code, with the next try and the greatest age in seconds."""
    found: list[dict[str, Any]] = []
    with engine.connect() as connection:
        for kind, pile in _piles(states, None):
            query = _CODES.format(kind=kind, rows=kind.with_delivery, pile=pile)
            found += [dict(row) for row in connection.execute(text(query)).mappings()]
    return sorted(found, key=lambda row: -row["rows"])


def read_health(engine: Engine) -> Health:
    """Return how the CRM has answered lately, and since when the oldest row waits."""
    with engine.connect() as connection:
        ages = [
            connection.execute(text(_OLDEST.format(kind=kind, pile=pile))).scalar_one()
            for kind, pile in _piles(WAITING, None)
        ]
        return Health(
            connection.execute(_LAST_SUCCESS).scalar_one(),
            connection.execute(_FAILING_SINCE).scalar_one_or_none(),
            min((at for at in ages if at is not None), default=None),
        )


def read_flow(engine: Engine, *, steps: int, step_seconds: float) -> list[Flow]:
    """Return the last steps of time, the oldest first; what waited is counted back from what waits now."""
    values = {"step": step_seconds, "span": steps * step_seconds}
    arrived, delivered = dict.fromkeys(range(steps), 0), dict.fromkeys(range(steps), 0)
    with engine.connect() as connection:
        for query, counts in ((_FLOW, arrived), (_DELIVERED, delivered)):
            counts |= {row.ago: row.rows for row in connection.execute(query, values) if row.ago in counts}
    waiting = sum(part["rows"] for part in count_by_code(engine, WAITING))
    flow: list[Flow] = []
    for ago in range(steps):
        flow.append(Flow(ago, arrived[ago], delivered[ago], max(0, waiting)))
        waiting += delivered[ago] - arrived[ago]
    return flow[::-1]


def _piles(states: tuple[str, ...], kind: Kind | None) -> list[tuple[Kind, str]]:
    kinds = tuple(Kind) if kind is None else (kind,)
    return [(kind, pile) for kind in kinds for state in states for pile in PILES[state]]
