"""Everything about one person, and nothing of anybody else."""

import json

import pytest

from leads.outbox.store import record_click
from leads.privacy.erasure import Person, erase_person
from tests.support.database import change
from tests.support.pipeline import deliver
from tests.support.samples import CLICK, LEAD, record_lead

KEY = "0123456789abcdef"
OWED = {"zoho": 0.0, "visitor": 0.0, "staff-mail": 10.0}
TOUCH = {"utm_source": "newsletter", "landing_url": "https://clinic.example/"}


@pytest.fixture
def export(run):
    return lambda *words, key=KEY: run("export", *words, env={"ERASURE_KEY": key})


@pytest.fixture
def stored(context):
    """Two enquiries and a click of Ann, and one of somebody else's each; the enquiries are in the CRM."""
    consent = {"consent_choice": {"analytics": True, "advertising": False}, "marketing_opt_in": True}
    ann = {
        **LEAD,
        "session_id": "s1",
        "message": "Wie lange dauert es? 🦷",
        "first_touch": TOUCH,
        **consent,
    }
    first = record_lead(context.engine, ann, owed=OWED).id
    second = record_lead(
        context.engine, {**LEAD, "email": "other@example.com", "session_id": "s2"}
    ).id  # the same phone
    other = {**LEAD, "email": "bob@example.com", "phone_e164": "+447911000000", "name": "Bob", "session_id": "s3"}
    record_lead(context.engine, other, owed=OWED)
    click = record_click(context.engine, {**CLICK, "session_id": "s1"})
    record_click(context.engine, {**CLICK, "unique_code": "OTHER", "session_id": "s3"})
    assert deliver(context) == ["SENT"] * 5
    return first, second, click


def test_an_export_has_everything_of_the_person_alone(export, context, stored):
    first, second, click = stored
    noted = "INSERT INTO attempts (destination, kind, row_id, event) VALUES ('zoho', 'click', :id, 'claimed')"
    change(context.engine, noted, id=click)
    result = export("--email", "ANN@example.com", "--phone", "+44 7911 123456")
    assert result.exit_code == 0, result.output
    exported = json.loads(result.stdout)
    assert [row["id"] for row in exported["leads"]] == [str(first), str(second)]
    lead = exported["leads"][0]
    assert lead["message"] == "Wie lange dauert es? 🦷"
    assert lead["first_touch"] == TOUCH
    assert lead["consent_choice"] == {"analytics": True, "advertising": False}
    assert lead["marketing_opt_in"] is True
    assert lead["zoho_record_id"]
    assert [row["id"] for row in exported["whatsapp_clicks"]] == [str(click)]
    story = [(row["destination"], row["event"]) for row in exported["attempts"] if row["row_id"] == str(first)]
    assert story == [("zoho", "claimed"), ("zoho", "sent")]
    assert {row["row_id"] for row in exported["attempts"]} == {str(first), str(second), str(click)}
    messages = [(row["id"], row["destination"], row["status"]) for row in exported["messages"]]
    assert messages == [(str(first), "staff-mail", "pending"), (str(first), "visitor", "pending")]
    assert exported["erasures"] == []
    assert "bob@example.com" not in result.output
    assert "OTHER" not in result.output


def test_after_an_erasure_nothing_is_left_but_the_fact(export, context, stored):
    erase_person(context.engine, Person(email="ann@example.com", phone="+447911123456"), by="ada", key=KEY)
    exported = json.loads(export("--email", "ann@example.com").stdout)
    assert {name: len(rows) for name, rows in exported.items()} == {
        "leads": 0,
        "whatsapp_clicks": 0,
        "attempts": 0,
        "messages": 0,
        "erasures": 1,
    }
    assert (exported["erasures"][0]["leads"], exported["erasures"][0]["clicks"]) == (2, 1)
    assert json.loads(export("--email", "ann@example.com", key="").stdout)["erasures"] is None
