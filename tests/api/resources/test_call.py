"""The time of the call: promised once, stored with the enquiry, and said in the same words everywhere."""

from datetime import UTC, datetime
from pathlib import Path

import pytest
import yaml

from api.call import CallDesk
from leads.call_times import WITHIN_A_DAY, Hours, call_of, for_staff, promise
from tests.support.samples import HOURS
from worker.crm.fields import DEFAULT_FIELDS
from worker.crm.mapping import lead_record

CONTENT = Path(__file__).parents[3] / "frontend/content"
PHONE = "+90 212 000 00 00"


@pytest.fixture
def site(site_of):
    return site_of({}, CLINIC_PHONE=PHONE)


def test_the_form_the_receipt_and_the_record_tell_one_time(site, lead, stored):
    before = site.get("/api/start?timezone=Europe/London").json["call"]
    receipt = site.post("/api/leads", json={**lead, "timezone": "Europe/London"}).json
    row = stored(receipt["id"])
    call, now = call_of(row), datetime.now(UTC)
    words = promise(call, accepted_at=row["created_at"], now=now, timezone="Europe/London", phone=PHONE)
    assert before == receipt["call"] == {"text": words, "withinADay": True}
    assert words.startswith("Our experts will call you within 24 hours: ")
    assert words.endswith(f" your time, from {PHONE}.")
    record = lead_record(row, DEFAULT_FIELDS)
    assert record["Call_Time"] == for_staff(call, "Europe/London")
    assert datetime.fromisoformat(str(record["Call_From"])) == call.start


def test_a_repeat_gets_the_call_of_the_first_receipt(site, lead, query):
    key = {"Idempotency-Key": "one-press"}
    first = site.post("/api/leads", json=lead, headers=key).json
    for column in ("call_from", "call_until"):
        query(f"UPDATE leads SET {column} = {column} + interval '1 day' RETURNING 1")
    again = site.post("/api/leads", json=lead, headers=key).json
    assert again["id"] == first["id"]
    assert again["call"]["text"] != first["call"]["text"]
    assert again["call"]["withinADay"] is False


def test_the_time_that_is_promised_is_still_to_come(monkeypatch):
    class Clock(datetime):
        @classmethod
        def now(cls, tz=None):
            return datetime(2026, 11, 24, 12, 34, 56, tzinfo=tz)

    monkeypatch.setattr("api.call.datetime", Clock)
    assert CallDesk(Hours.read(HOURS)).first_call().start == datetime(2026, 11, 24, 12, 45, tzinfo=UTC)


@pytest.mark.parametrize("timezone", ["", "Mars/Olympus", "../../etc/passwd", "%00", "x" * 3000])
def test_an_unknown_time_zone_gets_the_clinics_time(site, timezone):
    answer = site.get(f"/api/start?timezone={timezone}")
    assert f"Istanbul time, from {PHONE}." in answer.json["call"]["text"]


def test_a_site_without_opening_hours_and_the_pages_promise_24_hours(client, lead, stored):
    receipt = client.post("/api/leads", json=lead).json
    assert receipt["call"] == {"text": f"{WITHIN_A_DAY}.", "withinADay": True}
    assert stored(receipt["id"])["call_from"] is None
    page = yaml.safe_load((CONTENT / "thank-you.yaml").read_text())["thankYou"]
    form = yaml.safe_load((CONTENT / "lead-form.yaml").read_text())["form"]
    assert page["call"] == form["call"] == receipt["call"]["text"]
