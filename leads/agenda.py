"""What a worker's tick finds to do, asked in one statement, so that a tick that finds nothing costs little.

Only an answer's "yes" leads to work, and each work asks again by itself: another worker may have done it meanwhile.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import Engine, text

from leads.destinations import CRM
from leads.outbox.due import SEARCHES
from leads.outbox.lease import LEASE_ENDED
from leads.outbox.rows import Lane
from leads.privacy.erasure import ERASURE_IS_DUE

_ANY_DUE = " OR ".join(search.is_due("name") for searches in SEARCHES.values() for search in searches)


# Of each search as many as all bells are for.
_COUNT = """(SELECT count(*) FROM (
    SELECT FROM deliveries WHERE destination = :destination AND {rows} LIMIT :rows * (SELECT bells FROM gate)
) AS due)"""


def _count(lane: Lane) -> str:
    """SQL that counts the rows of a lane due to the CRM."""
    return " + ".join(_COUNT.format(rows=search.rows) for search in SEARCHES[lane])


_READ = text(f"""
WITH gate AS (
    SELECT CASE WHEN state = 'open' THEN cast(:bells AS int) WHEN until_at <= now() THEN 1 ELSE 0 END AS bells
    FROM gates WHERE destination = :destination
)
SELECT EXISTS (SELECT FROM deliveries WHERE {LEASE_ENDED}) AS has_lost, bells,
    {", ".join(f"{_count(lane)} AS {lane}" for lane in Lane)},
    ARRAY(
        SELECT name FROM unnest(cast(:others AS text[]), cast(:gates AS text[])) AS owed(name, gate) WHERE EXISTS (
            SELECT FROM gates WHERE destination = owed.gate AND (state = 'open' OR until_at <= now())
        ) AND ({_ANY_DUE})
    ) AS others,
    {ERASURE_IS_DUE} AS has_erasure
FROM gate
""")  # noqa: S608 - constants of this project


@dataclass(frozen=True, slots=True)
class Agenda:
    """What there is to do now.

    has_lost: leases that have ended. bells: for each lane of the CRM one for each due batch; only one while the
    gate lets a single probe through. others: the destinations but the CRM that are owed something, unless their
    gate is shut. has_erasure: work at the CRM for erasures.
    """

    has_lost: bool
    bells: Mapping[Lane, int]
    others: Sequence[str]
    has_erasure: bool


def read_agenda(engine: Engine, *, others: Mapping[str, str], batch: int, most_bells: int) -> Agenda:
    """Return what there is to do.

    Args:
        engine: The database.
        others: The destinations but the CRM that the caller delivers to, and whose gates they go through.
        batch: How many rows one bell is for.
        most_bells: The most bells of a lane.
    """
    values = {"destination": CRM, "rows": batch, "bells": most_bells}
    values |= {"others": list(others), "gates": list(others.values())}
    with engine.connect() as connection:
        found = connection.execute(_READ, values).mappings().one()
    return Agenda(
        found["has_lost"],
        {lane: min(found["bells"], -(-found[lane] // batch)) for lane in Lane},
        found["others"],
        found["has_erasure"],
    )
