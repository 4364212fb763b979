"""How many enquiries the site gets: within the last hour, and usually. Read-only."""

from __future__ import annotations

from sqlalchemy import Engine, TextClause, text
from sqlalchemy.exc import SQLAlchemyError

from leads.db import StoreUnavailable, error_name, run_with_retry

_LAST_HOUR = text("""
SELECT count(*) FROM leads JOIN crm_deliveries USING (id)
WHERE created_at > now() - interval '1 hour' AND zoho_status <> 'held'
""")
# The busiest hour of each of the last days, and of these the middle one: one day of a flood, or of an advertisement
# on television, changes nothing.
_USUAL = text("""
SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY busiest) FROM (
    SELECT max(enquiries) AS busiest FROM (
        SELECT date_trunc('hour', created_at) AS hour, count(*) AS enquiries
        FROM leads JOIN crm_deliveries USING (id)
        WHERE created_at BETWEEN now() - interval '7 days' AND now() - interval '1 hour' AND zoho_status <> 'held'
        GROUP BY 1
    ) AS hours GROUP BY date_trunc('day', hour)
) AS days
""")


def count_last_hour(engine: Engine) -> int:
    """Return how many enquiries of the last hour are not held; `StoreUnavailable` without the database."""
    return _read(engine, _LAST_HOUR)


def usual_hour(engine: Engine) -> int:
    """Return how many enquiries a busy hour of the last seven days had, 0 without any; or `StoreUnavailable`."""
    return _read(engine, _USUAL)


def _read(engine: Engine, query: TextClause) -> int:
    try:
        return run_with_retry(engine, lambda connection: int(connection.execute(query).scalar_one() or 0))
    except SQLAlchemyError as error:  # a database that answers and cannot count, such as one without tables yet
        raise StoreUnavailable(error_name(error)) from error
