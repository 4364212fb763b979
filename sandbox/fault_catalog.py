"""Every fault the sandbox can simulate, as data: its effect, and its parameters with their defaults.

Any fault also takes `probability` (0 to 1), `count` (only the next n times it strikes; null: until switched off),
`path` (only calls whose path contains it) and uses its own random generator, seeded by the document's `seed`.
"""

from typing import Any, Final, NamedTuple


class FaultKind(NamedTuple):
    """One kind of fault. `strikes` is the default `count`."""

    title: str
    effect: str
    defaults: dict[str, Any]
    strikes: int | None = None


CATALOG: Final[dict[str, FaultKind]] = {
    "outage": FaultKind("Outage", "Every call, tokens too: the connection closes without a reply.", {}),
    "latency": FaultKind(
        "Slow", "Waits ms, plus up to jitter_ms, before the call is handled.", {"ms": 300, "jitter_ms": 0}
    ),
    "drop": FaultKind("Drop before", "Closes the connection; nothing is stored.", {}),
    "hang": FaultKind(
        "Hang", "Never replies (closes after seconds); nothing is stored unless commit is true.",
        {"seconds": 600, "commit": False},
    ),
    "late_commit": FaultKind(
        "Late commit", "Closes the connection without a reply, and handles the call seconds later.",
        {"seconds": 5.0},
    ),
    "upsert_race": FaultKind(
        "Racing upserts", "Upserts write ms after their duplicate check; a key inserted by then is DUPLICATE_DATA.",
        {"ms": 100},
    ),
    "server_error": FaultKind(
        "Server error", "status 500 as JSON, any other (502, 503, 504) as HTML; nothing is stored.",
        {"status": 502, "retry_after": None},
    ),
    "too_many_requests": FaultKind(
        "429", "cause concurrency or credits; body a (current) or b (older); retry_after is sent verbatim.",
        {"cause": "concurrency", "body": "a", "retry_after": None},
    ),
    "expire_tokens": FaultKind(
        "Tokens expire", "All live tokens end; the call itself gets INVALID_TOKEN.", {}, strikes=1
    ),
    "scope_mismatch": FaultKind("Scope mismatch", "401 OAUTH_SCOPE_MISMATCH.", {}),
    "no_permission": FaultKind("No permission", "403 NO_PERMISSION.", {}),
    "top_level_error": FaultKind(
        "Other refusal", "The whole call is refused with this status and code.",
        {"status": 400, "code": "INVALID_MODULE", "message": "refused by the sandbox"},
    ),
    "commit_then_drop": FaultKind("Drop after", "Stores the rows, then closes without a reply.", {}),
    "commit_then_cut": FaultKind("Cut reply", "Stores the rows, sends half of the reply, then closes.", {}),
    "commit_then_error": FaultKind("Error after", "Stores the rows, then answers status.", {"status": 500}),
    "drip": FaultKind("Drip", "Stores the rows, then sends the body one byte every seconds.", {"seconds": 5.0}),
    "fatal_row": FaultKind(
        "Fatal row", "A call with a row that has marker in a value answers 500 as a whole; nothing is stored.",
        {"marker": "fatal"},
    ),
    "record_locked": FaultKind("Row locked", "The row answers RECORD_LOCKED.", {}),
    "reject_word": FaultKind(
        "Poison row", "Rows whose Last_Name contains word answer INVALID_DATA on field.",
        {"word": "Poison", "field": "Phone"},
    ),
    "under_approval": FaultKind(
        "Under approval", "Rows that would update a record answer NOT_APPROVED; new records are stored.",
        {},
    ),
    "in_blueprint": FaultKind(
        "In a blueprint", "Rows that would update field of a record answer RECORD_IN_BLUEPRINT.",
        {"field": "Lead_Status"},
    ),
    "mandatory_field": FaultKind(
        "Mandatory field", "New records without a value in field answer MANDATORY_NOT_FOUND.", {"field": "Company"},
    ),
    "read_only_field": FaultKind(
        "Read-only field", "Values of field are dropped without a word; the metadata says that it is read-only.",
        {"field": "UTM_Source"},
    ),
    "renamed_choice": FaultKind(
        "Renamed choice", "The picklist field has value no more, and a row with it answers INVALID_DATA.",
        {"field": "Lead_Source", "value": "Website"},
    ),
    "row_error": FaultKind("Odd row code", "The row answers this code.", {"code": "UNHEARD_OF"}),
    "token_refused": FaultKind(
        "Token refused", "The token endpoint answers 200 with error.", {"error": "invalid_code"}
    ),
    "token_throttled": FaultKind("Token throttled", "The token endpoint answers 400 Access Denied.", {}),
    "token_error": FaultKind("Token error", "The token endpoint answers status.", {"status": 500}),
}  # fmt: skip
