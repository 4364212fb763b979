"""Marshmallow fields for what browsers send: strict about what visitors enter, lenient about everything else.

No value of a tracking or consent field may ever cost an enquiry. `schemas.py` lists the fields of each payload.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from datetime import UTC, datetime
from typing import Any

from marshmallow import ValidationError, fields, missing
from marshmallow.validate import OneOf

from leads.tables.columns import CAMPAIGN, FIRST_TOUCH_URLS, LONG_TRACKING_LENGTH, TRACKING_LENGTH
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
    usable". The idempotency digest covers this text.
    """

    def __init__(
        self, read: Callable[[str], str | None], *, clean: Callable[[str], str] = strip_control, **options: Any
    ) -> None:
        super().__init__(**options)
        self._read = read
        self._clean = clean

    def deserialize(self, value: Any, *_context: Any, **_more: Any) -> Any:
        """Return the text as it is stored."""
        return self._read(self._clean(as_text(value) or ""))


class Tracking(fields.String):
    """A string that only serves marketing: truncated to `length`, converted from a number, dropped if unusable."""

    def __init__(self, length: int = TRACKING_LENGTH, *, description: str = "", **options: Any) -> None:
        metadata: dict[str, Any] = {"maxLength": length, "nullable": True}
        if description:
            metadata["description"] = description
        super().__init__(metadata=metadata, **options)
        self._length = length

    def deserialize(self, value: Any, *_context: Any, **_more: Any) -> Any:
        """Return the text as it is stored; None if absent, so that all rows share one prepared statement."""
        return truncate(as_text(value), self._length)


_TOUCH_LENGTHS = {
    **dict.fromkeys(CAMPAIGN, TRACKING_LENGTH),
    **dict.fromkeys(FIRST_TOUCH_URLS, LONG_TRACKING_LENGTH),
}
_TOUCH_NAMES = {
    **{wire_name(column): column for column in _TOUCH_LENGTHS},
    "timestamp": "ads_timestamp",  # used when adsTimestamp is empty
}


class FirstTouch(fields.Dict):
    """The visitor's first arrival, as a flat object: known names are kept and truncated, the rest is dropped."""

    def __init__(self, **options: Any) -> None:
        properties = {
            name: {"type": "string", "nullable": True, "maxLength": _TOUCH_LENGTHS[column]}
            for name, column in _TOUCH_NAMES.items()
        }
        text = "Where the visitor came from the first time; the other fields describe the last time."
        super().__init__(metadata={"nullable": True, "properties": properties, "description": text}, **options)

    def deserialize(self, value: Any, *_context: Any, **_more: Any) -> Any:
        """Return the values by column, without empty ones; None when none is left."""
        if not isinstance(value, dict):
            return None
        touch: dict[str, str] = {}
        for name, column in _TOUCH_NAMES.items():
            kept = truncate(as_text(value.get(name)), _TOUCH_LENGTHS[column])
            if kept:
                touch.setdefault(column, kept)
        return touch or None


class Honeypot(fields.String):
    """A field that people never see. It loads as True when it was filled, which suggests a bot."""

    def deserialize(self, value: Any, *_context: Any, **_more: Any) -> Any:
        """Return whether the field was filled."""
        if value is missing:
            return False
        return bool(value.strip()) if isinstance(value, str) else bool(value)


class Choices(fields.List[Any]):
    """Some of several words, in any order."""

    def __init__(self, words: Collection[str], message: str, **options: Any) -> None:
        super().__init__(fields.String(validate=OneOf(list(words))), **options)
        self._words = words
        self._message = message

    def deserialize(self, value: Any, *_context: Any, **_more: Any) -> Any:
        """Return the words; one message for all that is wrong."""
        if value is missing:
            return missing
        if isinstance(value, list) and all(isinstance(word, str) and word in self._words for word in value):
            return value
        raise ValidationError(self._message)


class Ready(fields.Nested):
    """A part of an answer that is sent as it is, and its schema describes: to dump it takes 5 % of an enquiry."""

    def serialize(self, attr: str, obj: Any, *_accessor: Any, **_more: Any) -> Any:
        """Return the part."""
        return obj[attr]


PURPOSES = ("analytics", "advertising")
_EARLIEST, _LATEST = datetime(2000, 1, 1, tzinfo=UTC), datetime(2100, 1, 1, tzinfo=UTC)
_MILLISECONDS = 1000


class ConsentChoice(fields.Dict):
    """The answer to the consent banner: yes or no for each purpose. Only `true` means yes."""

    def __init__(self, **options: Any) -> None:
        properties = {purpose: {"type": "boolean"} for purpose in PURPOSES}
        text = "What the visitor chose on the banner; absent before a choice."
        super().__init__(metadata={"nullable": True, "properties": properties, "description": text}, **options)

    def deserialize(self, value: Any, *_context: Any, **_more: Any) -> Any:
        """Return both purposes as booleans; None when no choice was made."""
        if not isinstance(value, dict) or not any(isinstance(value.get(purpose), bool) for purpose in PURPOSES):
            return None
        return {purpose: value.get(purpose) is True for purpose in PURPOSES}


class Moment(fields.String):
    """A browser's time: ISO 8601 with an offset, or milliseconds since 1970. Anything else is dropped."""

    def deserialize(self, value: Any, *_context: Any, **_more: Any) -> Any:
        """Return the time as an aware datetime in UTC, or None."""
        try:
            moment = _parse_moment(value)
        except (ValueError, OverflowError, OSError):
            return None
        return moment.astimezone(UTC) if moment is not None and _EARLIEST <= moment < _LATEST else None


class OptIn(fields.Boolean):
    """A box that can be ticked. Only `true` means ticked."""

    def deserialize(self, value: Any, *_context: Any, **_more: Any) -> Any:
        """Return whether the box was ticked."""
        return value is True


def _parse_moment(value: object) -> datetime | None:
    if isinstance(value, str):
        moment = datetime.fromisoformat(value.strip())
        return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return datetime.fromtimestamp(value / _MILLISECONDS, UTC)
    return None


def is_entered(field: fields.Field[Any]) -> bool:
    """Return whether the visitor enters the field's value: typed text and ticked boxes."""
    return isinstance(field, VisitorText | OptIn)
