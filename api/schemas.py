"""The payloads and receipts as marshmallow schemas: camelCase on the wire, column names inside."""

from collections.abc import Mapping
from typing import Any

from marshmallow import EXCLUDE, Schema, fields, post_load, validates_schema
from marshmallow.validate import ContainsOnly

from api import validators
from api.fields import (
    ConsentChoice,
    FirstTouch,
    Honeypot,
    Moment,
    OptIn,
    Ready,
    Tracking,
    VisitorText,
    as_text,
    wire_name,
)
from leads.phone import MAX_PHONE_LENGTH, MIN_PHONE_LENGTH
from leads.tables import (
    CONSENT_VERSION_LENGTH,
    LONG_TRACKING,
    LONG_TRACKING_LENGTH,
    TRACKING,
    TRACKING_LENGTH,
)
from leads.text import plain_address, plain_number, strip_control

ALIASES = {"timestamp": "ads_timestamp", "zc_gad": "google_gclid"}  # used when the column's own name is empty


def _name(label: str) -> VisitorText:
    least, most = validators.MIN_NAME_LENGTH, validators.MAX_NAME_LENGTH
    return VisitorText(validators.name_reader(label), minLength=least, maxLength=most)


def _country(told: str) -> VisitorText:
    return VisitorText(validators.read_country_iso, required=False, maxLength=2, description=f"ISO 3166-1{told}")


def _required(missing: str, length: int) -> VisitorText:
    reader = validators.required_text(missing, length)
    return VisitorText(reader, minLength=1, description=f"Truncated to {length:,} characters.")


class PayloadSchema(Schema):
    """What browsers send. Unknown fields are ignored."""

    class Meta:
        """Marshmallow's options."""

        unknown = EXCLUDE

    error_messages = {"type": "Send one JSON object."}  # noqa: RUF012 - marshmallow's own spelling


_DESCRIBED = {
    "ads_timestamp": "When the visitor arrived from the advertisement. `timestamp` is accepted as well.",
    "event_id": "The id under which the browser reported the same event.",
    "landing_url": "The page that the campaign led to; otherwise this visit's first page.",
}
_LENGTHS = {**dict.fromkeys(TRACKING, TRACKING_LENGTH), **dict.fromkeys(LONG_TRACKING, LONG_TRACKING_LENGTH)}


class TrackedSchema(PayloadSchema):
    """The fields that enquiries and clicks share. No tracking value is ever refused."""

    class Meta(PayloadSchema.Meta):
        """Marshmallow's options."""

        include = {  # noqa: RUF012 - marshmallow's own spelling
            name: Tracking(length, **({"description": _DESCRIBED[name]} if name in _DESCRIBED else {}))
            for name, length in _LENGTHS.items()
        }

    timestamp = Tracking(description="The browser's name for `adsTimestamp`.")
    first_touch = FirstTouch()

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        # Loading them in marshmallow's own way, which watches for errors that tracking cannot have, takes 5 % of an
        # enquiry. So these fields are declared and documented like all others, but loaded after the rest.
        tracking = {name: field for name, field in self.fields.items() if isinstance(field, Tracking)}
        self._tracking = [(name, str(field.data_key), field) for name, field in tracking.items()]
        self.load_fields = {name: field for name, field in self.fields.items() if name not in tracking}

    def on_bind_field(self, field_name: str, field_obj: fields.Field[Any]) -> None:
        """Give each field its name on the wire ("google_gclid" → "googleGclid")."""
        if field_obj.data_key is None:
            field_obj.data_key = wire_name(field_name)

    @post_load(pass_original=True)
    def _add_tracking(self, values: dict[str, Any], sent: Mapping[str, Any], **_context: Any) -> dict[str, Any]:
        for name, key, field in self._tracking:
            value = sent.get(key)
            values[name] = None if value is None else field.deserialize(value)
        for alias, column in ALIASES.items():
            if alias in values:
                fallback = values.pop(alias)
                values[column] = values[column] or fallback
        return values


class LeadSchema(TrackedSchema):
    """An enquiry as the form sends it; `website` loads as True when the hidden field was filled."""

    name = _name("Name")
    surname = _name("Surname")
    email = VisitorText(
        validators.read_email, clean=plain_address, format="email", maxLength=validators.MAX_EMAIL_LENGTH
    )
    website = Honeypot(metadata={"description": "Hidden from people. Leave it out or empty."})
    country_code = VisitorText(
        validators.read_country_code,
        pattern=validators.COUNTRY_CODE_PATTERN,
        description="The calling code, with its plus.",
    )
    country_iso = _country(": tells countries apart that share a calling code.")
    phone = VisitorText(
        validators.read_phone_text,
        clean=plain_number,
        minLength=MIN_PHONE_LENGTH,
        maxLength=MAX_PHONE_LENGTH,
        description="As typed. It must be a valid number whose calling code is `countryCode`.",
    )
    message = VisitorText(validators.read_message, required=False, maxLength=validators.MAX_MESSAGE_LENGTH)
    zc_gad = Tracking(data_key="zc_gad", description="The advertisement's click id, as the CRM's forms name it.")
    consent_version = Tracking(CONSENT_VERSION_LENGTH, description="The version of the banner's wording.")
    consent_choice = ConsentChoice()
    consent_at = Moment(allow_none=True, metadata={"description": "When the banner was answered."})
    marketing_opt_in = OptIn(metadata={"description": "Whether the box for marketing messages was ticked."})
    marketing_version = Tracking(CONSENT_VERSION_LENGTH, description="The version of the wording beside that box.")

    @validates_schema(skip_on_field_errors=False)
    def _check_number(self, values: dict[str, Any], **_context: Any) -> None:
        if "phone" in values and "country_code" in values:
            values["phone_e164"] = validators.read_number(values["phone"], values["country_code"])

    @post_load(pass_original=True)
    def _add_country(self, values: dict[str, Any], sent: Mapping[str, Any], **_context: Any) -> dict[str, Any]:
        option = strip_control(as_text(sent["countryCode"]) or "")
        return values | {"country_iso": values.get("country_iso") or validators.country_of(option)}


class ClickSchema(TrackedSchema):
    """A tap on a WhatsApp button."""

    unique_code = _required("Please send the code from the chat message", validators.MAX_CLICK_CODE_LENGTH)
    whatsapp_message = _required("Please send the text of the chat message", validators.MAX_MESSAGE_LENGTH)
    button_location = _required("Please send which button was tapped", TRACKING_LENGTH)
    country_iso = _country(", as the browser guesses it. A CDN in front of the site knows better.")
    analytics_click_id = Tracking(
        description="The analytics client id, or this tap's event id; only where statistics are allowed."
    )
    website = Honeypot(metadata={"description": "Unknown to the site's own pages. Leave it out or empty."})


class CallSchema(Schema):
    """When the clinic calls, in the words that every page, mail and record has."""

    text = fields.String(required=True, metadata={"description": "Whole sentences."})
    within_a_day = fields.Boolean(
        required=True,
        data_key="withinADay",
        metadata={"description": "False while the clinic is closed for longer than 24 hours."},
    )


# What the visitor has already: its name on the wire, and staff's words for it.
HAS = {"xray": "X-ray", "photos": "photos", "quote": "quote from elsewhere"}
UNKNOWN_INTEREST = "unknown"
NO_INTEREST = "does not know yet"  # as staff read it
NOT_OFFERED = "Please choose one of those that are offered"


class DetailsSchema(PayloadSchema):
    """What a visitor adds to an enquiry. Each field answers one question."""

    token = fields.String(required=True, metadata={"description": "From the enquiry's receipt."})
    interest = fields.String(
        allow_none=True,
        metadata={"description": "The id of a treatment or of a need, or unknown; null takes the answer back."},
    )
    call_until = fields.String(
        allow_none=True,
        data_key="callUntil",
        metadata={"description": "The end of one of the receipt's slots; null: as soon as you can."},
    )
    timezone = Tracking(description="The one that the enquiry had: the slots are those of its clock.")
    has = fields.List(
        fields.Raw(metadata={"type": "string", "enum": list(HAS)}),
        validate=ContainsOnly(list(HAS), error=NOT_OFFERED),
        error_messages={"invalid": NOT_OFFERED, "null": NOT_OFFERED},
        metadata={"description": "What there is already. It replaces the earlier answer."},
    )


class DetailsReceiptSchema(Schema):
    """The answer to stored details. `call`: when the clinic calls now; null when no time was chosen."""

    success = fields.Boolean(required=True, metadata={"enum": [True]})
    call = Ready(CallSchema, allow_none=True, required=True)


class SlotSchema(Schema):
    """A time in which the clinic can call."""

    until = fields.String(required=True, metadata={"description": "Its end, in UTC: it names the slot."})
    day = fields.String(required=True, metadata={"description": "Like today, on the visitor's clock."})
    time = fields.String(required=True, metadata={"description": "Like 14:00\N{EN DASH}16:00."})


class DetailsOfferSchema(Schema):
    """What can be added to the enquiry by POST /api/details."""

    token = fields.String(required=True)
    interest = fields.String(
        required=True,
        allow_none=True,
        metadata={"description": "What it is about, where the page it was sent from says so."},
    )
    slots = fields.List(fields.Nested(SlotSchema), required=True)
    zone = fields.String(required=True, metadata={"description": "Whose clock that is, in words."})


class LeadReceiptSchema(Schema):
    """The answer to a stored enquiry. A repeat of the same submission gets the same answer."""

    success = fields.Boolean(required=True, metadata={"enum": [True]})
    id = fields.UUID(required=True)
    reference = fields.String(required=True, metadata={"pattern": r"^\d{6}$", "example": "402117"})
    call = Ready(CallSchema, required=True)
    details = Ready(DetailsOfferSchema, required=True)


class ClickReceiptSchema(Schema):
    """The answer to a stored click."""

    success = fields.Boolean(required=True, metadata={"enum": [True]})
    id = fields.UUID(required=True)


class ErrorSchema(Schema):
    """Every answer that is not a success."""

    code = fields.Integer(required=True, metadata={"description": "The HTTP status code."})
    status = fields.String(required=True, metadata={"description": "The name of the status."})
    message = fields.String(required=True, metadata={"description": "What happened and what to do."})
    errors = fields.Dict(
        keys=fields.String(),
        values=fields.Dict(keys=fields.String(), values=fields.List(fields.String())),
        metadata={"description": "The messages to show, by place (`json`), then by field."},
    )


class PageFailureSchema(PayloadSchema):
    """What failed on a page. Unknown words are counted as "other"."""

    kind = Tracking(description="start, chunk, boundary, mismatch or error.")
    file = Tracking(description="The name of the script.")
