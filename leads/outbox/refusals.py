"""Refusals of all rows for one field: the destination's configuration is wrong, such as a new mandatory field.

The log of attempts is the count, so that all workers count together.
"""

from __future__ import annotations

import re

from sqlalchemy import Engine, text

from leads.outbox.gate import Reason, read_gate, shut_gate
from leads.outbox.selection import redrive

CALLS_TO_SHUT = 3
# Three calls of a hundred rows have 600 lines, and each lead has lines for other destinations.
NEWEST_LINES = 5000
BY_GATE = "gate"

# A row that was sent again after such a shut gate, and is refused once more, is at fault itself.
_REFUSED = text("""
WITH newest AS (
    SELECT id, row_id, call_id, event, detail FROM attempts WHERE destination = :destination
    ORDER BY id DESC LIMIT :lines
)
SELECT row_id, call_id, starts_with(detail, :words || ':') AS is_same FROM newest
WHERE event = 'rejected' AND id > coalesce((SELECT max(id) FROM newest WHERE event = 'delivered'), 0)
  AND NOT EXISTS (
    SELECT 1 FROM attempts AS before
    WHERE before.row_id = newest.row_id AND before.event = 'redriven' AND before.detail = :by_gate
  )
""")


def report_refusal(engine: Engine, words: str, destination: str) -> bool:
    """Record that a call was refused for every row and for one reason.

    The third such call without a success shuts the gate, and the rows that died in the others are sent again when
    it opens.

    Args:
        engine: The database.
        words: Code and field, as the rows' timelines begin.
        destination: Who refused.

    Returns:
        Whether the gate is shut for this: then no row of the call is at fault.
    """
    gate = read_gate(engine, destination)
    if not gate.is_open:
        return gate.reason == Reason.CONFIGURATION and gate.detail == words
    values = {"destination": destination, "lines": NEWEST_LINES, "words": words, "by_gate": f"by {BY_GATE}"}
    with engine.connect() as connection:
        refused = connection.execute(_REFUSED, values).all()
    calls = {re.split(r"[.-]", line.call_id)[0] for line in refused}
    if len(calls) + 1 < CALLS_TO_SHUT or not all(line.is_same for line in refused):
        return False
    shut_gate(engine, Reason.CONFIGURATION, words, by="worker", destination=destination)
    redrive(engine, by=BY_GATE, ids=[line.row_id for line in refused], destination=destination)
    return True
