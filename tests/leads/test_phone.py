"""The phone rules, in their order and words, and what must hold for any text typed."""

import phonenumbers
import pytest

from leads.phone import (
    PHONE_EMPTY,
    PHONE_INVALID,
    PHONE_TOO_SHORT,
    PHONE_WRONG_COUNTRY,
    PhoneError,
    calling_code,
    read_phone,
)
from tests.support.properties import given, st

RIGHT = [
    ("07911 123456", "44", "+447911123456"),  # dialled as British, filed under Guernsey
    ("7911123456", "44", "+447911123456"),
    ("+44 7911 123456", "44", "+447911123456"),
    ("0044 7911 123456", "44", "+447911123456"),
    ("447911123456", "44", "+447911123456"),
    ("+44 (0)20 7946 0018", "44", "+442079460018"),
    ("020 7946 0018", "44", "+442079460018"),
    ("416 967 1111", "1", "+14169671111"),
    ("+1 212 736 5000", "1", "+12127365000"),
    ("001 212 736 5000", "1", "+12127365000"),  # as dialled from most countries, though not from there
    ("701 123 4567", "7", "+77011234567"),  # a Kazakh mobile that a blind strip of 7 would break
    ("+7 701 123 4567", "7", "+77011234567"),
    ("8 912 345 67 89", "7", "+79123456789"),
    ("06 6982 1234", "39", "+390669821234"),  # Italy keeps its zero
    ("0412 345 678", "61", "+61412345678"),
]


@pytest.mark.parametrize(("typed", "code", "e164"), RIGHT)
def test_a_valid_number_is_read(typed, code, e164):
    try:
        read = read_phone(typed, code)
    except PhoneError as refusal:
        read = str(refusal)
    assert read == e164


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        ("", PHONE_EMPTY),
        ("   ", PHONE_EMPTY),
        ("123", PHONE_INVALID),
        ("ab-1", PHONE_INVALID),
        ("ab-1-2", PHONE_TOO_SHORT),
        ("12 34 ", PHONE_TOO_SHORT),
        ("+44 12", PHONE_TOO_SHORT),
        ("07700 900123", PHONE_WRONG_COUNTRY),  # a number for films
        ("+33 6 12 34 56 78", PHONE_WRONG_COUNTRY),
        ("0033 6 12 34 56 78", PHONE_WRONG_COUNTRY),
        ("12345678901234567890", PHONE_WRONG_COUNTRY),
    ],
)
def test_a_wrong_number_is_refused_in_the_order_and_words_of_the_form(typed, message):
    with pytest.raises(PhoneError) as refused:
        read_phone(typed, "44")
    assert str(refused.value) == message


@pytest.mark.parametrize(
    ("option", "code"),
    [
        ("+44", "44"),
        ("+1-ca", "1"),
        ("+7-kz", "7"),
        (" +44 ", "44"),
        ("Türkiye +90", "90"),
        ("44", None),
        ("", None),
        ("+", None),
        ("+12345", None),
    ],
)
def test_a_country_option_gives_its_calling_code(option, code):
    assert calling_code(option) == code


@given(st.text(max_size=250), st.sampled_from(["44", "1", "7", "39", "90", "999"]))
def test_any_text_is_either_a_valid_number_of_that_code_or_refused(typed, code):
    try:
        number = phonenumbers.parse(read_phone(typed, code))
    except PhoneError:
        return
    assert str(number.country_code) == code
    assert phonenumbers.is_valid_number(number)


@given(st.sampled_from(["GB", "US", "CA", "KZ", "RU", "TR", "AU", "IT", "DE", "FR"]), st.booleans())
def test_every_countrys_own_example_is_accepted_as_nationals_and_as_travellers_type_it(region, international):
    number = phonenumbers.example_number_for_type(region, phonenumbers.PhoneNumberType.MOBILE)
    style = (
        phonenumbers.PhoneNumberFormat.INTERNATIONAL if international else phonenumbers.PhoneNumberFormat.NATIONAL
    )
    typed = phonenumbers.format_number(number, style)
    e164 = phonenumbers.format_number(number, phonenumbers.PhoneNumberFormat.E164)
    assert read_phone(typed, str(number.country_code)) == e164
