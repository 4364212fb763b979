"""The validation rules of the form's fields. Each reader takes cleaned text and returns what is stored.

The browser has the same rules and messages (frontend/content/validation.yaml). The phone number's own rules are in
`leads.phone`.
"""

import re
import unicodedata
from collections.abc import Callable

import idna
from marshmallow import ValidationError
from marshmallow.validate import Email
from phonenumbers import COUNTRY_CODE_TO_REGION_CODE, region_code_for_country_code

from leads import phone
from leads.addresses import ascii_domain

MIN_NAME_LENGTH = 2
MAX_NAME_LENGTH = 80
MAX_EMAIL_LENGTH = 100
MAX_MESSAGE_LENGTH = 5000
MAX_CLICK_CODE_LENGTH = 32
_OPTION = re.compile(r"\+\d{1,3}-([a-z]{2})", re.ASCII)
COUNTRY_CODE_PATTERN = r"^\+[1-9]\d{0,2}(-[a-z]{2})?$"
EMAIL_INVALID = "Please enter a valid email address"
EMAIL_QUOTED = "Please enter your email address without quotation marks"
EMAIL_LITERAL = "Please enter an email address with a domain name, such as name@example.com"
COUNTRY_MISSING = "Please select a country code"


def too_long(limit: int) -> str:
    """Return what is said of text above a limit, in the form's words (`tooLong`)."""
    return f"Please use at most {limit:,} characters"


_check_email = Email(error=EMAIL_INVALID)


def _is_visible(text: str) -> bool:
    """Whether the text has a letter, digit, sign or symbol: accents and joiners alone make no name."""
    return any(unicodedata.category(character)[0] in "LNPS" for character in text)


def _without_signs(text: str) -> str:
    return "".join(character for character in text if unicodedata.category(character)[0] != "M")


def name_reader(label: str) -> Callable[[str], str]:
    """Return a reader for a name; `label` starts its messages ("Name", "Surname")."""

    def read(text: str) -> str:
        if len(text) < MIN_NAME_LENGTH or not _is_visible(text):
            raise ValidationError(f"{label} must be at least {MIN_NAME_LENGTH} characters")
        if len(text) > MAX_NAME_LENGTH:
            raise ValidationError(too_long(MAX_NAME_LENGTH))
        return text

    return read


def read_email(text: str) -> str:
    """Return the address, its domain in the one spelling that DNS gives it; `ValidationError` when it is invalid.

    It also refuses quoted names and encoded words (many spellings of one mailbox), IP addresses instead of domains,
    addresses longer than the CRM takes (100), and `localhost`, which marshmallow allows.
    """
    name, _, typed = text.rpartition("@")
    if name.startswith('"'):
        raise ValidationError(EMAIL_QUOTED)
    if typed.startswith("[") or typed.rpartition(".")[2].isdigit():
        raise ValidationError(EMAIL_LITERAL)
    if len(text) > MAX_EMAIL_LENGTH or "=?" in name or typed == "localhost":
        raise ValidationError(EMAIL_INVALID)
    try:
        domain = typed if typed.isascii() else ascii_domain(typed)
        # marshmallow allows letters and digits, but not the vowel signs of many scripts.
        _check_email(f"{_without_signs(name)}@{domain}")
        return text if typed.isascii() else f"{name}@{idna.decode(domain)}"[:MAX_EMAIL_LENGTH]
    except (ValueError, idna.IDNAError) as error:
        raise ValidationError(EMAIL_INVALID) from error


def read_country_code(text: str) -> str:
    """Return the bare calling code ("+1-ca" → "+1"); `ValidationError` when no country or territory has it."""
    digits = phone.calling_code(text)
    if digits is None or digits.startswith("0") or int(digits) not in COUNTRY_CODE_TO_REGION_CODE:
        raise ValidationError(COUNTRY_MISSING)
    return f"+{int(digits)}"


def country_of(option: str) -> str | None:
    """Return the region of a country option: "CA" of "+1-ca", "US" of "+1"; None for anything else."""
    if match := _OPTION.fullmatch(option):
        return match.group(1).upper()
    digits = phone.calling_code(option)
    return region_code_for_country_code(int(digits)) if digits else None


def read_phone_text(text: str) -> str:
    """Return the number as typed, after the rules that do not depend on the country."""
    if not text:
        raise ValidationError(phone.PHONE_EMPTY)
    if not phone.MIN_PHONE_LENGTH <= len(text) <= phone.MAX_PHONE_LENGTH:
        raise ValidationError(phone.PHONE_INVALID)
    return text


def read_number(typed: str, country_code: str) -> str:
    """Return the number in E.164; `ValidationError` at `phone` when it does not fit the country."""
    try:
        return phone.read_phone(typed, country_code.removeprefix("+"))
    except phone.PhoneError as error:
        raise ValidationError(str(error), "phone") from error


def read_message(text: str) -> str | None:
    """Return the message, None if empty. A message that is too long is refused: its text is not ours to drop."""
    if len(text) > MAX_MESSAGE_LENGTH:
        raise ValidationError(too_long(MAX_MESSAGE_LENGTH))
    return text or None


def read_country_iso(text: str) -> str | None:
    """Return two letters, or None: a hint that tells Canada from the USA, never a reason to refuse."""
    return text.upper() if len(text) == len("GB") and text.isascii() and text.isalpha() else None


def required_text(message: str, max_length: int) -> Callable[[str], str]:
    """Return a reader that refuses empty text with `message` and truncates to `max_length` characters."""

    def read(text: str) -> str:
        if not text:
            raise ValidationError(message)
        return text[:max_length].rstrip()

    return read
