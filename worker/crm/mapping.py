"""Mapping of rows to records of the CRM's Leads module. Pure: no value that the CRM refuses, and no input is lost.

A value that does not fit its field is moved to Description. Lead_Status and Owner belong to the sales staff and
are never sent. fields.py holds which column goes to which field.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from datetime import UTC, datetime
from functools import cache
from typing import Any, NamedTuple

import phonenumbers

from leads.country_names import country_name
from leads.outbox.rows import Claimed, Kind
from leads.phone import whatsapp_url
from leads.text import strip_control
from worker.crm.fields import (
    FIRST_TOUCH_PREFIX,
    FLAGS,
    IN_DESCRIPTION,
    MOMENTS,
    TEXT_LENGTH,
    URL_LENGTH,
    URLS,
    MappingConfig,
    label_of,
)

Row = Mapping[str, Any]
Record = dict[str, object]
Compute = Callable[[Row], str | bool]

# Lengths of the Leads module's standard fields in a sample organisation (Zoho CRM API v7: Fields Metadata).
LAST_NAME, FIRST_NAME, EMAIL, COUNTRY, SOURCE, DESCRIPTION = 80, 40, 100, 100, 120, 32_000
# Narrower than Zoho's published pattern: what passes here passes there (Zoho CRM API v7: Insert Records).
_EMAIL = re.compile(
    r"[\w+\-][\w!#$%&'*+\-/=?^`{|}~.]*@(?=.{4,256}\Z)(?:[^\W_]+(?:[\-_]+[^\W_]+)*\.)+[^\W\d_]{2,22}"
)
_E164 = re.compile(r"\+[1-9][0-9]{4,14}", re.ASCII)
# Calling codes without a main country, whose number ranges identify the country: North America; Russia and
# Kazakhstan.
_SHARED_CALLING_CODES = (1, 7)
# Zoho's Google Ads integration reads this key, and later tells Google which click became a customer.
ADVERTISERS_CLICK_ID = "$gclid"
# What spreadsheets take for the beginning of a formula, also in full width (OWASP: CSV Injection). Signs alone,
# such as dashes for a name, are none.
_SIGNS = frozenset("=+-@\uff1d\uff0b\uff0d\uff20")
_FORMULA = re.compile(rf"[{re.escape(''.join(_SIGNS))}][\s=+\-@]*[^\s=+\-@]")
_UNCLEAN = ("  ", "| ", " |", "|=", "|+", "|-", "|@")  # between bars
_MANDATORY = ("Last_Name", "Description")


def record_of(row: Claimed, config: MappingConfig) -> Record:
    """The CRM record of a claimed row."""
    return (lead_record if row.kind is Kind.LEAD else click_record)(row.values, config)


def lead_record(row: Row, config: MappingConfig) -> Record:
    """The record of a row of `leads`, without keys whose value would be empty."""
    notes: list[str] = []
    record: Record = {
        "Last_Name": "",
        **_names(row, config, notes),
        "Email": _email(row, notes),
        "Phone": _phone(row, notes),
        "Country": _fit(_country(row), COUNTRY),
        "Lead_Source": _fit(config.lead_source, SOURCE),
    }
    return _finish(record, row, config, _text(row, "message"), notes)


def click_record(row: Row, config: MappingConfig) -> Record:
    """The record of a row of `whatsapp_clicks`. The name is unknown, so Last_Name holds the code."""
    record: Record = {
        "Last_Name": _fit(f"WhatsApp [{_line(row, 'unique_code')}]", LAST_NAME),
        "Country": _fit(_country(row), COUNTRY),
        "Lead_Source": _fit(config.click_source, SOURCE),
    }
    return _finish(record, row, config, _text(row, "whatsapp_message"), [])


def note_of(row: Row, record: Record, config: MappingConfig) -> tuple[str, str]:
    """Title and text of the note that adds a repeat enquiry to the earlier record: the message, then every field.

    The title holds the event id, so that a note whose reply was lost can be found.
    """
    known = ("Description", config.event_id_field, config.fields["repeat_enquiry"])
    lines = [f"{name.replace('_', ' ')}: {value}" for name, value in record.items() if name not in known]
    title = f"Website enquiry {_line(row, 'reference')} ({row['id']})"
    return title, _describe(str(record.get("Description", "")), lines)


def move_to_description(record: Record, field: str, config: MappingConfig) -> Record | None:
    """The record without a field that the CRM refused; the value moves to Description.

    None when the field is not in the record, or is mandatory.
    """
    if field in (*_MANDATORY, config.event_id_field) or field not in record:
        return None
    rest = {key: value for key, value in record.items() if key != field}
    described = str(rest.pop("Description", ""))
    rest["Description"] = _describe(described, [f"{field}: {record[field]}"])
    return rest


def _finish(record: Record, row: Row, config: MappingConfig, message: str, notes: list[str]) -> Record:
    record = {name: value for name, value in record.items() if value}
    plan = _plan(config)
    # Most columns of most rows are empty, and nearly all values can be sent as they are.
    texts = {field: value for field, value in zip(plan.fields, map(row.get, plan.columns), strict=True) if value}
    if not _are_clean(texts.values()):
        texts = {field: line for field, value in texts.items() if (line := _fit_line(value, TEXT_LENGTH))}
    record |= texts
    for column, field, length, source, compute in plan.steps:
        raw = row.get(source)
        if not raw or not (value := compute(row) if compute else _fit_line(raw, length)):
            continue
        if field == IN_DESCRIPTION:
            notes.append(f"{label_of(column)}: {value}")
        elif field != ADVERTISERS_CLICK_ID or _allows_advertising(row):
            record[field] = value
    if described := _describe(message, notes):
        record["Description"] = described
    record[config.event_id_field] = str(row["id"])
    return record


class _Step(NamedTuple):
    """How a column is sent that is more than a text: what computes its value, and from which column."""

    column: str
    field: str
    length: int
    source: str
    compute: Compute | None


class _Plan(NamedTuple):
    """The columns that are sent as they are, the field of each, and the steps for all others."""

    columns: list[str]
    fields: list[str]
    steps: list[_Step]


@cache
def _plan(config: MappingConfig) -> _Plan:
    """What to do with each column; decided once, not for each row."""
    steps = [
        _Step(column, field, _length(column), _source(column), _computation(column))
        for column, field in config.fields.items()
        if field
    ]
    plain = [step for step in steps if _is_plain(step)]
    others = [step for step in steps if not _is_plain(step)]
    return _Plan([step.column for step in plain], [step.field for step in plain], others)


def _is_plain(step: _Step) -> bool:
    more = step.compute or step.field in (IN_DESCRIPTION, ADVERTISERS_CLICK_ID)
    return not more and step.length == TEXT_LENGTH


def _source(column: str) -> str:
    if column.startswith(FIRST_TOUCH_PREFIX):
        return "first_touch"
    return {"whatsapp_url": "phone_e164", "browser": "id"}.get(column, column)


def _are_clean(values: Collection[Any]) -> bool:
    """Whether each is a short clean line that no spreadsheet would run, as nearly all are. Asked of all at once."""
    try:
        text = "|" + "|".join(values) + "|"
    except TypeError:  # not a text
        return False
    if not (text.isascii() and text.isprintable()) or any(sign in text for sign in _UNCLEAN):
        return False
    return 2 * max(map(len, values), default=0) <= TEXT_LENGTH


def _length(column: str) -> int:
    return URL_LENGTH if column in URLS else TEXT_LENGTH


def _computation(column: str) -> Compute | None:
    """What makes the value of a row; None for a column that is sent as it is."""
    if column in _COMPUTED:
        return _COMPUTED[column]
    if column in MOMENTS:
        return lambda row: _moment(row.get(column))
    if column in FLAGS:
        return lambda row: row.get(column) is True or ""  # a flag that is not set is left out
    if not column.startswith(FIRST_TOUCH_PREFIX):
        return None
    part, length = column.removeprefix(FIRST_TOUCH_PREFIX), _length(column)

    def convert(row: Row) -> str:
        touch = row.get("first_touch")
        value = touch.get(part) if isinstance(touch, dict) else None
        return _fit_line(value, length) if value else ""

    return convert


def _allows_advertising(row: Row) -> bool:
    """Whether the visitor agreed in the consent banner. A tap on WhatsApp has no consent of its own: it did not."""
    choice = row.get("consent_choice")
    return isinstance(choice, dict) and choice.get("advertising") is True


def _browser(row: Row) -> str:
    return _fit(f"{_line(row, 'browser_name')} {_line(row, 'browser_version')}", TEXT_LENGTH)


def _whatsapp_url(row: Row) -> str:
    number = _line(row, "phone_e164")
    return whatsapp_url(number) if _E164.fullmatch(number) else ""


def _consent_text(row: Row) -> str:
    """The choice made in the consent banner, as text: "analytics yes, advertising no"."""
    choice = row.get("consent_choice")
    if not isinstance(choice, dict):
        return ""
    return _fit(
        ", ".join(f"{use} {'yes' if is_allowed else 'no'}" for use, is_allowed in sorted(choice.items())),
        TEXT_LENGTH,
    )


def _same_visit(row: Row) -> str:
    """What else came from the visit, as staff find it: the names of taps' records, the references of enquiries."""
    names = row.get("same_visit")
    if not isinstance(names, list):
        return ""
    shown = "Enquiry {}" if "unique_code" in row else "WhatsApp [{}]"
    line = strip_control(", ".join(shown.format(name) for name in names))
    return _fit(" ".join(line.split()), TEXT_LENGTH)


_COMPUTED: dict[str, Compute] = {
    "browser": _browser,
    "consent_choice": _consent_text,
    "same_visit": _same_visit,
    "whatsapp_url": _whatsapp_url,
}


def _names(row: Row, config: MappingConfig, notes: list[str]) -> Record:
    name, surname = _line(row, "name"), _line(row, "surname")
    first = _fit(_strip_non_bmp(name, config), FIRST_NAME)
    last = _fit(_strip_non_bmp(surname, config), LAST_NAME)
    if (first, last) != (name, surname):
        notes.append(f"Full name: {name} {surname}".rstrip())
    return {"First_Name": first, "Last_Name": last or _fit(f"Enquiry {_line(row, 'reference')}", LAST_NAME)}


def _strip_non_bmp(name: str, config: MappingConfig) -> str:
    return " ".join(re.sub("[\U00010000-\U0010ffff]", "", name).split()) if config.strip_non_bmp_names else name


def _email(row: Row, notes: list[str]) -> str:
    email = _line(row, "email")
    # An apostrophe would make another address of it.
    if _units(email) <= EMAIL and _EMAIL.fullmatch(email) and not _FORMULA.match(email):
        return email
    if email:
        notes.append(f"E-mail as typed: {email}")
    return ""


def _phone(row: Row, notes: list[str]) -> str:
    number = _line(row, "phone_e164")
    if _E164.fullmatch(number):
        return number
    typed = f"{_line(row, 'country_code')} {_line(row, 'phone')}".strip()
    if typed:
        notes.append(f"Phone as typed: {typed}")
    return ""


def _country(row: Row) -> str:
    iso = _line(row, "country_iso")
    number = _line(row, "phone_e164")
    if not iso and _E164.fullmatch(number):
        iso = _region(number)
    return country_name(iso) or ""


def _region(number: str) -> str:
    """The country of a number. For a shared calling code the main country: +44 is also the Channel Islands'."""
    try:
        parsed = phonenumbers.parse(number)
    except phonenumbers.NumberParseException:
        return ""
    if parsed.country_code in _SHARED_CALLING_CODES:
        return phonenumbers.region_code_for_number(parsed) or ""
    return phonenumbers.region_code_for_country_code(parsed.country_code or 0)


def _moment(value: object) -> str:
    """A time in Zoho's format: explicit offset, no fraction. PostgreSQL returns aware times."""
    if not isinstance(value, datetime):
        return ""
    aware = value if value.tzinfo is not None else value.replace(tzinfo=UTC)
    return aware.astimezone(UTC).isoformat(timespec="seconds")


def _describe(message: str, notes: list[str]) -> str:
    """The message, then the notes. Too long a message is truncated before the notes, which exist nowhere else."""
    below = _truncate("\n".join(notes), DESCRIPTION)
    if not below:
        return _truncate(_defuse(message), DESCRIPTION)
    above = _truncate(_defuse(message), max(0, DESCRIPTION - _units(below) - 2))
    return f"{above}\n\n{below}" if above else below


def _text(row: Row, column: str) -> str:
    value = row.get(column)
    return "" if value is None else strip_control(str(value))


def _line(row: Row, column: str) -> str:
    value = row.get(column)
    if value is None:
        return ""
    return _one_line(str(value))


def _one_line(text: str) -> str:
    if text.isascii() and text.isprintable() and "  " not in text:
        return text.strip()  # most have nothing to clean
    return " ".join(strip_control(text).split())


def _fit_line(value: object, length: int) -> str:
    return _fit(_one_line(str(value)), length)


def _fit(value: str, length: int) -> str:
    return _truncate(_defuse(value.strip()), length)


def _defuse(value: str) -> str:
    """The text with an apostrophe before what a spreadsheet would run: staff export leads."""
    return f"'{value}" if value[:1] in _SIGNS and _FORMULA.match(value) else value


def _truncate(value: str, length: int) -> str:
    """At most `length` UTF-16 units: Zoho does not say what it counts; units are never fewer than characters."""
    if 2 * len(value) <= length or _units(value) <= length:  # most values are too short to need counting
        return value
    return value.encode("utf-16-le")[: 2 * length].decode("utf-16-le", "ignore").rstrip()


def _units(value: str) -> int:
    return len(value.encode("utf-16-le")) // 2
