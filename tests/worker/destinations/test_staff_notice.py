"""The words of a staff notice: nothing personal unless asked for, and always the way to the record."""

import json
from datetime import UTC, datetime
from uuid import UUID

import pytest

from leads.outbox.claim import Claimed
from leads.settings import read_settings
from leads.tables import Kind
from tests.support.samples import HOURS
from worker.destinations.staff_notice import local_time, make_mail, make_payload

LEAD = {
    "reference": "402117",
    "created_at": datetime(2026, 11, 22, 14, 5, tzinfo=UTC),
    "country_iso": "GB",
    "timezone": "Europe/London",
    "call_from": datetime(2026, 11, 23, 6, tzinfo=UTC),
    "call_until": datetime(2026, 11, 23, 14, 5, tzinfo=UTC),
    "crm_record_id": "42",
    "crm_refusal": None,
    "name": "Ann",
    "surname": "Example",
    "phone_e164": "+447911123456",
    "message": "Does it hurt?",
    "interest": None,
    "already_has": None,
    "google_campaign": "Summer",
    "google_keyword": None,
    "utm_source": "google",
}
ID = UUID("2b1f6c0e-1c8e-4a57-9a44-6f0a3f0f8d11")
PERSONAL = ("Ann", "7911", "hurt")


def row_of(**values):
    others = {"was_tried": False, "record_id": None, "changed_at": None, "trial": None, "is_troubled": False}
    return Claimed("staff-mail", Kind.LEAD, ID, datetime.now(UTC), **others, values=LEAD | values)


def read(**environment):
    return read_settings(
        {
            "DATABASE_URL": "postgresql://127.0.0.1/none",
            "ZOHO_URL": "https://crm.example",
            "MAIL_FROM": "Site <site@clinic.example>",
            "STAFF_MAIL_TO": "one@clinic.example, two@clinic.example",
            "FRONTEND_DIR": "no-such-build",
            **environment,
        }
    )


def mail(row, **environment):
    return make_mail(row, read(**environment))


RECORD = "https://crm.example/crm/tab/Leads/42"


def test_a_brief_mail_has_the_reference_country_times_and_link_and_nothing_personal():
    message = mail(row_of())
    assert message["To"] == "one@clinic.example, two@clinic.example"
    assert message["Subject"] == "New enquiry 402117 from United Kingdom"
    assert message["Message-ID"] == "<2b1f6c0e-1c8e-4a57-9a44-6f0a3f0f8d11.staff@clinic.example>"
    assert message["Auto-Submitted"] == "auto-generated"
    text = message.get_body(("plain",)).get_content()
    assert "Campaign:       Summer, google" in text
    assert "Sent:           Sun 22 Nov, 17:05 (Istanbul)" in text
    assert "(Europe/London)" in text
    assert "Call:           Mon 23 Nov, 09:00 to 17:05 Istanbul (06:00 to 14:05 there)" in text
    assert f"Record:         {RECORD}" in text
    assert not [word for word in PERSONAL if word in message.as_string()]


def test_a_full_mail_puts_the_question_first_and_adds_name_treatment_and_links_as_text_and_html():
    message = mail(row_of(interest="Implants <b>"), STAFF_NOTICE="full")
    lines = message.get_body(("plain",)).get_content().splitlines()
    assert lines[2] == "Does it hurt?"
    for line in (
        "Name:           Ann Example",
        "Telephone:      tel:+447911123456",
        "WhatsApp:       https://wa.me/447911123456",
        "About:          Implants <b>",
    ):
        assert line in lines
    html = message.get_body(("html",)).get_content()
    for link in ("tel:+447911123456", "https://wa.me/447911123456", RECORD):
        assert f"<a href='{link}'>" in html
    assert "Implants &lt;b&gt;" in html
    assert html.index("Does it hurt?") < html.index("Ann Example")


def test_a_repeat_is_called_one_and_leads_to_the_earlier_record():
    repeat = row_of(earlier_reference="402100", earlier_record_id="41")
    message = mail(repeat)
    assert message["Subject"] == "Repeat enquiry 402117 from United Kingdom"
    earlier = "https://crm.example/crm/tab/Leads/41"
    assert f"Asked before:   402100 {earlier}" in message.get_body(("plain",)).get_content()
    data = make_payload(repeat, read())["data"]
    assert (data["earlier_reference"], data["earlier_record_url"]) == ("402100", earlier)


def test_every_mail_is_signed_by_the_clinic(tmp_path):
    known = {
        "hours": HOURS,
        "treatments": {},
        "signature": ["Clinic", "Street 1, Istanbul", "https://clinic.example"],
    }
    (tmp_path / "clinic.json").write_text(json.dumps(known))
    message = mail(row_of(), FRONTEND_DIR=str(tmp_path))
    signed = "-- \nClinic\nStreet 1, Istanbul\nhttps://clinic.example\n"
    assert message.get_body(("plain",)).get_content().endswith(signed)
    assert "Clinic<br>Street 1, Istanbul" in message.get_body(("html",)).get_content()


def test_what_is_unknown_is_left_out_or_said():
    unknown = dict.fromkeys(("country_iso", "timezone", "call_from", "message", "crm_record_id"))
    text = mail(row_of(**unknown), STAFF_NOTICE="full").get_body(("plain",)).get_content()
    assert text.startswith("New enquiry 402117.\n")
    assert "Time there" not in text
    assert "Record:         not in the CRM yet; it will arrive by itself" in text
    assert "No question was written." in text


def test_of_a_lead_that_the_crm_refuses_nobody_is_told_that_it_will_arrive():
    refused = row_of(crm_record_id=None, crm_refusal="INVALID_DATA")
    words = "NOT in the CRM, which refuses it (INVALID_DATA): enter it by hand"
    assert f"Record:         {words}" in mail(refused).get_body(("plain",)).get_content()
    payload = make_payload(refused, read())
    assert words in payload["text"]
    assert payload["data"]["refusal"] == "INVALID_DATA"


def test_the_webhooks_json_brief_and_full():
    brief = make_payload(row_of(), read())
    assert brief["type"] == "lead.created"
    assert brief["timestamp"] == "2026-11-22T14:05:00+00:00"
    assert brief["text"] == f"New enquiry 402117 from United Kingdom: {RECORD}"
    assert {name: brief["data"][name] for name in ("id", "reference", "country", "timezone", "record_url")} == {
        "id": str(ID),
        "reference": "402117",
        "country": "GB",
        "timezone": "Europe/London",
        "record_url": RECORD,
    }
    assert not [word for word in PERSONAL if word in str(brief)]
    full = make_payload(row_of(crm_record_id=None), read(STAFF_NOTICE="full"))
    assert full["text"] == (
        "New enquiry 402117 from United Kingdom: not in the CRM yet; it will arrive by itself,"
        " search for the reference then"
    )
    assert full["data"]["name"] == "Ann Example"
    assert full["data"]["whatsapp_url"] == "https://wa.me/447911123456"
    assert full["data"]["question"] == "Does it hurt?"


@pytest.mark.parametrize(
    "zone", [None, "", "Mars/Olympus", "../../etc/passwd", "/etc/passwd", "Europe", "x" * 255, "\0"]
)
def test_a_time_zone_that_does_not_exist_is_none(zone):
    assert local_time(zone) is None


def test_a_row_in_a_log_hides_the_person():
    assert not [word for word in PERSONAL if word in repr(row_of())]
