"""The complaint's payload and receipt as marshmallow schemas."""

from __future__ import annotations

from marshmallow import EXCLUDE, Schema, ValidationError, fields

from api import readers
from api.fields import Honeypot, Spoken

TEXT_MISSING = "Please tell us what happened"


def _read_text(text: str) -> str:
    """What happened. Too long is refused, not cut: these words are not ours to drop."""
    if not text:
        raise ValidationError(TEXT_MISSING)
    if len(text) > readers.LONGEST_MESSAGE:
        raise ValidationError(f"Please keep it to {readers.LONGEST_MESSAGE:,} characters")
    return text


class ComplaintSchema(Schema):
    """A complaint as the form sends it; `website` loads to whether the hidden field was filled."""

    class Meta:
        """Marshmallow's options."""

        unknown = EXCLUDE

    error_messages = {"type": "Send one JSON object."}  # noqa: RUF012 - marshmallow's own spelling

    name = Spoken(
        readers.name_reader("Name"),
        required=True,
        metadata={"minLength": readers.SHORTEST_NAME, "maxLength": readers.LONGEST_NAME},
    )
    email = Spoken(
        readers.read_email, required=True, metadata={"format": "email", "maxLength": readers.LONGEST_EMAIL}
    )
    text = Spoken(_read_text, required=True, metadata={"minLength": 1, "maxLength": readers.LONGEST_MESSAGE})
    website = Honeypot(metadata={"description": "Hidden from people. Leave it out or empty."})


class ComplaintReceiptSchema(Schema):
    """The answer to a stored complaint."""

    success = fields.Boolean(required=True, metadata={"enum": [True]})
    reference = fields.String(required=True, metadata={"pattern": r"^C-\d{7,}$", "example": "C-0402117"})
