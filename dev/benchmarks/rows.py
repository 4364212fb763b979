"""Rows for the benchmarks: stored as the API stores them, or finished long ago. Plain SQL."""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import UUID

import psycopg
from psycopg.sql import SQL, Identifier

from dev.benchmarks.payload import row

if TYPE_CHECKING:
    from random import Random

# As wide as real rows and attempts. Their own phone range: no waiting lead is a repeat of one of these.
_FINISHED = """
INSERT INTO leads (id, name, surname, email, country_code, phone, phone_e164, message, utm_source, current_url,
    user_agent, zoho_status, zoho_sent_at, zoho_record_id, created_at, queued_at, next_retry_at)
SELECT gen_random_uuid(), 'Ada', 'Sample' || n, 'done' || n || '@example.com', '+44', '07400000000',
    '+4475' || lpad(n::text, 8, '0'), 'How long does an implant take?', 'google',
    'https://clinic.example/dental-implants?utm_source=google&gclid=sample' || n, repeat('agent ', 20), 'sent', at,
    (4876876000000000000 + n)::text, at, at, at
FROM generate_series(1, %s) AS n, LATERAL (SELECT now() - n * interval '30 seconds' AS at)
"""
_INDEXES = """
SELECT indexname, indexdef FROM pg_indexes WHERE tablename IN ('leads', 'crm_attempts')
    AND indexname NOT IN (SELECT conname FROM pg_constraint)
"""
_ATTEMPTS = """
INSERT INTO crm_attempts (at, kind, row_id, call_id, event)
SELECT created_at, 'lead', id, md5(id::text), event FROM leads, unnest(ARRAY['claimed', 'delivered']) AS event
"""


def store_waiting(database: str, numbers: range, chooser: Random) -> None:
    """Store visitors' leads in one commit, due at once."""
    first = row(numbers.start)
    columns = SQL(", ").join(map(Identifier, ("id", *first)))
    words = SQL("COPY leads ({}) FROM STDIN").format(columns)
    with psycopg.connect(database, autocommit=True) as connection, connection.cursor().copy(words) as copy:
        for number in numbers:
            copy.write_row((UUID(int=chooser.getrandbits(128), version=4), *row(number).values()))


def store_finished(database: str, count: int) -> None:
    """Store leads that were delivered in the past, with their attempts, and vacuum as the server would."""
    with psycopg.connect(database, autocommit=True) as connection:
        indexes = connection.execute(_INDEXES).fetchall()
        for name, _ in indexes:
            connection.execute(SQL("DROP INDEX {}").format(Identifier(name)))
        connection.execute(_FINISHED, [count])
        connection.execute(_ATTEMPTS)
        for _, definition in indexes:  # built at once they take seconds, row by row a minute
            connection.execute(definition)
        connection.execute("VACUUM ANALYZE leads, crm_attempts")


def empty(database: str) -> None:
    """Delete all leads and attempts."""
    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute("TRUNCATE leads, crm_attempts CASCADE")


def waiting(database: str) -> int:
    """How many leads have not been delivered and marked."""
    with psycopg.connect(database, autocommit=True) as connection:
        found = connection.execute("SELECT count(*) FROM leads WHERE zoho_status <> 'sent'").fetchone()
    return int(found[0]) if found else 0


def committed(database: str) -> dict[str, float]:
    """When each lead was stored (epoch seconds), by id."""
    with psycopg.connect(database, autocommit=True) as connection:
        found = connection.execute("SELECT id::text, extract(epoch FROM created_at)::float8 FROM leads").fetchall()
    return dict(found)
