"""How often pages failed in which browser engine, by the hour: what pages report, and what operators see of it.

All processes of the site write one table, which `status`, Flower's page and the metrics read.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass

from sqlalchemy import Connection, Engine, text

from leads.db import DATABASE_ERRORS, StoreUnavailable, error_name

OTHER = "other"
KINDS = ("start", "chunk", "boundary", "error", "native", OTHER)
FILES = ("arrival", "app", "page", "sections", "form", "extras", OTHER)
KEPT_DAYS = 7
# The most rows of one hour; beyond it an engine is counted as "other". Strangers who invent browsers must not fill
# the table, nor the metrics' labels.
MAX_ROWS = 300

_COUNT = text("""
INSERT INTO page_failures AS counted (hour, kind, file, engine, version, times)
SELECT hour, :kind, :file, CASE WHEN known.fits THEN :engine ELSE :other END,
       CASE WHEN known.fits THEN cast(:version AS smallint) ELSE 0 END, 1
FROM date_trunc('hour', now()) AS hour, LATERAL (
    SELECT count(*) < :most OR coalesce(bool_or(
        (kind, file, engine, version) = (:kind, :file, :engine, cast(:version AS smallint))
    ), false) AS fits
    FROM page_failures WHERE page_failures.hour = hour.hour
) AS known
ON CONFLICT (hour, kind, file, engine, version) DO UPDATE SET times = counted.times + 1
""")
_READ = text("""
SELECT kind, file, engine, version, sum(times) AS times FROM page_failures
WHERE hour >= date_trunc('hour', now()) - interval '1 hour'
GROUP BY kind, file, engine, version ORDER BY times DESC, kind, file, engine, version
""")
_FORGET = text("DELETE FROM page_failures WHERE hour < now() - make_interval(days => :days)")


@dataclass(frozen=True, slots=True)
class PageFailure:
    """What failed on a page: one of KINDS, in one of FILES, in a browser engine and its major version (0: unknown).

    "native": a form came without the script, in an engine that could have run it.
    """

    kind: str
    file: str
    engine: str
    version: int


def count_page_failure(engine: Engine, failure: PageFailure) -> None:
    """Count it in this hour. It is tried once: raises `StoreUnavailable` when the database does not take it."""
    try:
        with engine.connect() as connection:
            connection.execute(_COUNT, {**asdict(failure), "other": OTHER, "most": MAX_ROWS})
    except DATABASE_ERRORS as error:
        raise StoreUnavailable(error_name(error)) from error


def read_page_failures(engine: Engine) -> list[tuple[PageFailure, int]]:
    """Return what failed in this hour and the one before, and how often; the most frequent first."""
    with engine.connect() as connection:
        return [
            (PageFailure(row.kind, row.file, row.engine, row.version), int(row.times))
            for row in connection.execute(_READ)
        ]


def forget_page_failures(connection: Connection) -> None:
    """Delete what is older than KEPT_DAYS."""
    connection.execute(_FORGET, {"days": KEPT_DAYS})
