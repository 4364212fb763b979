"""Marshmallow fields for what browsers send: strict about what visitors enter, lenient about everything else.

No value of a tracking or consent field may ever cost an enquiry, so these fields have a `deserialize` of their own,
which cannot fail. `schemas.py` lists the fields of each payload.
"""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from marshmallow import fields, missing

from leads.tables import CAMPAIGN, FIRST_TOUCH_URLS, LONG_TRACKING_LENGTH, TRACKING_LENGTH
from leads.text import strip_control, truncate


def wire_name(column: str) -> str:
    """Return a column's name on the wire ("google_gclid" → "googleGclid")."""
    first, *rest = column.split("_")
    return first + "".join(word.capitalize() for word in rest)


def as_text(value: object) -> str | None:
    """Return a JSON value as text: strings as they are, numbers as written; None for everything else."""
    if isinstance(value, str):
        return value
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return str(value)
    return None


class VisitorText(fields.String):
    """Text that the visitor entered, made plain by `clean`, then checked by `read` (raises `ValidationError`).

    Absent, null and non-text values are read as empty text, so that each field has one message for "nothing
    usable". The idempotency digest covers this text. `described`: what the OpenAPI document says of it.
    """

    def __init__(
        self,
        read: Callable[[str], str | None],
        *,
        clean: Callable[[str], str] = strip_control,
        required: bool = True,
        **described: object,
    ) -> None:
        super().__init__(required=required, metadata={**({} if required else {"nullable": True}), **described})
        self._read = read
        self._clean = clean

    def deserialize(self, value: Any, *_context: Any, **_more: Any) -> Any:
        """Return the text as it is stored."""
        return self._read(self._clean(as_text(value) or ""))


class Tracking(fields.String):
    """A string that only serves marketing: truncated to `length`, converted from a number, dropped if unusable."""

    def __init__(self, length: int = TRACKING_LENGTH, *, data_key: str | None = None, **described: str) -> None:
        super().__init__(data_key=data_key, metadata={"maxLength": length, "nullable": True, **described})
        self._length = length

    def deserialize(self, value: Any, *_context: Any, **_more: Any) -> Any:
        """Return the text as it is stored; None if absent, so that all rows share one prepared statement."""
        return truncate(as_text(value), self._length)


# A column and its length by name on the wire; `timestamp` is used when `adsTimestamp` is empty.
_TOUCH = {
    **{wire_name(column): (column, TRACKING_LENGTH) for column in CAMPAIGN},
    **{wire_name(column): (column, LONG_TRACKING_LENGTH) for column in FIRST_TOUCH_URLS},
    "timestamp": ("ads_timestamp", TRACKING_LENGTH),
}


class FirstTouch(fields.Dict):
    """The visitor's first arrival, as a flat object: known names are kept and truncated, the rest is dropped."""

    def __init__(self) -> None:
        text = {name: {"type": "string", "nullable": True, "maxLength": most} for name, (_, most) in _TOUCH.items()}
        told = "Where the visitor came from the first time; the other fields describe the last time."
        super().__init__(metadata={"nullable": True, "properties": text, "description": told})

    def deserialize(self, value: Any, *_context: Any, **_more: Any) -> Any:
        """Return the values by column, without empty ones; None when none is left."""
        touch: dict[str, str] = {}
        for name, (column, length) in _TOUCH.items() if isinstance(value, dict) else ():
            if kept := truncate(as_text(value.get(name)), length):
                touch.setdefault(column, kept)
        return touch or None


class Honeypot(fields.String):
    """A field that people never see. It loads as True when it was filled, which suggests a bot."""

    def deserialize(self, value: Any, *_context: Any, **_more: Any) -> Any:
        """Return whether the field was filled."""
        if value is missing:
            return False
        return bool(value.strip()) if isinstance(value, str) else bool(value)


class Ready(fields.Nested):
    """A part of an answer that is sent as it is, and its schema describes: to dump it takes 5 % of an enquiry."""

    def serialize(self, attr: str, obj: Any, *_accessor: Any, **_more: Any) -> Any:
        """Return the part."""
        return obj[attr]


PURPOSES = ("analytics", "advertising")


class ConsentChoice(fields.Dict):
    """The answer to the consent banner: yes or no for each purpose. Only `true` means yes."""

    def __init__(self) -> None:
        properties = {purpose: {"type": "boolean"} for purpose in PURPOSES}
        told = "What the visitor chose on the banner; absent before a choice."
        super().__init__(metadata={"nullable": True, "properties": properties, "description": told})

    def deserialize(self, value: Any, *_context: Any, **_more: Any) -> Any:
        """Return both purposes as booleans; None when no choice was made."""
        if not isinstance(value, dict) or not any(isinstance(value.get(purpose), bool) for purpose in PURPOSES):
            return None
        return {purpose: value.get(purpose) is True for purpose in PURPOSES}


class Moment(fields.AwareDateTime):
    """A browser's time, in ISO 8601. Anything else is dropped."""

    def deserialize(self, value: Any, *_context: Any, **_more: Any) -> Any:
        """Return the time as an aware datetime in UTC, or None."""
        try:
            moment = datetime.fromisoformat(value)
            return moment.replace(tzinfo=moment.tzinfo or UTC).astimezone(UTC)
        except (TypeError, ValueError, OverflowError):
            return None


class OptIn(fields.Boolean):
    """A box that can be ticked. Only `true` means ticked."""

    def deserialize(self, value: Any, *_context: Any, **_more: Any) -> Any:
        """Return whether the box was ticked."""
        return value is True


def is_entered(field: fields.Field[Any]) -> bool:
    """Return whether the visitor enters the field's value: typed text and ticked boxes."""
    return isinstance(field, VisitorText | OptIn)
