"""Millions of rows that were delivered in the past, with their attempts, made as fast as PostgreSQL can."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import psycopg
from psycopg.sql import SQL, Identifier

from benchmarks.bench import Bench
from benchmarks.programs import BenchmarkError
from proofs.harness.person import SCATTER, SPACE

# Of a lead, its delivery, its two attempts and their indexes, and the room that building the indexes takes.
BYTES_PER_ROW = 2_000
CHUNK = 500_000

# The leads of the past: one every four seconds, oldest first. Ids are in time order, as leads/ids.py makes them,
# and follow from the number, so that the tables can be filled side by side. Keys, sessions, e-mail addresses and
# phones are as scattered as those of the leads that will wait (benchmarks/payload.py), but belong to none of
# them: otherwise more of them would have enquired before, the more rows there are.
_AT = "to_timestamp({now}) - ({last} - n + 1) * interval '4 seconds'"
_ID = """(lpad(to_hex(floor(extract(epoch FROM at) * 1000)::bigint), 12, '0')
    || '7' || substr(md5(n::text), 1, 3) || '8' || substr(md5(n::text), 4, 15))::uuid"""
_NUMBERS = "FROM generate_series(%s::bigint, %s::bigint) AS n, LATERAL (SELECT {at} AS at) AS clock"
_LEADS = f"""
INSERT INTO leads (id, reference, name, surname, email, country_code, country_iso, phone, phone_e164, message,
    google_gclid, utm_source, utm_medium, session_id, current_url, user_agent, ip_address, idempotency_key,
    request_digest, created_at)
SELECT {_ID}, lpad((n %% 1000000)::text, 6, '0'), 'Ada' || n, 'Sample' || n, scattered || '.bea@example.com', '+44',
    'GB', '0740' || scattered || '9', '+44740' || scattered || '9',
    'How long does an implant take, and when could I come?',
    'Cj0KCQiA6LyfBhC3ARIsAG4gkF9sample' || n, 'google', 'cpc', substr(md5('session' || n), 1, 32),
    'https://clinic.example/dental-implants?utm_source=google&utm_medium=cpc&gclid=sample' || n,
    repeat('agent ', 20), '192.0.2.1', md5('key' || n)::uuid::text, sha256(n::text::bytea), at
{_NUMBERS}, LATERAL (SELECT lpad((n * {SCATTER} %% {SPACE})::text, 7, '0') AS scattered) AS contact
"""
_DELIVERIES = f"""
INSERT INTO crm_deliveries (id, kind, zoho_status, zoho_sent_at, zoho_record_id, queued_at, next_retry_at)
SELECT {_ID}, 'lead', 'sent', at, (4876876000000000000 + n)::text, at, at
{_NUMBERS}
"""
_ATTEMPTS = f"""
INSERT INTO crm_attempts (at, kind, row_id, call_id, event)
SELECT at, 'lead', {_ID}, md5('call' || n / 100), event
{_NUMBERS}, unnest(ARRAY['claimed', 'delivered']) AS event
"""
_INDEXES = """
SELECT indexrelid::regclass::text, pg_get_indexdef(indexrelid), conname FROM pg_index
LEFT JOIN pg_constraint ON conindid = indexrelid AND contype = 'u'
WHERE indrelid = %s::regclass AND NOT indisprimary
"""


@dataclass(frozen=True, slots=True)
class Stored:
    """What storing took."""

    seconds: float
    gigabytes: float


def check_disk(bench: Bench, count: int) -> None:
    """`BenchmarkError` when the disk has no room for so many rows."""
    free, needed = shutil.disk_usage(bench.folder).free, count * BYTES_PER_ROW
    if free < needed:
        raise BenchmarkError(
            f"{count:,} finished rows take {needed / 1e9:.0f} GB, and {bench.folder} has {free / 1e9:.0f} GB free:"
            " give TMPDIR a larger disk, or take fewer (--finished-rows)"
        )


def store_finished(bench: Bench, databases: dict[int, str]) -> dict[int, Stored]:
    """Fill each of these databases, by the number of rows, leaving autovacuum off in them."""
    with bench.without_wal():
        return {count: fill(database, count, bench.say) for count, database in databases.items()}


def fill(database: str, count: int, say: Callable[[str], None]) -> Stored:
    """Fill a database, leads, deliveries and attempts side by side; `say` gets the progress.

    Autovacuum stays off in these tables: it must not run in the middle of one side's round.
    """
    began = time.monotonic()
    at = _AT.format(now=time.time(), last=count)
    jobs = {"leads": _LEADS, "deliveries": _DELIVERIES, "attempts": _ATTEMPTS}
    with ThreadPoolExecutor(len(jobs)) as pool:
        made = [
            pool.submit(_fill_table, database, table, words.replace("{at}", at), _chunks(table, count, say))
            for table, words in jobs.items()
        ]
        for each in made:
            each.result()
    with psycopg.connect(database, autocommit=True) as connection:
        found = connection.execute("SELECT pg_database_size(current_database())").fetchone()
    stored = Stored(time.monotonic() - began, (found[0] if found else 0) / 1e9)
    say(f"{count:,} finished rows stored in {stored.seconds:.0f} s, {stored.gigabytes:.1f} GB")
    return stored


def _fill_table(database: str, table: str, insert: str, chunks: Iterable[range]) -> None:
    """Fill a table in the transaction that emptied it, then build its indexes: neither is written to the log."""
    name = Identifier(table)
    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute("SET maintenance_work_mem = '512MB'")
        indexes = connection.execute(_INDEXES, [table]).fetchall()
        for index, _, constraint in indexes:
            drop = "ALTER TABLE {table} DROP CONSTRAINT {index}" if constraint else "DROP INDEX {index}"
            connection.execute(SQL(drop).format(table=name, index=Identifier(index)))
        with connection.transaction():
            connection.execute(SQL("TRUNCATE {} CASCADE").format(name))
            for chunk in chunks:
                connection.execute(insert, [chunk[0], chunk[-1]])
        for _, definition, _ in indexes:  # built at once they take minutes, row by row hours
            connection.execute(definition)
        connection.execute(SQL("ALTER TABLE {} SET (autovacuum_enabled = off)").format(name))
        connection.execute(SQL("ANALYZE {}").format(name))


def _chunks(table: str, count: int, say: Callable[[str], None]) -> Iterator[range]:
    """The rows' numbers in parts; says now and then how many are done."""
    for first in range(1, count + 1, CHUNK):
        if first > 1 and (first - 1) % (4 * CHUNK) == 0:
            say(f"{table}: {first - 1:,} of {count:,} rows")
        yield range(first, min(first + CHUNK, count + 1))
    if count > CHUNK:
        say(f"{table}: building the indexes")
