"""What must hold after every drill, judged by the CRM's own ledger. Violations are plain sentences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from datetime import datetime
from typing import Any

from proofs.drills.audit import audit_attempts
from proofs.drills.environment import DrillEnvironment

MAX_MINTS, MINT_WINDOW = 10, 600.0
EVENT_ID = "Website_Event_ID"


def audit(env: DrillEnvironment) -> list[str]:
    """The violated invariants; an empty list if all hold. Also notes the drill's totals as figures."""
    records = env.sandbox.records()
    calls = env.sandbox.calls(kind="api")
    totals = env.sandbox.summary()
    found = [
        *_exactly_once(env, records, totals),
        *_right_fields(env, records),
        *_sent_stays_sent(env),
        *_leases_end(env),
        *_calls_in_flight(env, totals),
        *_mints(totals),
        *audit_attempts(env, calls),
    ]
    env.figures["records / CRM calls"] = f"{len(records):,} / {len(calls):,}"
    return found


def _exactly_once(env: DrillEnvironment, records: list[dict[str, Any]], totals: dict[str, Any]) -> Iterator[str]:
    counted = Counter(record.get(EVENT_ID) for record in records)
    double = sum(number > 1 for number in counted.values()) or totals["duplicate_event_ids"]
    if double:
        yield f"{double} event ids have more than one record"
    missing = [event for event in env.accepted if event not in counted]
    if missing:
        yield f"{len(missing)} accepted leads are not in the CRM, {missing[0]} first"
    strange = [r for r in records if r.get(EVENT_ID) not in env.accepted and r["Last_Name"] not in env.possible]
    if strange:
        yield f"{len(strange)} records belong to no accepted lead"


def _right_fields(env: DrillEnvironment, records: list[dict[str, Any]]) -> Iterator[str]:
    wrong = [
        name
        for record in records
        for name, value in env.accepted.get(str(record.get(EVENT_ID)), {}).items()
        if record.get(name) != value
    ]
    if wrong:
        yield f"{len(wrong)} fields differ from what was accepted: {', '.join(sorted(set(wrong)))}"


def _sent_stays_sent(env: DrillEnvironment) -> Iterator[str]:
    changed = env.rows(
        "SELECT count(*) AS n, min(row_id::text) AS first FROM drill_log WHERE what = 'sent changed'"
        " AND NOT EXISTS (SELECT 1 FROM crm_attempts AS a WHERE a.row_id = drill_log.row_id AND event = 'requeued')"
    )
    if changed[0]["n"]:
        yield f"{changed[0]['n']} sent rows were changed afterwards, {changed[0]['first']} first"


def _leases_end(env: DrillEnvironment) -> Iterator[str]:
    """Rows whose lease ended well before a worker last looked for due rows, and claims with too long a lease."""
    lease = env.settings.crm_lease_seconds
    (late,) = env.look(
        "count(*) AS n",
        "zoho_status = 'sending'"
        " AND (SELECT max(seen_at) FROM destinations) > next_retry_at + make_interval(secs => %s)",
        lease,
    )
    if late["n"]:
        yield f"{late['n']} rows are in a call a lease after the end of theirs"
    (long,) = env.rows(
        "SELECT count(*) AS n FROM crm_attempts AS claim WHERE event = 'claimed'"
        " AND next_retry_at > at + make_interval(secs => %s * power(2, (SELECT count(*) FROM crm_attempts AS other"
        " WHERE other.row_id = claim.row_id AND other.event = 'claimed' AND other.id < claim.id)) + 1)",
        lease,
    )
    if long["n"]:
        yield f"{long['n']} claims took a longer lease than those before them explain"


def _calls_in_flight(env: DrillEnvironment, totals: dict[str, Any]) -> Iterator[str]:
    """Each worker makes as many calls as it has threads, and one without a task."""
    maximum, cap = totals["max_in_flight"], len(env.workers) * (env.settings.crm_concurrency + 1)
    env.figures["most calls in flight"] = f"{maximum} of {cap}"
    if maximum > cap:
        yield f"{maximum} calls were in flight, the cap is {cap}"


def _mints(totals: dict[str, Any]) -> Iterator[str]:
    minted = sorted(datetime.fromisoformat(text).timestamp() for text in totals["tokens_minted"])
    spans = [later - earlier for earlier, later in zip(minted, minted[MAX_MINTS:], strict=False)]
    if spans and min(spans) < MINT_WINDOW:
        yield f"{MAX_MINTS + 1} tokens were minted within {min(spans):.0f} s"
