"""The validation rules of a phone number, with the form's own messages. Pure.

These are the server's only copy; the browser applies the same rules in the same order.
"""

import re

import phonenumbers

PHONE_EMPTY = "Please enter your phone number"
PHONE_INVALID = "Please enter a valid phone number"
PHONE_TOO_SHORT = "Phone number too short"
PHONE_WRONG_COUNTRY = "Please enter a valid phone number for the selected country"
MIN_PHONE_LENGTH = 5  # characters as typed, and digits without the calling code
MAX_PHONE_LENGTH = 250  # what the parser accepts as input

_CALLING_CODE = re.compile(r"^\+(\d{1,3})(?:-[a-z]{2})?$")


class PhoneError(ValueError):
    """The number cannot be used; the message is meant for the visitor."""


def calling_code(country_code: str) -> str | None:
    """Return the digits of a country option ("+44", "UK +44", "+1-ca" → 44, 44, 1); None for anything else."""
    match = _CALLING_CODE.match(country_code.strip().lower().rpartition(" ")[2])
    return match.group(1) if match else None


def read_phone(typed: str, code: str) -> str:
    """Return the number in E.164 for the calling code `code` (digits only), or raise `PhoneError`.

    A number is accepted when it is valid and has the selected calling code; the region may differ, because
    territories share codes (mobile numbers of Guernsey are dialled as British ones).
    """
    text = typed.strip()
    if not text:
        raise PhoneError(PHONE_EMPTY)
    if len(text) < MIN_PHONE_LENGTH:
        raise PhoneError(PHONE_INVALID)
    candidates = _candidates(text, code)
    if all(len(re.sub(r"\D", "", candidate)) < MIN_PHONE_LENGTH for candidate in candidates):
        raise PhoneError(PHONE_TOO_SHORT)
    for candidate in candidates:
        number = _parse(candidate, code)
        if number is not None:
            return phonenumbers.format_number(number, phonenumbers.PhoneNumberFormat.E164)
    raise PhoneError(PHONE_WRONG_COUNTRY)


def whatsapp_url(e164: str) -> str:
    """Return the link that opens a WhatsApp chat with this number."""
    return f"https://wa.me/{e164.removeprefix('+')}"


def _candidates(text: str, code: str) -> list[str]:
    """Return the national digits to try, best first. After + or 00 a calling code is certain to have been typed."""
    digits = re.sub(r"\D", "", text)
    if text.lstrip(" (").startswith("+"):
        return [digits.removeprefix(code)] if digits.startswith(code) else [f"+{digits}"]
    if digits.startswith("00"):
        return [digits[2:].removeprefix(code)] if digits[2:].startswith(code) else [f"+{digits[2:]}"]
    # Without a plus, try the digits as typed, then stripped (always stripping a 7 breaks Kazakh mobile numbers).
    return [digits, digits.removeprefix(code)] if digits.startswith(code) else [digits]


def _parse(candidate: str, code: str) -> phonenumbers.PhoneNumber | None:
    region = phonenumbers.region_code_for_country_code(int(code))
    try:
        number = phonenumbers.parse(candidate, region)
    except phonenumbers.NumberParseException:
        return None
    if number.country_code != int(code):
        return None
    # Nearly all are numbers of the code's main region, and for these the whole check would do the same twice.
    is_valid = phonenumbers.is_valid_number_for_region(number, region) or phonenumbers.is_valid_number(number)
    return number if is_valid else None
