"""Mapping of rows to records of the CRM's Leads module. Pure: no value that the CRM refuses, and no input is lost.

A value that does not fit its field is moved to Description. Lead_Status and Owner belong to the sales staff and
are never sent. fields.py holds which column goes to which field.
"""

import re
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlsplit

import phonenumbers

from leads.call_times import call_of, for_staff
from leads.locale_names import country_name, language_name
from leads.outbox.claim import Claimed
from leads.phone import whatsapp_url
from leads.tables import Kind
from leads.text import strip_control
from worker.crm.fields import (
    ADDED,
    CLICK_SOURCE,
    FIRST_TOUCH_PREFIX,
    FLAGS,
    IN_DESCRIPTION,
    LEAD_SOURCE,
    MOMENTS,
    TEXT_LENGTH,
    URL_LENGTH,
    URLS,
    Fields,
    label_of,
)
from worker.crm.port import EVENT_ID_FIELD

Row = Mapping[str, Any]
Record = dict[str, object]

# Lengths of the Leads module's standard fields in a sample organisation (Zoho CRM API v7: Fields Metadata).
LAST_NAME, FIRST_NAME, EMAIL, COUNTRY, DESCRIPTION = 80, 40, 100, 100, 32_000
# What spreadsheets take for the beginning of a formula, also in full width (OWASP: CSV Injection). Signs alone,
# such as dashes for a name, are none.
_FORMULA = re.compile(r"[=+\-@\uff1d\uff0b\uff0d\uff20][\s=+\-@]*[^\s=+\-@]")
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
_MANDATORY = ("Last_Name", "Description")


def record_of(row: Claimed, fields: Fields, url_of: Callable[[str | None], str | None]) -> Record:
    """The CRM record of a claimed row; `url_of` gives a record's address."""
    values = {**row.values, "earlier_url": url_of(row.values.get("earlier_record_id"))}
    return (lead_record if row.kind is Kind.LEAD else click_record)(values, fields)


def lead_record(row: Row, fields: Fields) -> Record:
    """The record of a row of `leads`, without keys whose value would be empty."""
    notes: list[str] = []
    record: Record = {
        **_names(row, notes),
        "Email": _email(row, notes),
        "Phone": _phone(row, notes),
        "Country": fit(_country(row), COUNTRY),
        "Lead_Source": LEAD_SOURCE,
    }
    return _finish(record, row, fields, text_of(row, "message"), notes)


def details_record(row: Row, fields: Fields) -> Record:
    """What the visitor added, as the fields of the record to update; None empties one."""
    record, named = lead_record(row, fields), (fields[column] for column in ADDED)
    return {field: record.get(field) for field in named if field not in ("", IN_DESCRIPTION)}


def click_record(row: Row, fields: Fields) -> Record:
    """The record of a row of `whatsapp_clicks`. The name is unknown, so Last_Name holds the code."""
    record: Record = {
        "Last_Name": fit(f"WhatsApp [{line_of(row, 'unique_code')}]", LAST_NAME),
        "Country": fit(_country(row), COUNTRY),
        "Lead_Source": CLICK_SOURCE,
    }
    return _finish(record, row, fields, text_of(row, "whatsapp_message"), [])


def move_to_description(record: Record, field: str) -> Record | None:
    """The record without a field that the CRM refused; the value moves to Description.

    None when the field is not in the record, or is mandatory.
    """
    if field in (*_MANDATORY, EVENT_ID_FIELD) or field not in record:
        return None
    rest = {key: value for key, value in record.items() if key != field}
    described = str(rest.pop("Description", ""))
    rest["Description"] = describe(described, [f"{field}: {record[field]}"])
    return rest


def _finish(record: Record, row: Row, fields: Fields, message: str, notes: list[str]) -> Record:
    """The record with its custom fields, which come after the question: the person is read first."""
    custom: Record = {}
    for column, field in fields.items():
        if not field or not (value := _value(column, row)):
            continue
        if field == IN_DESCRIPTION:
            notes.append(f"{label_of(column)}: {value}")
        elif field != ADVERTISERS_CLICK_ID or _allows_advertising(row):
            custom[field] = value
    record["Description"] = describe(message, notes)
    filled = {name: value for name, value in record.items() if value}
    return {**filled, **custom, EVENT_ID_FIELD: str(row["id"])}


def _value(column: str, row: Row) -> str | bool:
    if column in _COMPUTED:
        return _COMPUTED[column](row)
    if column in MOMENTS:
        return _moment(row.get(column))
    if column in FLAGS:
        return row.get(column) is True or ""  # a flag that is not set is left out
    value = row.get(column)
    if column.startswith(FIRST_TOUCH_PREFIX):
        touch = row.get("first_touch")
        value = touch.get(column.removeprefix(FIRST_TOUCH_PREFIX)) if isinstance(touch, dict) else None
    return fit_line(value, URL_LENGTH if column in URLS else TEXT_LENGTH) if value else ""


def _allows_advertising(row: Row) -> bool:
    """Whether the visitor agreed in the consent banner. A tap on WhatsApp has no consent of its own: it did not."""
    choice = row.get("consent_choice")
    return isinstance(choice, dict) and choice.get("advertising") is True


def _consent_text(row: Row) -> str:
    """The choice made in the consent banner, as text: "analytics yes, advertising no"."""
    choice = row.get("consent_choice")
    given = sorted(choice.items()) if isinstance(choice, dict) else ()
    return fit(", ".join(f"{use} {'yes' if is_allowed else 'no'}" for use, is_allowed in given), TEXT_LENGTH)


def _same_visit(row: Row) -> str:
    """What else came from the visit, as staff find it: the names of taps' records, the references of enquiries."""
    names = row.get("same_visit")
    if not isinstance(names, list):
        return ""
    shown = "Enquiry {}" if "unique_code" in row else "WhatsApp [{}]"
    return fit_line(", ".join(shown.format(name) for name in names), TEXT_LENGTH)


def _call_time(row: Row) -> str:
    call = call_of(row)
    words = for_staff(call, row.get("timezone")) if call else ""
    return f"{words}, chosen by the visitor" if row.get("call_chosen") is True else words


def _visitor_said(row: Row) -> str:
    """What was added after sending, in one line, for editions with few fields."""
    has, call = line_of(row, "already_has"), _call_time(row) if row.get("call_chosen") is True else ""
    said = (line_of(row, "interest"), has and f"has {has}", call and f"call {call}")
    return fit("; ".join(part for part in said if part), TEXT_LENGTH)


def _page(row: Row) -> str:
    """The address of the page in words: "Dental implants, prices" for /dental-implants/prices."""
    try:
        path = urlsplit(line_of(row, "current_url")).path
    except ValueError:
        return ""
    parts = [part.replace("-", " ") for part in path.split("/") if part]
    return fit(", ".join(parts).capitalize() or "Home page", TEXT_LENGTH) if row.get("current_url") else ""


_COMPUTED: dict[str, Callable[[Row], str]] = {
    "browser": lambda row: fit(f"{line_of(row, 'browser_name')} {line_of(row, 'browser_version')}", TEXT_LENGTH),
    "call_time": _call_time,
    "visitor_said": _visitor_said,
    "consent_choice": _consent_text,
    "earlier_enquiry": lambda row: fit_line(
        f"{row.get('earlier_reference') or ''} {row.get('earlier_url') or ''}", TEXT_LENGTH
    ),
    "language": lambda row: fit(language_name(line_of(row, "language")), TEXT_LENGTH),
    "page": _page,
    "same_visit": _same_visit,
    "whatsapp_url": lambda row: whatsapp_url(number) if (number := _number(row)) else "",
}


def _names(row: Row, notes: list[str]) -> Record:
    name, surname = line_of(row, "name"), line_of(row, "surname")
    first = fit(name, FIRST_NAME)
    last = fit(surname, LAST_NAME)
    if (first, last) != (name, surname):
        notes.append(f"Full name: {name} {surname}".rstrip())
    return {"First_Name": first, "Last_Name": last or fit(f"Enquiry {line_of(row, 'reference')}", LAST_NAME)}


def _email(row: Row, notes: list[str]) -> str:
    email = line_of(row, "email")
    # The apostrophe that defuses a formula would make it another address.
    if units(email) <= EMAIL and _EMAIL.fullmatch(email) and not is_formula(email):
        return email
    if email:
        notes.append(f"E-mail as typed: {email}")
    return ""


def _phone(row: Row, notes: list[str]) -> str:
    if number := _number(row):
        return number
    typed = f"{line_of(row, 'country_code')} {line_of(row, 'phone')}".strip()
    if typed:
        notes.append(f"Phone as typed: {typed}")
    return ""


def _number(row: Row) -> str:
    number = line_of(row, "phone_e164")
    return number if _E164.fullmatch(number) else ""


def _country(row: Row) -> str:
    return country_name(line_of(row, "country_iso") or _region(_number(row))) or ""


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
    return value.astimezone(UTC).isoformat(timespec="seconds") if isinstance(value, datetime) else ""


def is_formula(value: str) -> bool:
    """Whether a spreadsheet would run the text."""
    return _FORMULA.match(value) is not None


def describe(message: str, notes: list[str]) -> str:
    """The message, then the notes. Too long a message is truncated before the notes, which exist nowhere else."""
    below = truncate("\n".join(notes), DESCRIPTION)
    if not below:
        return truncate(defuse(message), DESCRIPTION)
    above = truncate(defuse(message), max(0, DESCRIPTION - units(below) - 2))
    return f"{above}\n\n{below}" if above else below


def text_of(row: Mapping[str, Any], column: str) -> str:
    """The column's text with its line breaks."""
    value = row.get(column)
    return "" if value is None else strip_control(str(value))


def line_of(row: Mapping[str, Any], column: str) -> str:
    """The column's text as one line."""
    return " ".join(text_of(row, column).split())


def fit_line(value: object, length: int) -> str:
    """Any value as one line that fits."""
    return fit(" ".join(strip_control(str(value)).split()), length)


def fit(value: str, length: int) -> str:
    """A clean line that fits."""
    return truncate(defuse(value.strip()), length)


def defuse(value: str) -> str:
    """The text with an apostrophe before what a spreadsheet would run: staff export leads."""
    return f"'{value}" if is_formula(value) else value


def truncate(value: str, length: int) -> str:
    """At most `length` UTF-16 units: Zoho does not say what it counts; units are never fewer than characters."""
    if units(value) <= length:
        return value
    return value.encode("utf-16-le")[: 2 * length].decode("utf-16-le", "ignore").rstrip()


def units(value: str) -> int:
    """How many UTF-16 units the text has."""
    return len(value.encode("utf-16-le")) // 2
