"""The bare way from a stored row to the CRM: listen, claim, one upsert, mark. Plain psycopg and plain requests.

No lease, no pause, no log of calls, no regard to crashes: the least that a delivery can cost.
"""

import json
import os
import sys
import threading
from queue import SimpleQueue

import psycopg
import requests
from psycopg.rows import dict_row

BATCH_ROWS = 100
IN_FLIGHT = 8
LOOK_SECONDS = 1.0  # without a notification
_NOTIFY = """
CREATE OR REPLACE FUNCTION bare_notify() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN PERFORM pg_notify('bare', ''); RETURN NULL; END $$;
CREATE OR REPLACE TRIGGER bare_notify AFTER INSERT ON deliveries FOR EACH STATEMENT EXECUTE FUNCTION bare_notify();
CREATE INDEX IF NOT EXISTS bare_waiting ON deliveries (next_retry_at) WHERE status = 'pending'
"""
_CLAIM = """
WITH taken AS (
    UPDATE deliveries SET status = 'sending' WHERE destination = 'zoho' AND id = ANY(array(
        SELECT id FROM deliveries WHERE destination = 'zoho' AND status = 'pending'
        ORDER BY next_retry_at LIMIT %s FOR UPDATE SKIP LOCKED
    )) RETURNING id
)
SELECT leads.*, id AS "Website_Event_ID" FROM leads JOIN taken USING (id)
"""
_MARK = """
UPDATE deliveries SET status = 'sent', sent_at = now(), record_id = given.record
FROM unnest(%s::uuid[], %s::text[]) AS given (id, record)
WHERE deliveries.id = given.id AND destination = 'zoho'
"""


def main() -> None:
    """Deliver to the address of the command line until killed; says "ready" when it listens."""
    signals: SimpleQueue[None] = SimpleQueue()
    for _ in range(IN_FLIGHT):
        threading.Thread(target=_deliver, args=(sys.argv[1], signals), daemon=True).start()
    with psycopg.connect(os.environ["DATABASE_URL"], autocommit=True) as connection:
        connection.execute(_NOTIFY)
        connection.execute("LISTEN bare")
        print("bare: ready.", flush=True)
        while True:
            for _ in connection.notifies(timeout=LOOK_SECONDS):
                signals.put(None)
            for _ in range(IN_FLIGHT):  # a backlog that was there before the first notification
                signals.put(None)


def _deliver(url: str, signals: SimpleQueue[None]) -> None:
    with (
        psycopg.connect(os.environ["DATABASE_URL"], autocommit=True, row_factory=dict_row) as connection,
        requests.Session() as session,
    ):
        while True:
            signals.get()
            while rows := connection.execute(_CLAIM, [BATCH_ROWS]).fetchall():
                filled = [{name: value for name, value in row.items() if value is not None} for row in rows]
                reply = session.post(url, data=json.dumps({"data": filled}, default=str), timeout=25)
                reply.raise_for_status()
                records = [item["details"]["id"] for item in reply.json()["data"]]
                connection.execute(_MARK, [[row["id"] for row in rows], records])


if __name__ == "__main__":
    main()
