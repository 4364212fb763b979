"""The switches that make the sandbox fail on purpose: every kind as data, then parsing, drawing, counting down.

Any fault also takes `probability` (0 to 1), `count` (only the next n times it strikes; null: until switched off),
`path` (only calls whose path contains it) and draws from a random generator of its own, which begins anew when the
fault is switched on. After a restart every fault is off.
"""

import random
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

COMMON: Final = ("probability", "count", "path")
SEED: Final = 1  # a run is repeatable


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


class BadFaults(ValueError):
    """The document has an unknown name or an invalid value; the message says which."""


@dataclass(slots=True)
class Switch:
    """One fault that is on. `count` None: until switched off."""

    probability: float
    count: int | None
    path: str | None
    params: dict[str, Any]
    dice: random.Random


class Faults:
    """The faults now on."""

    def __init__(self) -> None:
        self._on: dict[str, Switch] = {}
        self._jitter = random.Random(SEED)

    def jitter(self) -> float:
        """Return a number from 0 to 1, for the latency's jitter."""
        return self._jitter.random()

    def change(self, document: dict[str, Any], *, replace: bool) -> None:
        """Switch faults on (an object or true) and off (null or false), all or none. Raises BadFaults.

        `replace`: those that are not named go off.
        """
        changed = {} if replace else dict(self._on)
        for name, wanted in document.items():
            if name not in CATALOG:
                raise BadFaults(f"no fault is called {name}; there are: {', '.join(CATALOG)}")
            if wanted is None or wanted is False:
                changed.pop(name, None)
            else:
                changed[name] = _switch(name, {} if wanted is True else wanted)
        self._on = changed

    def shown(self) -> dict[str, Any]:
        """Return the document that would restore the present state."""
        return {
            name: {"probability": s.probability, "count": s.count, "path": s.path, **s.params}
            for name, s in self._on.items()
        }

    def fires(self, name: str, path: str = "", *, only_named: bool = False) -> dict[str, Any] | None:
        """Draw once: the fault's parameters if it strikes now, else None. A fault with no strikes left goes off.

        `only_named`: strike only if the fault has a `path` and it matches.
        """
        switch = self._on.get(name)
        if switch is None or (switch.path and switch.path not in path) or (only_named and not switch.path):
            return None
        if switch.probability < 1 and switch.dice.random() >= switch.probability:
            return None
        if switch.count is not None:
            switch.count -= 1
            if switch.count <= 0:
                del self._on[name]
        return switch.params

    def params(self, name: str) -> dict[str, Any]:
        """Return the parameters of a fault that is on, without drawing; empty when it is off."""
        return self._on[name].params if name in self._on else {}

    def any_on(self, *names: str) -> bool:
        """Return whether any of these is on, without drawing."""
        return any(name in self._on for name in names)


def _switch(name: str, wanted: Any) -> Switch:
    kind = CATALOG[name]
    known = (*COMMON, *kind.defaults)
    if not isinstance(wanted, dict) or not wanted.keys() <= set(known):
        raise BadFaults(f"{name} is true, false, null or an object of {', '.join(known)}")
    probability, count = wanted.get("probability", 1), wanted.get("count", kind.strikes)
    if type(probability) not in (int, float) or not 0 <= probability <= 1:
        raise BadFaults(f"{name}.probability is a number from 0 to 1")
    if count is not None and (type(count) is not int or count < 1):
        raise BadFaults(f"{name}.count is a whole number from 1, or null")
    params = {key: wanted.get(key, default) for key, default in kind.defaults.items()}
    return Switch(probability, count, wanted.get("path"), params, random.Random(f"{SEED}:{name}"))
