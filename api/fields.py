"""Marshmallow fields for what browsers send: strict about the visitor's own words, lenient about everything else.

Nothing in a tracking or consent field may ever cost an enquiry. Which fields a payload has is in `schemas.py`.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from marshmallow import fields, missing

from leads.tables.columns import CAMPAIGN, FIRST_TOUCH_URLS, LONG_TRACKING_LENGTH, TRACKING_LENGTH
from leads.text import strip_control, truncate

if TYPE_CHECKING:
    from collections.abc import Callable


def wire_name(column: str) -> str:
    """A column's name on the wire ("google_gclid" → "googleGclid")."""
    first, *rest = column.split("_")
    return first + "".join(word.capitalize() for word in rest)


def as_text(value: object) -> str | None:
    """A JSON value as text: strings as they are, numbers as written; None for everything else."""
    if isinstance(value, str):
        return value
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return str(value)
    return None


class VisitorText(fields.String):
    """The visitor's own words, cleaned and trimmed, then judged by `read` (`ValidationError` in the form's words).

    Absent, null and anything that is no text is read as empty text, so that "nothing usable here" has one
    message for each field. The visitor's words are what the idempotency digest covers.
    """

    def __init__(self, read: Callable[[str], str | None], **options: Any) -> None:
        super().__init__(**options)
        self._read = read

    def deserialize(self, value: Any, *_context: Any, **_more: Any) -> Any:
        """The text as it is stored."""
        return self._read(strip_control(as_text(value) or ""))


class Tracking(fields.String):
    """A string that only helps marketing: cut at `length`, converted if it is a number, dropped if it is junk."""

    def __init__(self, length: int = TRACKING_LENGTH, *, description: str = "", **options: Any) -> None:
        metadata: dict[str, Any] = {"maxLength": length, "nullable": True}
        if description:
            metadata["description"] = description
        super().__init__(metadata=metadata, **options)
        self._length = length

    def deserialize(self, value: Any, *_context: Any, **_more: Any) -> Any:
        """The text as it is stored. Absent gives None too: rows of one shape share one prepared statement."""
        return truncate(as_text(value), self._length)


_TOUCH_LENGTHS = {
    **dict.fromkeys(CAMPAIGN, TRACKING_LENGTH),
    **dict.fromkeys(FIRST_TOUCH_URLS, LONG_TRACKING_LENGTH),
}
_TOUCH_NAMES = {
    **{wire_name(column): column for column in _TOUCH_LENGTHS},
    "timestamp": "ads_timestamp",  # where adsTimestamp is empty
}


class FirstTouch(fields.Dict):
    """The visitor's first arrival, as a flat object: known names are kept and cut, the rest is dropped."""

    def __init__(self, **options: Any) -> None:
        known = {
            name: {"type": "string", "nullable": True, "maxLength": _TOUCH_LENGTHS[column]}
            for name, column in _TOUCH_NAMES.items()
        }
        text = "Where the visitor came from the first time; the fields beside it tell of the last time."
        super().__init__(metadata={"nullable": True, "properties": known, "description": text}, **options)

    def deserialize(self, value: Any, *_context: Any, **_more: Any) -> Any:
        """By column, only what is not empty; None when nothing is left."""
        sent = value if isinstance(value, dict) else {}
        touch: dict[str, str] = {}
        for name, column in _TOUCH_NAMES.items():
            kept = truncate(as_text(sent.get(name)), _TOUCH_LENGTHS[column])
            if kept:
                touch.setdefault(column, kept)
        return touch or None


class Honeypot(fields.String):
    """A field that people never see. Loads to whether anything was put into it."""

    def deserialize(self, value: Any, *_context: Any, **_more: Any) -> Any:
        """Whether the field was filled."""
        if value is missing:
            return False
        return bool(value.strip()) if isinstance(value, str) else bool(value)


PURPOSES = ("analytics", "advertising")
_EARLIEST, _LATEST = datetime(2000, 1, 1, tzinfo=UTC), datetime(2100, 1, 1, tzinfo=UTC)
_MILLISECONDS = 1000


class ConsentChoice(fields.Dict):
    """The banner's answer: for each purpose, yes or no. Only `true` is a yes."""

    def __init__(self, **options: Any) -> None:
        known = {purpose: {"type": "boolean"} for purpose in PURPOSES}
        text = "What the visitor chose on the banner; absent before a choice."
        super().__init__(metadata={"nullable": True, "properties": known, "description": text}, **options)

    def deserialize(self, value: Any, *_context: Any, **_more: Any) -> Any:
        """Both purposes as booleans; None where no choice was made."""
        if not isinstance(value, dict) or not any(isinstance(value.get(purpose), bool) for purpose in PURPOSES):
            return None
        return {purpose: value.get(purpose) is True for purpose in PURPOSES}


class Moment(fields.String):
    """A browser's clock: ISO 8601 with an offset, or milliseconds since 1970. Anything else is dropped."""

    def deserialize(self, value: Any, *_context: Any, **_more: Any) -> Any:
        """The aware moment in UTC, or None."""
        try:
            moment = _read(value)
        except (ValueError, OverflowError, OSError):
            return None
        return moment.astimezone(UTC) if moment is not None and _EARLIEST <= moment < _LATEST else None


class OptIn(fields.Boolean):
    """A box that was ticked. Nothing but `true` says so."""

    def deserialize(self, value: Any, *_context: Any, **_more: Any) -> Any:
        """Whether it was."""
        return value is True


def _read(value: object) -> datetime | None:
    if isinstance(value, str):
        moment = datetime.fromisoformat(value.strip())
        return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return datetime.fromtimestamp(value / _MILLISECONDS, UTC)
    return None


def is_entered(field: fields.Field[Any]) -> bool:
    """Whether the visitor entered the field's value themselves: typed words and ticked boxes."""
    return isinstance(field, VisitorText | OptIn)
