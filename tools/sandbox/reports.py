"""What the ledger shows, as plain values: calls, totals, and event ids with more than one record."""

import json
from datetime import UTC, datetime
from typing import Any, Final

from tools.sandbox.lead_fields import EVENT_ID_FIELD
from tools.sandbox.state import Sandbox

CALL_COLUMNS: Final = (
    "id, at, kind, method, path, query, status, code, rows, row_results, committed, fault, duration_ms, in_flight, "
    "credits, request_id, user_agent"
)
CALL_FILTERS: Final = frozenset({"kind", "method", "path", "status", "code", "fault", "request_id"})
# Counted on the stored JSON, not on the table of keys that upserts use: a bug there must show here.
DUPLICATES_EVER: Final = (
    "SELECT count(*) FROM (SELECT 1 FROM versions WHERE event_id IS NOT NULL"
    " GROUP BY event_id HAVING count(DISTINCT record_id) > 1)"
)
DUPLICATES: Final = (
    "SELECT count(*) FROM (SELECT 1 FROM versions v CROSS JOIN records r ON r.id = v.record_id AND r.version = v.id"
    " WHERE NOT r.deleted AND v.event_id IS NOT NULL GROUP BY v.event_id HAVING count(*) > 1)"
)


def calls(sandbox: Sandbox, filters: dict[str, str], limit: int, offset: int) -> dict[str, Any]:
    """A page of calls, oldest first, by values of `CALL_FILTERS`."""
    chosen = {name: value for name, value in filters.items() if name in CALL_FILTERS}
    where, values = " AND ".join(f"{name} = ?" for name in chosen) or "1", [*chosen.values()]
    db = sandbox.ledger.db
    total = db.execute(f"SELECT count(*) FROM calls WHERE {where}", values).fetchone()[0]  # noqa: S608
    sql = f"SELECT {CALL_COLUMNS} FROM calls WHERE {where} ORDER BY id LIMIT ? OFFSET ?"  # noqa: S608
    names = CALL_COLUMNS.split(", ")
    rows = [dict(zip(names, row, strict=True)) for row in db.execute(sql, (*values, limit, offset))]
    for row in rows:
        row["row_results"], row["committed"] = json.loads(row["row_results"]), bool(row["committed"])
    return {"total": total, "calls": rows}


def records(sandbox: Sandbox, filters: dict[str, str], limit: int, offset: int) -> dict[str, Any]:
    """A page of live leads, newest first, by values of fields."""
    parts, values = [], []
    for name, value in filters.items():
        if name == EVENT_ID_FIELD:
            parts.append("v.event_id = ?")
            values.append(value)
        else:
            parts.append("CAST(json_extract(v.data, ?) AS TEXT) = ?")
            values += ['$."' + name.replace('"', "") + '"', value]
    where = " AND ".join(parts) or "1"
    found = list(sandbox.records.find(where, tuple(values), limit, offset))
    return {"total": sandbox.records.count(where, tuple(values)), "records": found}


def summary(sandbox: Sandbox) -> dict[str, Any]:
    """Return the totals. Times are UTC; `in_flight` is current, `max_in_flight` the most at any call's start."""
    db = sandbox.ledger.db
    actions = dict(db.execute("SELECT action, count(*) FROM versions GROUP BY action").fetchall())
    kinds = dict(db.execute("SELECT kind, count(*) FROM calls GROUP BY kind").fetchall())
    minted = [
        datetime.fromtimestamp(at, UTC).isoformat(timespec="milliseconds") for at in sandbox.tokens.minted_at()
    ]
    return {
        "records": _one(db.execute("SELECT count(*) FROM records WHERE NOT deleted")),
        "calls": sum(kinds.values()),
        "api_calls": kinds.get("api", 0),
        "token_calls": kinds.get("oauth", 0),
        "inserts": actions.get("insert", 0),
        "updates": actions.get("update", 0),
        "deletes": actions.get("delete", 0),
        "duplicate_event_ids": _one(db.execute(DUPLICATES)),
        "duplicate_event_ids_ever": _one(db.execute(DUPLICATES_EVER)),
        "in_flight": sandbox.in_flight.total,
        "max_in_flight": _one(db.execute("SELECT coalesce(max(in_flight), 0) FROM calls")),
        "tokens_minted": minted,
        "mails": _one(db.execute("SELECT count(*) FROM mails")),
        "credits_used": sandbox.credits.used(),
        "credits_remaining": sandbox.credits.remaining(),
    }


def _one(cursor: Any) -> int:
    return int(cursor.fetchone()[0])
