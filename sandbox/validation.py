"""Whether a value fits a field by Zoho's rules: type, length, pattern. `rows` words the refusal."""

import re
from collections.abc import Callable
from datetime import datetime
from typing import Any, Final

from sandbox.lead_fields import SandboxField

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
