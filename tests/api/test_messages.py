"""The API and the site's forms answer a wrong field alike: in the words of frontend/content/validation.yaml."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

CONTENT = Path(__file__).parents[2] / "frontend/content/validation.yaml"
MESSAGES: dict[str, str] = yaml.safe_load(CONTENT.read_text("utf-8"))["messages"]

LEAD, COMPLAINT = "/api/leads", "/api/complaints"
# What to send for each message, and the field at which it is expected.
CASES: list[tuple[str, str, dict[str, Any], str]] = [
    ("name", LEAD, {"name": "A"}, "name"),
    ("name", COMPLAINT, {"name": "A"}, "name"),
    ("surname", LEAD, {"surname": "A"}, "surname"),
    ("email", LEAD, {"email": "nobody"}, "email"),
    ("email", COMPLAINT, {"email": "nobody"}, "email"),
    ("countryCode", LEAD, {"countryCode": ""}, "countryCode"),
    ("phoneEmpty", LEAD, {"phone": " "}, "phone"),
    ("phone", LEAD, {"phone": "1234"}, "phone"),
    ("phoneTooShort", LEAD, {"phone": "12-34-x"}, "phone"),
    ("phoneForCountry", LEAD, {"phone": "07911"}, "phone"),
    ("complaint", COMPLAINT, {"text": " "}, "text"),
    ("tooLong", LEAD, {"name": "A" * 81}, "name"),
    ("tooLong", LEAD, {"surname": "A" * 81}, "surname"),
    ("tooLong", COMPLAINT, {"name": "A" * 81}, "name"),
    ("tooLong", LEAD, {"message": "A" * 5001}, "message"),
    ("tooLong", COMPLAINT, {"text": "A" * 5001}, "text"),
]
# The limit that "tooLong" names, as both sides write it.
LIMITS = {"name": "80", "surname": "80", "message": "5,000", "text": "5,000"}


@pytest.mark.parametrize(("key", "path", "change", "field"), CASES)
def test_the_api_answers_in_the_forms_words(client, lead, key, path, change, field):
    payloads = {LEAD: lead, COMPLAINT: {"name": "Ada", "email": "ada@example.com", "text": "What happened."}}
    response = client.post(path, json=payloads[path] | change)
    assert response.status_code == 422
    assert response.json["errors"]["json"] == {field: [MESSAGES[key].format(limit=LIMITS.get(field))]}


def test_every_message_of_the_forms_is_compared():
    assert {key for key, *_ in CASES} == MESSAGES.keys()
