"""Marshmallow fields for what a visitor agreed to. An unreadable consent is none, and costs no enquiry."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from marshmallow import fields

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
