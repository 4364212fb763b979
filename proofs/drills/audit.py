"""Compares the attempts log with the CRM's ledger, row by row; no claim may come before its time."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from proofs.drills.environment import DrillEnvironment

# Outcomes of claims whose call was never sent. Every token failure is one; see worker/zoho/auth.py.
NOT_SENT = re.compile(r"CONNECT_FAILED|NO_TIME_LEFT|TOKEN_.*|invalid_.*|Access Denied")
# Outcomes of calls that may or may not have reached the CRM: it or our database was down, or failed in it.
IN_DOUBT = frozenset({"CONNECTION_LOST", "TIMEOUT", "DATABASE_FAILED"})


@dataclass(slots=True)
class Claim:
    """One claim's rows and their outcomes: a killed worker leaves none, erasures leave outcomes only."""

    rows: set[str] = field(default_factory=set)
    codes: dict[str, str] = field(default_factory=dict)


def audit_attempts(env: DrillEnvironment, calls: list[dict[str, Any]]) -> Iterator[str]:
    """The differences between the two logs: every claim and every call must have its counterpart."""
    attempts = env.rows(
        "SELECT row_id::text AS row, at, call_id, event, code, next_retry_at FROM crm_attempts ORDER BY id"
    )
    claims = _claims(attempts)
    claimed, called = sum(len(claim.rows) for claim in claims.values()), sum(map(_rows_sent, calls))
    env.figures["attempts / rows of calls"] = f"{claimed:,} / {called:,}"
    yield from _calls_without_claims(claims, calls)
    yield from _claims_without_calls(env, claims, calls)
    yield from _too_early(env, attempts)


def _claims(attempts: list[dict[str, Any]]) -> dict[str, Claim]:
    claims: dict[str, Claim] = defaultdict(Claim)
    for attempt in attempts:
        if attempt["event"] == "claimed":
            claims[attempt["call_id"]].rows.add(attempt["row"])
        elif attempt["call_id"]:
            claims[base_of(attempt["call_id"])].codes[attempt["row"]] = attempt["code"] or "SUCCESS"
    return claims


def base_of(call_id: str) -> str:
    """The id of a call's claim: without -2 (resent after 401), -d and -look (looked for), .1 (without a field)."""
    return re.split(r"[.-]", call_id)[0]


def _rows_sent(call: dict[str, Any]) -> int:
    return int(call["rows"]) if _is_upsert(call) else 0


def _is_upsert(call: dict[str, Any]) -> bool:
    return str(call["path"]).endswith("/upsert")


def _calls_without_claims(claims: dict[str, Claim], calls: list[dict[str, Any]]) -> Iterator[str]:
    # A read that belongs to no row, as of a comparison, has no line.
    unknown = [c for c in calls if c["method"] != "GET" and base_of(c["request_id"] or "") not in claims]
    if unknown:
        first = {name: unknown[0][name] for name in ("id", "at", "request_id", "rows", "status", "fault")}
        yield f"{len(unknown)} calls of the CRM's ledger are not in the attempts log, first: {first}"
    for call in calls:
        claim = claims.get(base_of(call["request_id"] or ""))
        if claim is None or not _is_upsert(call):
            continue
        events = {result["event_id"] for result in call["row_results"]}
        if not events <= claim.rows or (call["row_results"] and len(call["row_results"]) != call["rows"]):
            yield f"call {call['id']} of the ledger carried rows that were not claimed for it"
        whole = not re.search(r"\.", call["request_id"])
        if whole and call["rows"] != len(claim.rows):
            yield f"call {call['id']} of the ledger had {call['rows']} rows, {len(claim.rows)} were claimed for it"


def _claims_without_calls(
    env: DrillEnvironment, claims: dict[str, Claim], calls: list[dict[str, Any]]
) -> Iterator[str]:
    called = {base_of(call["request_id"] or "") for call in calls}
    missing, unsent, unanswered = [], 0, 0
    for call_id, claim in claims.items():
        codes = set(claim.codes.values())
        if not codes:
            unanswered += 1
        elif all(NOT_SENT.fullmatch(code) for code in codes):
            unsent += 1
            if call_id in called:
                missing.append(f"{call_id} was logged as not sent, but the CRM has it")
        elif call_id not in called and not codes <= IN_DOUBT:
            missing.append(f"{call_id} was logged as {', '.join(codes)}, but the CRM never got it")
        if codes and claim.rows and len(claim.codes) != len(claim.rows):
            missing.append(f"{call_id} has {len(claim.codes)} outcomes for {len(claim.rows)} rows")
    if unsent:
        env.figure("claims not sent", unsent)
    if unanswered:
        env.figure("claims of dead workers", unanswered)
    if missing:
        yield f"{len(missing)} claims differ from the ledger, first: {missing[0]}"


def _too_early(env: DrillEnvironment, attempts: list[dict[str, Any]]) -> Iterator[str]:
    """Claims before the row's next_retry_at, unless the drill or the end of a pause made the row due."""
    opened = env.rows("SELECT at FROM drill_log WHERE what = 'calls flow'")
    forwarded = sorted([*env.forwarded, *(row["at"] for row in opened)])
    due: dict[str, tuple[datetime, datetime] | None] = {}
    early = 0
    for attempt in attempts:
        row = attempt["row"]
        waits = due.get(row)
        if attempt["event"] == "claimed" and waits is not None and attempt["at"] < waits[1]:
            after = bisect_left(forwarded, waits[0])
            early += after == len(forwarded) or forwarded[after] > attempt["at"]
        if attempt["next_retry_at"] is not None:
            due[row] = (attempt["at"], attempt["next_retry_at"])
    if early:
        yield f"{early} claims came before the row's next_retry_at"
