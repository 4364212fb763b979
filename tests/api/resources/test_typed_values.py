"""What visitors type and paste is read as they mean it, by the API and by the form without a script alike."""

from __future__ import annotations

import re

import pytest

FORM = {
    "name": "Ada",
    "surname": "Sample",
    "email": "ada@example.com",
    "countryCode": "+44",
    "phone": "07911 123456",
    "message": "",
}
TURKEY = {"countryCode": "+90"}
NAME_TOO_SHORT = "Name must be at least 2 characters"
EMAIL_INVALID = "Please enter a valid email address"


def by_script(client, values):
    answer = client.post("/api/leads", json=values)
    if answer.status_code == 201:
        return "id", answer.json["id"], None
    return None, None, answer.json["errors"]["json"]


def by_form(client, values):
    answer = client.post("/enquiry", data=values)
    if answer.status_code == 303:
        return "reference", re.search(r"\d{6}$", answer.location)[0], None
    return None, None, answer.json["errors"]["form"]


@pytest.fixture(params=[by_script, by_form])
def send(request, client, query):
    """Sends an enquiry with these values; gives what is stored, or the messages."""

    def enquire(**change):
        column, value, messages = request.param(client, FORM | change)
        if column is None:
            return messages
        sql = f"SELECT * FROM leads WHERE {column} = %s ORDER BY created_at DESC LIMIT 1"
        return query(sql, value)[0]

    return enquire


@pytest.mark.parametrize(
    ("typed", "stored"),
    [
        ("ada\u200b@example.com", "ada@example.com"),
        ("\u2068ada@example.com\u2069", "ada@example.com"),
        ("a\u200dda@exam\u00adple.com", "ada@example.com"),
        ("\uff41\uff44\uff41\uff20example\uff0ecom", "ada@example.com"),
        ("ada@müller.de", "ada@müller.de"),
        ("ada@mu\u0308ller.de", "ada@müller.de"),
        ("ädä@example.com", "ädä@example.com"),
        ("伊達@例え.jp", "伊達@例え.jp"),
    ],
)
def test_an_address_is_stored_as_it_is_meant(send, typed, stored):
    assert send(email=typed)["email"] == stored


@pytest.mark.parametrize("typed", ["\u200b\u200d@example.com", "ada@\u2060", "ada@ex ample.com", "ada@.müller.de"])
def test_what_is_no_address_has_its_message(send, typed):
    assert send(email=typed) == {"email": [EMAIL_INVALID]}


@pytest.mark.parametrize(
    ("typed", "stored"),
    [
        ("\u202a+90 532 123 45 67\u202c", "+90 532 123 45 67"),
        ("\uff0b90 532 123 45 67", "+90 532 123 45 67"),
        ("\u200e0532\u200b 123 45 67", "0532 123 45 67"),
        ("०५३२ १२३ ४५ ६७", "0532 123 45 67"),
        ("\u0660\u0665\u0663\u0662 \u0661\u0662\u0663 \u0664\u0665 \u0666\u0667", "0532 123 45 67"),
        ("\uff10\uff15\uff13\uff12\u30001234567", "0532 1234567"),
    ],
)
def test_a_number_is_stored_as_it_is_meant(send, typed, stored):
    row = send(phone=typed, **TURKEY)
    assert (row["phone"], row["phone_e164"]) == (stored, "+905321234567")


@pytest.mark.parametrize(
    ("typed", "stored"),
    [
        ("\u200fAda\u200b", "Ada"),
        ("Mi\u200cna", "Mi\u200cna"),
        ("\u0645\u06cc\u200c\u062e\u0648\u0627\u0647", "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647"),
        ("ශ\u0dca\u200dරී", "ශ\u0dca\u200dරී"),
        ("\u200cAda\u200d", "Ada"),
    ],
)
def test_a_name_keeps_the_joiners_of_its_letters_alone(send, typed, stored):
    row = send(name=typed, message=f"About {typed}, please")
    assert (row["name"], row["message"]) == (stored, f"About {stored}, please")


@pytest.mark.parametrize(
    "typed", ["\u200b\u200b", "\u200c\u200d", "\u200d\ufe0f\u200e", " \u2060 \ufeff ", "\u00ad\u00ad"]
)
def test_a_name_of_nothing_that_is_seen_is_too_short(send, typed):
    assert send(name=typed) == {"name": [NAME_TOO_SHORT]}
