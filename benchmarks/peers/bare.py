"""The bare way from a stored row to the CRM: listen, claim, one upsert, mark. Plain psycopg and plain requests.

No lease, no gate, no log of calls, no limit of time, no regard to crashes: the least that a delivery can cost.
"""

from __future__ import annotations

import argparse
import os
import threading
from datetime import datetime
from queue import SimpleQueue
from typing import Any
from uuid import UUID

import psycopg
import requests
from psycopg.rows import dict_row

from benchmarks.crm_standin import EVENT_ID

BATCH_ROWS = 100
LOOK_SECONDS = 1.0  # without a notification
_NOTIFY = """
CREATE OR REPLACE FUNCTION bare_notify() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN PERFORM pg_notify('bare', ''); RETURN NULL; END $$;
CREATE OR REPLACE TRIGGER bare_notify AFTER INSERT ON deliveries EXECUTE FUNCTION bare_notify()
"""
# The conditions of the product's own partial index: without it each claim would look at all that waits.
_CLAIM = """
WITH taken AS (
    UPDATE deliveries SET status = 'sending'
    WHERE destination = 'zoho' AND id = ANY(array(
        SELECT id FROM deliveries
        WHERE destination = 'zoho' AND kind = 'lead' AND status = 'pending' AND NOT requeued
            AND next_retry_at <= now()
        ORDER BY next_retry_at LIMIT %s FOR UPDATE SKIP LOCKED
    )) RETURNING id
)
SELECT leads.* FROM leads JOIN taken USING (id)
"""
_MARK = """
UPDATE deliveries SET status = 'sent', sent_at = now(), record_id = given.record
FROM unnest(%s::uuid[], %s::text[]) AS given (id, record)
WHERE deliveries.id = given.id AND destination = 'zoho'
"""


def main() -> None:
    """Deliver until killed; says "ready" when it listens."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.peers.bare")
    parser.add_argument("--crm", required=True, help="the address of the upserts")
    parser.add_argument("--in-flight", type=int, required=True)
    chosen = parser.parse_args()
    bells: SimpleQueue[None] = SimpleQueue()
    for _ in range(chosen.in_flight):
        threading.Thread(target=_deliver, args=(chosen.crm, bells), daemon=True).start()
    with psycopg.connect(os.environ["DATABASE_URL"], autocommit=True) as connection:
        connection.execute(_NOTIFY)
        connection.execute("LISTEN bare")
        print("bare: ready.", flush=True)
        while True:
            for _ in connection.notifies(timeout=LOOK_SECONDS):
                bells.put(None)
            for _ in range(chosen.in_flight):  # a backlog that was there before the first notification
                bells.put(None)


def _deliver(url: str, bells: SimpleQueue[None]) -> None:
    with (
        psycopg.connect(os.environ["DATABASE_URL"], autocommit=True, row_factory=dict_row) as connection,
        requests.Session() as session,
    ):
        while True:
            bells.get()
            while rows := connection.execute(_CLAIM, [BATCH_ROWS]).fetchall():
                reply = session.post(url, json={"data": [_record(row) for row in rows]}, timeout=25)
                reply.raise_for_status()
                records = [item["details"]["id"] for item in reply.json()["data"]]
                connection.execute(_MARK, [[row["id"] for row in rows], records])


def _record(row: dict[str, Any]) -> dict[str, Any]:
    """The columns that are filled, by their own names."""
    filled = {name: _plain(value) for name, value in row.items() if value is not None and name != "request_digest"}
    return filled | {EVENT_ID: str(row["id"])}


def _plain(value: Any) -> Any:
    return str(value) if isinstance(value, datetime | UUID) else value


if __name__ == "__main__":
    main()
