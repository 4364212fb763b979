"""What must hold at the end of every process test, judged by the CRM's own ledger."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from tests.process.product import Product

# Outcomes of claims whose call was never sent. Every token failure is one; see worker/zoho/auth.py.
_NOT_SENT = re.compile(r"CONNECT_FAILED|NO_TIME_LEFT|TOKEN_.*|invalid_.*|Access Denied")
# Outcomes of calls that may or may not have reached the CRM: it or our database was down, or failed in it.
_IN_DOUBT = frozenset({"CONNECTION_LOST", "TIMEOUT", "DATABASE_FAILED"})
_MAX_MINTS, _MINT_WINDOW = 10, 600.0

Calls = list[dict[str, Any]]


def violations(product: Product) -> list[str]:
    """What does not hold, in plain sentences."""
    totals = product.sandbox.summary()
    calls = product.sandbox.calls(kind="api")
    return [
        *_exactly_once(product, totals),
        *_within_limits(product, totals),
        *_log_equals_ledger(_claims(product), calls),
    ]


def _exactly_once(product: Product, totals: dict[str, Any]) -> Iterator[str]:
    """One record for each accepted lead, with its fields, and none beside them."""
    records = product.sandbox.records()
    counted = Counter(record.get("Website_Event_ID") for record in records)
    double = sum(number > 1 for number in counted.values()) or totals["duplicate_event_ids"]
    if double:
        yield f"{double} event ids have more than one record"
    if missing := product.accepted.keys() - counted.keys():
        yield f"{len(missing)} accepted leads are not in the CRM, {min(missing)} first"
    for record in records:
        wanted = product.accepted.get(str(record.get("Website_Event_ID")))
        if wanted is None and record["Last_Name"] not in product.possible:
            yield f"{record['Last_Name']} in the CRM is no accepted lead"
        yield from (
            f"{name} of {record['Last_Name']} is {record.get(name)}, not {value}"
            for name, value in (wanted or {}).items()
            if record.get(name) != value
        )


def _within_limits(product: Product, totals: dict[str, Any]) -> Iterator[str]:
    """Each worker makes as many calls as it has threads, and one without a task; tokens are minted rarely."""
    maximum, cap = totals["max_in_flight"], len(product.workers) * (product.settings.crm_concurrency + 1)
    if maximum > cap:
        yield f"{maximum} calls were in flight, the cap is {cap}"
    minted = sorted(datetime.fromisoformat(text).timestamp() for text in totals["tokens_minted"])
    spans = [later - earlier for earlier, later in zip(minted, minted[_MAX_MINTS:], strict=False)]
    if spans and min(spans) < _MINT_WINDOW:
        yield f"{_MAX_MINTS + 1} tokens were minted within {min(spans):.0f} s"


@dataclass(slots=True)
class _Claim:
    """One claim's rows and the outcome of each: a killed worker leaves none."""

    rows: set[str] = field(default_factory=set)
    codes: dict[str, str] = field(default_factory=dict)


def _claims(product: Product) -> dict[str, _Claim]:
    claims: dict[str, _Claim] = defaultdict(_Claim)
    for attempt in product.rows("SELECT row_id::text AS row, call_id, event, code FROM crm_attempts ORDER BY id"):
        if attempt["event"] == "claimed":
            claims[attempt["call_id"]].rows.add(attempt["row"])
        elif attempt["call_id"]:
            claims[_claim_of(attempt["call_id"])].codes[attempt["row"]] = attempt["code"] or "SUCCESS"
    return claims


def _claim_of(call_id: str | None) -> str:
    """The id of a call's claim: without -2 (resent after 401), -d and -look (looked for), .1 (without a field)."""
    return re.split(r"[.-]", call_id or "")[0]


def _log_equals_ledger(claims: dict[str, _Claim], calls: Calls) -> Iterator[str]:
    """Every claim and every call must have its counterpart. A read of no row, as of a comparison, has no claim."""
    for call in calls:
        claim = claims.get(_claim_of(call["request_id"]))
        if claim is None:
            if call["method"] != "GET":
                yield f"call {call['request_id']} of the ledger is not in the log of attempts"
        elif str(call["path"]).endswith("/upsert"):
            sent = {result["event_id"] for result in call["row_results"]}
            is_whole = "." not in call["request_id"]
            if not sent <= claim.rows or (is_whole and call["rows"] != len(claim.rows)):
                yield f"call {call['request_id']} of the ledger carried {sent}, claimed were {claim.rows}"
    called = {_claim_of(call["request_id"]) for call in calls}
    for call_id, claim in claims.items():
        codes = set(claim.codes.values())
        unsent = bool(codes) and all(_NOT_SENT.fullmatch(code) for code in codes)
        if unsent and call_id in called:
            yield f"{call_id} was logged as not sent, but the CRM has it"
        if codes and not unsent and call_id not in called and not codes <= _IN_DOUBT:
            yield f"{call_id} was logged as {codes}, but the CRM never got it"
        if codes and claim.rows and len(claim.codes) != len(claim.rows):
            yield f"{call_id} has {len(claim.codes)} outcomes for {len(claim.rows)} rows"
