"""The form's rules over HTTP: each message, in the decided order, one for each field."""

from __future__ import annotations

import pytest

NAME = "Name must be at least 2 characters"
SURNAME = "Surname must be at least 2 characters"
EMAIL = "Please enter a valid email address"
COUNTRY = "Please select a country code"
EMPTY = "Please enter your phone number"
INVALID = "Please enter a valid phone number"
SHORT = "Phone number too short"
FOREIGN = "Please enter a valid phone number for the selected country"


def messages(client, payload):
    response = client.post("/api/leads", json=payload)
    assert response.status_code == 422, response.text
    assert response.json["code"] == 422
    assert response.json["status"] == "Unprocessable Entity"
    assert response.json["message"]
    return response.json["errors"]["json"]


def test_a_lead_gets_a_receipt_and_its_words_are_stored(client, lead, stored):
    response = client.post(
        "/api/leads", json=lead | {"message": "  How long?\nAnd how much?  ", "countryIso": "gb"}
    )
    assert response.status_code == 201
    assert set(response.json) == {"success", "id", "reference", "call", "details"}
    assert response.json["success"] is True
    row = stored(response.json["id"])
    assert row["reference"] == response.json["reference"]
    assert len(row["reference"]) == 6
    assert row["reference"].isdigit()
    assert (row["name"], row["surname"], row["email"]) == ("Ada", "Sample", "ada@example.com")
    assert (row["country_code"], row["country_iso"]) == ("+44", "GB")
    assert (row["phone"], row["phone_e164"]) == ("07911 123456", "+447911123456")
    assert row["message"] == "How long?\nAnd how much?"
    assert (row["zoho_status"], row["retry_count"]) == ("pending", 0)


def test_an_empty_form_is_told_everything_at_once_with_one_message_a_field(client):
    assert messages(client, {}) == {
        "name": [NAME],
        "surname": [SURNAME],
        "email": [EMAIL],
        "countryCode": [COUNTRY],
        "phone": [EMPTY],
    }


@pytest.mark.parametrize(
    ("change", "field", "message"),
    [
        ({"name": "A"}, "name", NAME),
        ({"name": "  A  "}, "name", NAME),
        ({"name": "A\x00"}, "name", NAME),
        ({"name": None}, "name", NAME),
        ({"name": ["Ada"]}, "name", NAME),
        ({"name": "A" * 81}, "name", "Please use at most 80 characters"),
        ({"surname": "S"}, "surname", SURNAME),
        ({"surname": "S" * 81}, "surname", "Please use at most 80 characters"),
        ({"email": ""}, "email", EMAIL),
        ({"email": "ada"}, "email", EMAIL),
        ({"email": "ada@"}, "email", EMAIL),
        ({"email": "ada@localhost"}, "email", EMAIL),
        ({"email": "ada@example.com, b@example.com"}, "email", EMAIL),
        ({"email": f"{'a' * 89}@example.com"}, "email", EMAIL),
        ({"email": {"a": 1}}, "email", EMAIL),
        ({"countryCode": ""}, "countryCode", COUNTRY),
        ({"countryCode": "44"}, "countryCode", COUNTRY),
        ({"countryCode": "+999"}, "countryCode", COUNTRY),
        ({"countryCode": "+044"}, "countryCode", COUNTRY),
        ({"countryCode": "+44; DROP"}, "countryCode", COUNTRY),
        ({"phone": ""}, "phone", EMPTY),
        ({"phone": " \t "}, "phone", EMPTY),
        ({"phone": None}, "phone", EMPTY),
        ({"phone": "1234"}, "phone", INVALID),
        ({"phone": "7" * 251}, "phone", INVALID),
        ({"phone": "12-34-x"}, "phone", SHORT),
        ({"phone": "07911"}, "phone", FOREIGN),
        ({"phone": "+33 6 12 34 56 78"}, "phone", FOREIGN),
        ({"phone": "07700 900123"}, "phone", FOREIGN),
        ({"message": "m" * 5001}, "message", "Please use at most 5,000 characters"),
    ],
)
def test_each_rule_has_its_own_message(client, lead, change, field, message):
    assert messages(client, lead | change) == {field: [message]}


def test_without_a_usable_country_the_number_is_not_judged_by_one(client, lead):
    assert messages(client, lead | {"countryCode": "", "phone": "07911"}) == {"countryCode": [COUNTRY]}
    assert messages(client, lead | {"countryCode": "", "phone": "12"}) == {
        "countryCode": [COUNTRY],
        "phone": [INVALID],
    }


def test_a_wrong_name_and_a_wrong_number_are_both_told(client, lead):
    assert messages(client, lead | {"name": "", "phone": "07911"}) == {"name": [NAME], "phone": [FOREIGN]}


@pytest.mark.parametrize(
    ("option", "phone", "code", "e164"),
    [
        ("+1-ca", "604 555 0123", "+1", "+16045550123"),
        ("+1", "+1 604 555 0123", "+1", "+16045550123"),
        ("+7-kz", "701 234 5678", "+7", "+77012345678"),
        ("+44-gg", "07911 123456", "+44", "+447911123456"),
        ("+44", "0044 7911 123456", "+44", "+447911123456"),
    ],
)
def test_option_ids_become_bare_codes(client, lead, stored, option, phone, code, e164):
    response = client.post("/api/leads", json=lead | {"countryCode": option, "phone": phone})
    assert response.status_code == 201, response.text
    row = stored(response.json["id"])
    assert (row["country_code"], row["phone_e164"]) == (code, e164)


@pytest.mark.parametrize("name", ["Li", "Ö" * 80, "O'Brien-\u00c5s", "王芳"])
def test_names_of_all_kinds_are_kept(client, lead, stored, name):
    response = client.post("/api/leads", json=lead | {"name": name})
    assert stored(response.json["id"])["name"] == name


@pytest.mark.parametrize("iso", [None, "", "GBR", "4", 44, ["GB"]])
def test_a_strange_country_hint_costs_nothing(client, lead, stored, iso):
    response = client.post("/api/leads", json=lead | {"countryIso": iso})
    assert stored(response.json["id"])["country_iso"] == "GB"  # the calling code's main one


def test_the_country_of_an_option_is_kept_without_a_hint(client, lead, stored):
    response = client.post("/api/leads", json=lead | {"countryCode": "+1-ca", "phone": "604 555 0123"})
    row = stored(response.json["id"])
    assert (row["country_code"], row["country_iso"]) == ("+1", "CA")


def test_the_longest_of_everything_fits_the_table(client, lead, stored):
    longest = {"name": "n" * 80, "surname": "s" * 80, "email": f"{'a' * 88}@example.com", "message": "m" * 5000}
    response = client.post("/api/leads", json=lead | longest | {"phone": "07911 123456".ljust(250, "x")})
    assert response.status_code == 201, response.text
    assert len(stored(response.json["id"])["phone"]) == 250


@pytest.mark.parametrize("filled", ["https://spam.example", "x", 1, ["x"]])
def test_a_filled_honeypot_is_held_and_answered_like_any_other(client, lead, stored, filled):
    response = client.post("/api/leads", json=lead | {"website": filled})
    assert response.status_code == 201
    assert set(response.json) == {"success", "id", "reference", "call", "details"}
    assert stored(response.json["id"])["zoho_status"] == "held"


@pytest.mark.parametrize("left", ["", "  ", None])
def test_an_untouched_honeypot_is_nothing(client, lead, stored, left):
    response = client.post("/api/leads", json=lead | {"website": left})
    assert stored(response.json["id"])["zoho_status"] == "pending"


@pytest.mark.parametrize(
    ("email", "message"),
    [
        ('"ada"@example.com', "Please enter your email address without quotation marks"),
        ("ada@[127.0.0.1]", "Please enter an email address with a domain name, such as name@example.com"),
        ("ada@10.0.0.12", "Please enter an email address with a domain name, such as name@example.com"),
        ("ada@exam\u0378ple.com", EMAIL),
    ],
)
def test_an_address_that_hides_its_mailbox_is_refused(client, lead, email, message):
    assert messages(client, lead | {"email": email}) == {"email": [message]}


@pytest.mark.parametrize("email", ["v@\uff45xample.com", "v@\u24d4xample.com", "v@exa\u00admple.com"])
def test_a_domain_is_stored_in_its_one_spelling(client, lead, stored, email):
    answer = client.post("/api/leads", json=lead | {"email": email})
    assert stored(answer.json["id"])["email"] == "v@example.com"
