"""Adding to an enquiry: only with its token, only what is offered, stored before it is answered."""

import logging
from datetime import datetime
from pathlib import Path
from uuid import UUID
from zoneinfo import ZoneInfo

import pytest
import yaml

from api.limits.rules import DETAILS_PER_ENQUIRY
from api.schemas import HAS
from leads.call_times import CLINIC_ZONE, Hours, slot_words
from tests.support.samples import HOURS

CONTENT = Path(__file__).parents[3] / "frontend/content"
TREATMENTS = {"all-on-4": "All-on-4", "zirconia-crowns": "Zirconia crowns"}


@pytest.fixture
def site(site_of):
    return site_of({"treatments": TREATMENTS})


@pytest.fixture
def receipt(site, lead):
    return site.post("/api/leads", json={**lead, "timezone": "Europe/London"}).json


@pytest.fixture
def tell(site, receipt):
    token = receipt["details"]["token"]
    return lambda **body: site.post("/api/details", json={"token": token, **body})


def columns(stored, receipt):
    row = stored(receipt["id"])
    return row["interest"], row["already_has"], row["call_chosen"]


def test_each_answer_is_stored_and_owed_before_it_is_answered(tell, receipt, stored, query, caplog):
    caplog.set_level(logging.DEBUG)
    assert tell(interest="all-on-4").json == {"success": True, "call": None}
    assert columns(stored, receipt) == ("All-on-4", None, None)
    assert tell(has=["photos", "xray"]).status_code == 201
    assert columns(stored, receipt) == ("All-on-4", "X-ray, photos", None)
    assert tell(interest="unknown", has=[]).status_code == 201
    assert columns(stored, receipt) == ("does not know yet", None, None)
    (owed,) = query("SELECT changed_at FROM deliveries WHERE id = %s AND destination = 'zoho'", receipt["id"])
    assert owed["changed_at"] is not None
    assert [words for words in ("All-on-4", "X-ray") if words in caplog.text] == []


def test_a_chosen_time_is_what_everything_says_from_then_on(tell, receipt, stored):
    slot = receipt["details"]["slots"][-1]
    words = tell(callUntil=slot["until"], timezone="Europe/London").json["call"]["text"]
    assert words.startswith("Our experts will call you as you asked: ")
    assert slot["time"].replace("\N{EN DASH}", " and ") in words
    row = stored(receipt["id"])
    assert (row["call_chosen"], row["call_until"]) == (True, datetime.fromisoformat(slot["until"]))
    back = tell(callUntil=None)
    assert back.json["call"]["text"].startswith("Our experts will call you within 24 hours: ")
    assert stored(receipt["id"])["call_chosen"] is False


def test_the_times_are_by_day_where_the_visitor_is(site, lead):
    slots = site.post("/api/leads", json={**lead, "timezone": "Australia/Sydney"}).json["details"]["slots"]
    assert slots
    assert all("07:00" <= slot["time"][:5] < slot["time"][-5:] <= "22:00" for slot in slots)
    ends = [datetime.fromisoformat(slot["until"]).astimezone(ZoneInfo("Australia/Sydney")) for slot in slots]
    assert [slot["time"][-5:] for slot in slots] == [f"{end:%H:%M}" for end in ends]


@pytest.mark.parametrize(
    "body",
    [
        {"interest": "botox"},
        {"callUntil": "2020-01-01T12:00:00Z"},
        {"callUntil": "03:00"},
        {"has": ["gold"]},
        {"has": "xray"},
        {"has": [[]]},
        {"interest": 3},
    ],
)
def test_only_what_is_offered_is_stored(tell, receipt, stored, body):
    answer = tell(**body)
    assert answer.status_code == 422
    assert list(answer.json["errors"]["json"]) == list(body)
    assert columns(stored, receipt) == (None, None, None)


@pytest.mark.parametrize("token", ["", "402117", "x", "0" * 32 + "." + "0" * 24, "\ud800", "é" * 40])
def test_no_token_can_be_guessed(site, token):
    assert site.post("/api/details", json={"token": token, "interest": "all-on-4"}).status_code == 403


def test_a_token_is_for_one_enquiry(site, receipt, lead):
    other = site.post("/api/leads", json={**lead, "email": "other@example.com"}).json
    mixed = receipt["details"]["token"].split(".")[0] + "." + other["details"]["token"].split(".")[1]
    assert site.post("/api/details", json={"token": mixed, "interest": "all-on-4"}).status_code == 403


def test_a_token_is_nothing_without_its_lead(site, receipt, query):
    gone = UUID(int=UUID(receipt["id"]).int ^ 1)
    token = site.application.extensions["context"].guard.details_token(gone)
    assert site.post("/api/details", json={"token": token, "interest": "all-on-4"}).status_code == 403
    assert query("SELECT 1 FROM deliveries WHERE id = %s", gone) == []


def test_many_changes_of_one_enquiry_are_refused(tell):
    # An hour may end in between.
    changes = [["xray"], []] * DETAILS_PER_ENQUIRY + [["xray"]]
    answers = [tell(has=change).status_code for change in changes]
    assert set(answers[:DETAILS_PER_ENQUIRY]) == {201}
    assert 429 in answers


def test_a_treatments_page_says_what_the_enquiry_is_about(site, lead, stored):
    page = "https://clinic.example/dental-implants/treatments/all-on-4?gclid=1"
    receipt = site.post("/api/leads", json={**lead, "currentUrl": page}).json
    assert receipt["details"]["interest"] == stored(receipt["id"])["interest"] == "All-on-4"
    other = site.post("/api/leads", json={**lead, "currentUrl": "https://clinic.example/treatments/botox"}).json
    assert other["details"]["interest"] is None


def test_a_form_without_a_script_does_the_same(site, lead, query):
    address, _, asked = site.post("/enquiry", data=lead).location.partition("?")
    assert address == "/thank-you"
    parts = dict(part.split("=") for part in asked.split("&"))
    body = {"token": parts["details"], "reference": parts["reference"], "interest": "all-on-4"}
    answer = site.post("/details", data={**body, "callUntil": "14:00", "has": ["xray", "quote"]})
    assert answer.status_code == 303
    assert answer.location == f"/thank-you?reference={parts['reference']}&details=saved"
    (row,) = query("SELECT * FROM leads WHERE id = %s", UUID(hex=parts["details"].split(".")[0]))
    assert (row["interest"], row["already_has"]) == ("All-on-4", "X-ray, quote from elsewhere")
    assert row["call_until"].timestamp() % 86_400 == 11 * 3600


@pytest.mark.parametrize("reference", ["1\n2", "40211\r", "402117x", "<b>", ""])
def test_a_reference_that_is_none_is_left_out(site, receipt, reference):
    body = {"token": receipt["details"]["token"], "reference": reference, "has": "xray"}
    answer = site.post("/details", data=body)
    assert (answer.status_code, answer.location) == (303, "/thank-you?reference=&details=saved")


def test_the_page_asks_for_what_the_api_takes_and_offers_the_clinics_hours_without_a_script():
    words = yaml.safe_load((CONTENT / "thank-you.yaml").read_text())["thankYou"]["details"]
    assert list(words["kinds"]) == list(HAS)
    clinic = yaml.safe_load((CONTENT / "clinic.yaml").read_text())["hours"]
    hours = Hours.read({**HOURS, "opens": clinic["opens"], "closes": clinic["closes"]})
    early = datetime(2026, 11, 24, 3, tzinfo=CLINIC_ZONE)
    assert words["parts"] == [
        {"until": f"{slot.end.astimezone(CLINIC_ZONE):%H:%M}", "text": slot_words(slot, early, None)[1]}
        for slot in hours.slots(early, None)
        if slot.end.date() == early.date()
    ]
