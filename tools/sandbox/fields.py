"""The fields of Leads: the preset ones, less those left out at start, and those created since; what fits each."""

import json
import re
from collections.abc import Callable, Collection
from datetime import datetime
from typing import Any, Final

from tools.sandbox.lead_fields import CUSTOM, STANDARD, SandboxField
from tools.sandbox.ledger import Ledger
from tools.sandbox.limits import Limits

FIRST_FIELD_ID: Final = 488_800_000_000_002_501


Check = Callable[[Any], dict[str, Any] | None]
"""Returns None if the value fits, else the `details` that say what was expected."""

# The pattern printed in Zoho's insert-records documentation.
PHONE: Final = re.compile(
    r"([\+]?)(?![\.-])(?>(?>[\.-]?[ ]?[\da-zA-Z]+)+|([ ]?\((?![\.-])(?>[ \.-]?[\da-zA-Z]+)+\)(?![\.])"
    r"([ -]?[\da-zA-Z]+)?)+)+(?>(?>([,]+)?[;]?[\da-zA-Z]+)+)?[#;]?"
)
# From the same page: first character, domain of 4 to 256 characters, top-level domain of 2 to 22 letters.
EMAIL: Final = re.compile(
    r"[\w+\-][\w!#$%&'*+\-/=?^`{|}~.]*@(?=.{4,256}$)(?:[^\W_](?:[\w\-]*[^\W_])?\.)+[^\W\d_]{2,22}"
)
DATETIME: Final = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d")


def _text(spec: SandboxField, pattern: re.Pattern[str] | None = None) -> Check:
    length, wrong, long = spec.length, {"expected_data_type": spec.data_type}, {"maximum_length": spec.length}

    def check(value: Any) -> dict[str, Any] | None:
        if type(value) is not str:
            return wrong
        if len(value) > length:
            return long
        if pattern is not None and value and not pattern.fullmatch(value):
            return wrong
        return None

    return check


def _moment(spec: SandboxField) -> Check:
    wrong = {"expected_data_type": spec.data_type}

    def check(value: Any) -> dict[str, Any] | None:
        if not isinstance(value, str) or not DATETIME.fullmatch(value):
            return wrong
        try:
            datetime.fromisoformat(value)
        except ValueError:
            return wrong
        return None

    return check


def _typed(kind: type, expected: str) -> Check:
    return lambda value: None if isinstance(value, kind) else {"expected_data_type": expected}


MAKERS: Final[dict[str, Callable[[SandboxField], Check]]] = {
    "phone": lambda spec: _text(spec, PHONE),
    "email": lambda spec: _text(spec, EMAIL),
    "datetime": _moment,
    "boolean": lambda _: _typed(bool, "boolean"),
    **dict.fromkeys(("ownerlookup", "layout"), lambda _: _typed(dict, "jsonobject")),
}


def check_for(spec: SandboxField) -> Check:
    """Return the check of one field; built once per field and used for every row."""
    return _typed(list, "jsonarray") if spec.api_name == "Tag" else MAKERS.get(spec.data_type, _text)(spec)


class Fields:
    """The fields by API name, with their checks prepared once."""

    def __init__(self, ledger: Ledger, limits: Limits, without: Collection[str] = ()) -> None:
        self._db, self._limits = ledger.db, limits
        self._without = frozenset(without)
        self.load()

    def load(self) -> None:
        """Load the created fields and prepare the checks."""
        stored = [row[0] for row in self._db.execute("SELECT spec FROM fields ORDER BY id")]
        preset = [spec for spec in (*STANDARD, *CUSTOM) if spec.api_name not in self._without]
        made = [SandboxField(**json.loads(spec)) for spec in stored]
        self.specs = {spec.api_name: spec for spec in (*preset, *made)}
        self.checks: dict[str, Check] = {
            name: check_for(spec) for name, spec in self.specs.items() if not spec.read_only
        }
        self.unique: tuple[str, ...] = tuple(n for n, spec in self.specs.items() if spec.unique)
        self.mandatory: tuple[str, ...] = tuple(n for n, spec in self.specs.items() if spec.mandatory)
        self.picklists: dict[str, set[str]] = {
            name: set(spec.choices) | self._added(name)
            for name, spec in self.specs.items()
            if spec.data_type == "picklist"
        }

    def _added(self, name: str) -> set[str]:
        return {row[0] for row in self._db.execute("SELECT value FROM choices WHERE field=?", (name,))}

    def checked(self) -> tuple[str, ...]:
        """Return the fields an upsert looks up by default: Email (the system's own), then every unique field."""
        return ("Email", *self.looked_up())

    def looked_up(self) -> tuple[str, ...]:
        """Return the unique fields an upsert always looks up."""
        return (*self.unique, "Phone") if self._limits.phone_unique else self.unique

    def marked_unique(self) -> tuple[str, ...]:
        """Return every field whose value only one lead may have."""
        marked = {"Email": self._limits.email_unique, "Phone": self._limits.phone_unique}
        return (*self.unique, *(name for name, is_unique in marked.items() if is_unique))

    def add_choice(self, name: str, value: str) -> None:
        """Add an unlisted picklist value, as Zoho's documentation says."""
        self.picklists[name].add(value)
        self._db.execute("INSERT OR IGNORE INTO choices VALUES (?,?)", (name, value))

    def create(self, spec: SandboxField) -> str:
        """Store a new custom field; returns its id."""
        cursor = self._db.execute(
            "INSERT INTO fields (api_name, spec) VALUES (?,?)", (spec.api_name, json.dumps(spec._asdict()))
        )
        self.load()
        return str(FIRST_FIELD_ID + 1_000 + int(cursor.lastrowid or 0))

    @staticmethod
    def api_name_for(label: str) -> str:
        """Return the API name that Zoho derives from a label: with underscores."""
        return re.sub(r"[\W_]+", "_", label, flags=re.ASCII).strip("_")


def label_of(spec: SandboxField) -> str:
    """Return the name that users see."""
    return spec.label or spec.api_name.replace("_", " ")


def described(spec: SandboxField, position: int, choices: Collection[str]) -> dict[str, Any]:
    """Return a field as `settings/fields` shows it."""
    writable = not spec.read_only
    kind = "boolean" if spec.data_type == "boolean" else "string"
    shown: dict[str, Any] = {
        "id": str(FIRST_FIELD_ID + position),
        "api_name": spec.api_name,
        "field_label": label_of(spec),
        "data_type": spec.data_type,
        "json_type": "jsonobject" if spec.data_type in ("ownerlookup", "layout") else kind,
        "length": spec.length,
        "system_mandatory": spec.mandatory,
        "custom_field": spec.custom,
        "field_read_only": spec.read_only,
        "visible": True,
        "unique": {"case_sensitive": False} if spec.unique else {},
        "operation_type": dict.fromkeys(("web_update", "api_create", "web_create", "api_update"), writable),
        "pick_list_values": [
            {"display_value": c, "actual_value": c, "reference_value": c, "sequence_number": n, "type": "used"}
            for n, c in enumerate(choices, 1)
        ],
    }
    if spec.data_type == "textarea":
        shown["textarea"] = {"type": "small" if spec.length <= 2_000 else "large"}
    return shown
