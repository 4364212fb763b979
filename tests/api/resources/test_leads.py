"""The form's rules over HTTP: each message, in the decided order, one for each field."""

import re
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
NO_DOMAIN = "Please enter an email address with a domain name, such as name@example.com"


def messages(client, payload):
    response = client.post("/api/leads", json=payload)
    assert response.status_code == 422, response.text
    assert response.json["code"] == 422
    assert response.json["status"] == "Unprocessable Entity"
    assert response.json["message"]
    return response.json["errors"]["json"]


def test_a_lead_gets_a_receipt_and_its_words_are_stored(client, lead, stored):
    words = {"message": "  How long?\nAnd how much?  ", "countryIso": "gb"}
    response = client.post("/api/leads", json=lead | words)
    assert (response.status_code, response.json["success"]) == (201, True)
    row = stored(response.json["id"])
    assert re.fullmatch("[0-9]{6}", row["reference"])
    assert row["reference"] == response.json["reference"]
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
    ("field", "sent", "message"),
    [
        ("name", "  A  ", NAME),
        ("name", "A\x00", NAME),
        ("name", None, NAME),
        ("name", ["Ada"], NAME),
        ("name", "A" * 81, LONG.format(limit="80")),
        ("surname", "S", SURNAME),
        ("email", "", EMAIL),
        ("email", "ada@", EMAIL),
        ("email", "ada@localhost", EMAIL),
        ("email", "ada@example.com, b@example.com", EMAIL),
        ("email", f"{'a' * 89}@example.com", EMAIL),
        ("email", "ada@exam\u0378ple.com", EMAIL),
        ("email", {"a": 1}, EMAIL),
        ("email", '"ada"@example.com', "Please enter your email address without quotation marks"),
        ("email", "ada@[127.0.0.1]", NO_DOMAIN),
        ("email", "ada@10.0.0.12", NO_DOMAIN),
        ("countryCode", "44", COUNTRY),
        ("countryCode", "+999", COUNTRY),
        ("countryCode", "+044", COUNTRY),
        ("phone", " \t ", EMPTY),
        ("phone", None, EMPTY),
        ("phone", "1234", INVALID),
        ("phone", "7" * 251, INVALID),
        ("phone", "12-34-x", SHORT),
        ("phone", "07700 900123", FOREIGN),
        ("message", "m" * 5001, LONG.format(limit="5,000")),
    ],
)
def test_each_rule_has_its_own_message(client, lead, field, sent, message):
    assert messages(client, lead | {field: sent}) == {field: [message]}


def test_a_wrong_name_does_not_hide_a_wrong_number(client, lead):
    assert messages(client, lead | {"name": "", "phone": "07911"}) == {"name": [NAME], "phone": [FOREIGN]}


def test_without_a_usable_country_the_number_is_not_judged_by_one(client, lead):
    assert messages(client, lead | {"countryCode": "", "phone": "07911"}) == {"countryCode": [COUNTRY]}
    assert messages(client, lead | {"countryCode": "", "phone": "12"}) == {
        "countryCode": [COUNTRY],
        "phone": [INVALID],
    }


@pytest.mark.parametrize(
    ("option", "iso", "kept"),
    [("+1-ca", None, "CA"), ("+1", "ca", "CA"), ("+1", "GBR", "US"), ("+1", "4", "US"), ("+1", ["GB"], "US")],
    ids=str,
)
def test_the_country_is_the_hint_else_the_options(client, lead, stored, option, iso, kept):
    sent = {"countryCode": option, "countryIso": iso, "phone": "604 555 0123"}
    row = stored(client.post("/api/leads", json=lead | sent).json["id"])
    assert (row["country_code"], row["country_iso"]) == ("+1", kept)


def test_the_longest_of_everything_fits_the_table(client, lead, stored):
    longest = {"name": "n" * 80, "surname": "s" * 80, "email": f"{'a' * 88}@example.com", "message": "m" * 5000}
    response = client.post("/api/leads", json=lead | longest | {"phone": "07911 123456".ljust(250, "x")})
    assert response.status_code == 201, response.text
    assert len(stored(response.json["id"])["phone"]) == 250


@pytest.mark.parametrize(
    ("website", "status"),
    [("x", "held"), (1, "held"), (["x"], "held"), ("", "pending"), ("  ", "pending"), (None, "pending")],
)
def test_a_filled_honeypot_is_held_and_answered_like_any_other(client, lead, stored, website, status):
    response = client.post("/api/leads", json=lead | {"website": website})
    assert response.status_code == 201
    assert set(response.json) == {"success", "id", "reference", "call", "details"}
    assert stored(response.json["id"])["zoho_status"] == status
