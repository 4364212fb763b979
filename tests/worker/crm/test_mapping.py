"""Rows as CRM records: nothing the CRM would refuse, nothing typed is lost, nothing of the sales staff's."""

from datetime import UTC, datetime, timedelta, timezone
from uuid import uuid4

import pytest

from leads.outbox.values import NOT_SENT
from leads.tables import CAMPAIGN, FIRST_TOUCH_URLS, leads, whatsapp_clicks
from tests.support.properties import given, st
from tools.sandbox.fields import check_for
from tools.sandbox.lead_fields import CUSTOM, STANDARD
from worker.crm.fields import DEFAULT_FIELDS, ESSENTIAL_FIELDS, custom_fields, parse_fields
from worker.crm.mapping import click_record, details_record, lead_record, move_to_description

CONFIG = DEFAULT_FIELDS
CHECKS = {spec.api_name: check_for(spec) for spec in (*STANDARD, *CUSTOM)}
WRITABLE = {spec.api_name for spec in (*STANDARD, *CUSTOM) if not spec.read_only}


def lead(**columns: object) -> dict[str, object]:
    return {
        "id": uuid4(),
        "reference": "123456",
        "name": "Ada",
        "surname": "Example",
        "email": "ada@example.com",
        "country_code": "+44",
        "country_iso": "GB",
        "phone": "07911 123456",
        "phone_e164": "+447911123456",
        "message": None,
        "created_at": datetime(2026, 11, 21, 12, 30, 15, 999_999, tzinfo=UTC),
        **columns,
    }


def click(**columns: object) -> dict[str, object]:
    return {
        "id": uuid4(),
        "unique_code": "A1B2C",
        "whatsapp_message": "[A1B2C] Hi",
        "button_location": "thank-you-page",
        "created_at": datetime(2026, 11, 21, tzinfo=UTC),
        **columns,
    }


CALLED = {
    "call_from": datetime(2026, 11, 24, 6, tzinfo=UTC),
    "call_until": datetime(2026, 11, 24, 16, tzinfo=UTC),
}
CLICKED_AND_AGREED = {"google_gclid": "Cj0K", "consent_choice": {"analytics": False, "advertising": True}}


def test_a_lead_becomes_a_record():
    row = lead(
        message="When?\nSoon?",
        utm_source="google",
        browser_name="Chrome",
        browser_version="140",
        language="en-GB",
        timezone="Europe/London",
        ip_address="203.0.113.9",
        current_url="https://clinic.example/dental-implants/prices?gclid=1",
        **CALLED,
    )
    assert lead_record(row, CONFIG) == {
        "Last_Name": "Example",
        "First_Name": "Ada",
        "Email": "ada@example.com",
        "Phone": "+447911123456",
        "Country": "United Kingdom",
        "Lead_Source": "Website",
        "Description": "When?\nSoon?",
        "Website_Event_ID": str(row["id"]),
        "Website_Reference": "123456",
        "Submitted_At": "2026-11-21T12:30:15+00:00",
        "Call_From": "2026-11-24T06:00:00+00:00",
        "Call_Time": "Tue 24 Nov, 09:00 to 19:00 Istanbul (06:00 to 16:00 there)",
        "Enquiry_Page": "Dental implants, prices",
        "Page_URL": "https://clinic.example/dental-implants/prices?gclid=1",
        "Time_Zone": "Europe/London",
        "Visitor_Language": "English (United Kingdom)",
        "UTM_Source": "google",
        "Browser": "Chrome 140",
        "WhatsApp_Link": "https://wa.me/447911123456",
    }


def test_a_click_is_known_by_its_code():
    row = click(google_gclid="Cj0K", country_iso="DE", language="de-DE", analytics_click_id="12.34")
    assert click_record(row, CONFIG) == {
        "Last_Name": "WhatsApp [A1B2C]",
        "Country": "Germany",
        "Visitor_Language": "German (Germany)",
        "Analytics_Click_ID": "12.34",
        "Lead_Source": "WhatsApp",
        "Description": "[A1B2C] Hi",
        "Website_Event_ID": str(row["id"]),
        "Submitted_At": "2026-11-21T00:00:00+00:00",
        "Google_Click_ID": "Cj0K",
        "WhatsApp_Code": "A1B2C",
        "Button_Location": "thank-you-page",
    }


@pytest.mark.parametrize(
    ("tag", "words"),
    [
        ("tr-TR", "Turkish (Türkiye)"),
        ("zh-Hant-TW", "Chinese (Taiwan)"),
        ("ar", "Arabic"),
        ("EN-gb", "English (United Kingdom)"),
        ("xyz", "xyz"),
    ],
)
def test_a_language_is_named_in_words(tag, words):
    assert lead_record(lead(language=tag), CONFIG)["Visitor_Language"] == words


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("https://clinic.example/?gclid=1", "Home page"),
        ("https://clinic.example/all-on-4", "All on 4"),
        ("https://[", None),
    ],
)
def test_a_page_is_named_in_words(address, words):
    assert lead_record(lead(current_url=address), CONFIG).get("Enquiry_Page") == words


words = st.text(max_size=300)
rows = st.fixed_dictionaries(
    dict.fromkeys(("name", "surname", "email", "phone"), words),
    optional={
        "message": st.text(max_size=400).map(lambda text: text * 100),
        "phone_e164": st.one_of(st.none(), words, st.from_regex(r"\+[1-9][0-9]{6,14}", fullmatch=True)),
        "country_iso": st.one_of(st.none(), words),
        **{column: st.one_of(st.none(), st.text(max_size=30).map(lambda t: t * 90)) for column in DEFAULT_FIELDS},
        "created_at": st.datetimes(timezones=st.timezones()),
        **dict.fromkeys(("call_from", "call_until"), st.one_of(st.none(), st.datetimes(timezones=st.timezones()))),
        "consent_at": st.one_of(st.none(), st.datetimes(timezones=st.timezones())),
        "marketing_opt_in": st.booleans(),
        "same_visit": st.one_of(st.none(), st.lists(words, max_size=5)),
        "consent_choice": st.one_of(st.none(), st.dictionaries(words, st.booleans(), max_size=3)),
        "first_touch": st.one_of(
            st.none(), st.dictionaries(st.sampled_from((*CAMPAIGN, *FIRST_TOUCH_URLS)), words.map(lambda t: t * 9))
        ),
    },
)


@pytest.mark.slow
@given(row=rows)
def test_no_row_makes_a_record_that_the_crm_refuses(row):
    for record in (lead_record(lead(**row), CONFIG), click_record(click(**row), CONFIG)):
        assert record["Last_Name"]
        assert "" not in record.values()
        assert set(record) <= WRITABLE
        assert {name: CHECKS[name](value) for name, value in record.items() if CHECKS[name](value)} == {}
        assert not {"Lead_Status", "Owner"} & set(record)


@pytest.mark.slow
@given(name=st.text("abcdé𠮷", min_size=41, max_size=80), surname=st.text("xyz🦷", min_size=2, max_size=80))
def test_a_name_that_had_to_be_cut_stands_whole_in_the_description(name, surname):
    record = lead_record(lead(name=name, surname=surname), CONFIG)
    assert name.startswith(str(record["First_Name"]))
    assert f"{name} {surname}" in str(record.get("Description"))


def test_an_enquiry_without_a_surname_is_known_by_its_reference():
    assert lead_record(lead(surname=""), CONFIG).get("Last_Name") == "Enquiry 123456"


def test_what_a_visitor_took_back_is_emptied_and_nothing_of_staffs_is_touched():
    assert details_record(lead(interest="All-on-4"), CONFIG) == {
        "Call_From": None,
        "Call_Time": None,
        "Treatment_Interest": "All-on-4",
        "Already_Has": None,
    }


@pytest.mark.parametrize("email", ['"a b"@example.com', "a@localhost", "a@[127.0.0.1]", "a@example.c", ".a@b.co"])
def test_an_address_that_the_crm_refuses_is_kept_in_the_description(email):
    record = lead_record(lead(email=email, message="Hi"), CONFIG)
    assert "Email" not in record
    assert record["Description"] == f"Hi\n\nE-mail as typed: {email}"


def test_a_number_that_could_not_be_normalised_is_kept_in_the_description():
    record = lead_record(lead(phone_e164=None, country_iso=None), CONFIG)
    assert "Phone" not in record
    assert "Country" not in record
    assert record.get("Description") == "Phone as typed: +44 07911 123456"


@pytest.mark.parametrize(
    ("iso", "number", "country"),
    [
        ("GB", "+447911123456", "United Kingdom"),
        (None, "+447911123456", "United Kingdom"),
        ("GG", "+447911123456", "Guernsey"),
        (None, "+14165550123", "Canada"),
        (None, "+77012345678", "Kazakhstan"),
        (None, "+905321234567", "Türkiye"),
        ("ZZ", "+905321234567", None),
    ],
)
def test_the_country_comes_from_the_choice_else_from_the_number(iso, number, country):
    assert lead_record(lead(country_iso=iso, phone_e164=number), CONFIG).get("Country") == country


def test_what_fits_nowhere_else_survives_the_longest_message():
    record = lead_record(lead(message="x" * 40_000, email="nobody"), CONFIG)
    assert len(str(record["Description"])) == 32_000
    assert str(record["Description"]).endswith("E-mail as typed: nobody")


def test_a_moment_in_another_zone_is_sent_in_utc():
    row = lead(created_at=datetime(2026, 1, 1, 1, 0, tzinfo=timezone(timedelta(hours=3))))
    assert lead_record(row, CONFIG)["Submitted_At"] == "2025-12-31T22:00:00+00:00"


def test_a_small_edition_gets_what_sales_staff_need():
    config = parse_fields("", ESSENTIAL_FIELDS)
    row = lead(
        message="Hello",
        google_campaign="Implants",
        utm_source="google",
        utm_medium="cpc",
        current_url="https://clinic.example/offers",
        timezone="Europe/Berlin",
        language="de",
        session_id="s1",
        earlier_enquiry_at=datetime(2026, 11, 1, 8, 0, tzinfo=UTC),
        repeat_enquiry=True,
        earlier_reference="402100",
        earlier_url="https://crm.example/1",
        same_visit=["A1B2C"],
    )
    record = lead_record(row, config)
    names = [*record]
    assert names.index("Description") < names.index("Google_Campaign")  # the question comes first
    assert record["Google_Campaign"] == "Implants"
    assert record["Repeat_Enquiry"] is True
    assert record["Description"] == (
        "Hello\n\nSubmitted At: 2026-11-21T12:30:15+00:00\nEnquiry Page: Offers\n"
        "Page URL: https://clinic.example/offers\nTime Zone: Europe/Berlin\nVisitor Language: German\n"
        "Earlier Enquiry At: 2026-11-01T08:00:00+00:00\nEarlier enquiry: 402100 https://crm.example/1\n"
        "WhatsApp Link: https://wa.me/447911123456\nSame Visit: WhatsApp [A1B2C]"
    )
    assert not {"cpc", "s1"} & set(record.values())
    assert len(custom_fields(config)) == 9
    assert [spec.name for spec in custom_fields(config) if spec.unique] == ["Website_Event_ID"]


def test_fields_go_where_the_environment_says():
    config = parse_fields("google_gclid = $gclid, utm_source=,ip_address=IP_Address", DEFAULT_FIELDS)
    row = lead(utm_source="google", ip_address="127.0.0.1", **CLICKED_AND_AGREED)
    record = lead_record(row, config)
    assert (record["$gclid"], record["IP_Address"]) == ("Cj0K", "127.0.0.1")
    assert not {"UTM_Source", "Google_Click_ID"} & set(record)
    assert not {"$gclid", "UTM_Source"} & {spec.name for spec in custom_fields(config)}


@pytest.mark.parametrize(
    "choice", [None, {}, {"analytics": True}, {"analytics": True, "advertising": False}, {"advertising": "true"}]
)
def test_the_advertisers_click_id_is_sent_only_after_a_yes_to_advertising(choice):
    row = lead(google_gclid="Cj0K", consent_choice=choice)
    config = parse_fields("google_gclid=$gclid", DEFAULT_FIELDS)
    assert "Cj0K" not in lead_record(row, config).values()
    assert lead_record(row, CONFIG)["Google_Click_ID"] == "Cj0K"
    assert "Cj0K" not in click_record(click(google_gclid="Cj0K"), config).values()


def test_what_came_from_one_visit_is_named_as_staff_find_it():
    assert lead_record(lead(same_visit=["A1B2C", "D3E4F"]), CONFIG)["Same_Visit"] == (
        "WhatsApp [A1B2C], WhatsApp [D3E4F]"
    )
    assert click_record(click(same_visit=["123456"]), CONFIG)["Same_Visit"] == "Enquiry 123456"
    assert "Same_Visit" not in lead_record(lead(), CONFIG)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("nonsense=Field", "unknown column"),
        ("utm_source", "no ="),
        ("utm_source=two words", "not an API name"),
        ("utm_source=Owner", "Owner is reserved"),
        ("utm_source=Lead_Status", "Lead_Status is reserved"),
        ("utm_source=UTM_Term", "UTM_Term is used twice"),
    ],
)
def test_a_mapping_that_cannot_be_is_refused_with_its_reason(text, words):
    with pytest.raises(ValueError, match=words):
        parse_fields(text, DEFAULT_FIELDS)


def test_a_refused_field_is_set_aside_and_its_value_kept():
    record = lead_record(lead(message="Hi"), CONFIG)
    rest = move_to_description(record, "Phone")
    assert rest is not None
    assert "Phone" not in rest
    assert rest["Description"] == "Hi\n\nPhone: +447911123456"
    assert record["Phone"] == "+447911123456"


@pytest.mark.parametrize("field", ["Last_Name", "Description", "Website_Event_ID", "Company"])
def test_no_record_does_without(field):
    assert move_to_description(lead_record(lead(message="Hi"), CONFIG), field) is None


FULL = {"google_gclid": "g", "first_touch": {"utm_source": "first"}, "consent_choice": {"analytics": True}}
# Every field on, and a row with a number that the CRM takes beside one with a number that it does not.
ALL_ON = {name: field or f"X_{name}" for name, field in DEFAULT_FIELDS.items()}
ROWS = {
    "leads": (lead_record, [lead(**FULL, **CALLED), lead(phone_e164=None, **FULL)]),
    "whatsapp_clicks": (click_record, [click(**FULL)]),
}
OTHER = {
    "first_touch": {"utm_source": "other"},
    "consent_choice": {"analytics": False},
    "country_iso": "NL",
    "phone_e164": "+31205550199",
    "email": "other@example.com",
    "marketing_opt_in": True,
    **dict.fromkeys(("created_at", "consent_at", "call_from", "call_until"), datetime(2026, 1, 1, tzinfo=UTC)),
    "call_chosen": True,
}


@pytest.mark.parametrize(
    ("table", "column"),
    [(table.name, column.name) for table in (leads, whatsapp_clicks) for column in table.columns],
)
def test_every_column_reaches_the_crm_or_is_kept_back_for_a_reason(table, column):
    to_record, rows = ROWS[table]
    changed = {column: OTHER.get(column, "other")}
    reaches = any(to_record(row, ALL_ON) != to_record({**row, **changed}, ALL_ON) for row in rows)
    assert reaches != (column in NOT_SENT)


@pytest.mark.parametrize("text", ["=1+1", "@SUM(1)", "-2+3", "+1+1", "= 1", "=-@A1", "\uff1d1+1", "\t=1", "\r=1"])
def test_no_text_reaches_a_spreadsheet_as_a_formula(text):
    sent = {"name": text, "surname": text, "message": text, "utm_term": text, "referrer": text}
    record = lead_record(lead(**sent), CONFIG)
    texts = [value for field, value in record.items() if isinstance(value, str) and field != "Phone"]
    assert [value for value in texts if value[0] in "=+-@\t\r\uff1d\uff0b\uff0d\uff20"] == []
    assert record["UTM_Term"] == f"'{text.strip()}"
    assert record["Phone"] == "+447911123456"


def test_an_address_that_looks_like_a_formula_is_told_in_words():
    record = lead_record(lead(email="-2+3@example.com"), CONFIG)
    assert "Email" not in record
    assert "E-mail as typed: -2+3@example.com" in record["Description"]
