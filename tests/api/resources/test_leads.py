"""The form's rules over HTTP: each message, in the decided order, one for each field."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

# The page's own words.
WORDS = yaml.safe_load((Path(__file__).parents[3] / "frontend/content/validation.yaml").read_text())["messages"]
NAME, SURNAME, EMAIL, COUNTRY = (WORDS[name] for name in ("name", "surname", "email", "countryCode"))
EMPTY, INVALID, SHORT, FOREIGN = (
    WORDS[name] for name in ("phoneEmpty", "phone", "phoneTooShort", "phoneForCountry")
)
LONG = WORDS["tooLong"]


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
        ({"name": "A" * 81}, "name", LONG.format(limit="80")),
        ({"surname": "S"}, "surname", SURNAME),
        ({"surname": "S" * 81}, "surname", LONG.format(limit="80")),
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
        ({"message": "m" * 5001}, "message", LONG.format(limit="5,000")),
    ],
)
def test_each_rule_has_its_own_message(client, lead, change, field, message):
    assert messages(client, lead | change) == {field: [message]}


def test_a_wrong_name_does_not_hide_a_wrong_number(client, lead):
    assert messages(client, lead | {"name": "", "phone": "07911"}) == {"name": [NAME], "phone": [FOREIGN]}


def test_without_a_usable_country_the_number_is_not_judged_by_one(client, lead):
    assert messages(client, lead | {"countryCode": "", "phone": "07911"}) == {"countryCode": [COUNTRY]}
    assert messages(client, lead | {"countryCode": "", "phone": "12"}) == {
        "countryCode": [COUNTRY],
        "phone": [INVALID],
    }


@pytest.mark.parametrize("iso", [None, "", "GBR", "4", 44, ["GB"]])
def test_a_strange_country_hint_costs_nothing(client, lead, stored, iso):
    response = client.post("/api/leads", json=lead | {"countryIso": iso})
    assert stored(response.json["id"])["country_iso"] == "GB"  # the calling code's main one


@pytest.mark.parametrize(("option", "iso"), [("+1-ca", None), ("+1", "ca")])
def test_the_country_is_the_hint_else_the_options(client, lead, stored, option, iso):
    sent = {"countryCode": option, "countryIso": iso, "phone": "604 555 0123"}
    response = client.post("/api/leads", json=lead | sent)
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
