"""The API and the site's forms answer a wrong field alike: in the words of frontend/content/validation.yaml."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

CONTENT = Path(__file__).parents[2] / "frontend/content/validation.yaml"
MESSAGES: dict[str, str] = yaml.safe_load(CONTENT.read_text("utf-8"))["messages"]

# What to send for each message, and the field at which it is expected.
CASES: list[tuple[str, dict[str, Any], str]] = [
    ("name", {"name": "A"}, "name"),
    ("surname", {"surname": "A"}, "surname"),
    ("email", {"email": "nobody"}, "email"),
    ("countryCode", {"countryCode": ""}, "countryCode"),
    ("phoneEmpty", {"phone": " "}, "phone"),
    ("phone", {"phone": "1234"}, "phone"),
    ("phoneTooShort", {"phone": "12-34-x"}, "phone"),
    ("phoneForCountry", {"phone": "07911"}, "phone"),
    ("tooLong", {"name": "A" * 81}, "name"),
    ("tooLong", {"surname": "A" * 81}, "surname"),
    ("tooLong", {"message": "A" * 5001}, "message"),
]
# The limit that "tooLong" names, as both sides write it.
LIMITS = {"name": "80", "surname": "80", "message": "5,000"}


@pytest.mark.parametrize(("key", "change", "field"), CASES)
def test_the_api_answers_in_the_forms_words(client, lead, key, change, field):
    response = client.post("/api/leads", json=lead | change)
    assert response.status_code == 422
    assert response.json["errors"]["json"] == {field: [MESSAGES[key].format(limit=LIMITS.get(field))]}


def test_every_message_of_the_forms_is_compared():
    assert {key for key, *_ in CASES} == MESSAGES.keys()
