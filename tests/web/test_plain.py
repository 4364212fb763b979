"""The plain pages: what a visitor without any script sees, and that nothing typed is lost or run."""

import pytest

from api.limits.rules import LIMITS, Limit
from leads.outbox.holds import Held
from leads.privacy.erasure import Person, erase_person
from tests.support.database import rows_of
from tests.support.plain import FORM, HOSTILE, TOKEN, Page, lines

CALL = "Our experts will call you within 24 hours."
TYPED = {name: lines(text) for name, text in FORM.items()}


def send(client, form, path="/enquiry", **options):
    """An answer, and what matters of its page."""
    answer = client.post(path, data=form, **options)
    return answer, Page(answer.text)


def test_what_is_wrong_is_said_at_its_field_and_all_that_was_typed_is_there(client):
    wrong = {"name": "A", "email": "ada@"}
    answer, page = send(client, FORM | wrong)
    assert (answer.status_code, answer.content_type) == (422, "text/html; charset=utf-8")
    assert answer.headers["Cache-Control"] == "no-store"
    assert "default-src 'self'" in answer.headers["Content-Security-Policy"]
    assert answer.headers["Content-Length"] == str(len(answer.data))
    assert (page.title, page.invalid, page.focused) == ("invalid", ["name", "email"], ["name"])
    assert "Name must be at least 2 characters" in page.text
    assert page.fields == TYPED | wrong


def test_a_missing_country_is_told_at_the_phone(client):
    _, page = send(client, FORM | {"countryCode": "", "phone": ""})
    assert page.invalid == ["phone"]
    assert "Please select a country code. Please enter your phone number" in page.text


def test_without_postgresql_the_page_says_so_and_keeps_everything(make_client):
    numbers = {"CLINIC_PHONE": "+90 212 555 00 00", "WHATSAPP_NUMBER": "902125550000"}
    answer, page = send(make_client(DATABASE_URL="postgresql://127.0.0.1:1/none", **numbers), FORM)
    assert (answer.status_code, answer.headers["Retry-After"], page.title) == (503, "5", "failed")
    assert page.links == ["tel:+902125550000", "https://wa.me/902125550000?text=Hi"]
    assert page.fields == TYPED


def test_too_many_are_told_when_to_come_back_and_keep_everything(make_client):
    client = make_client(limits=LIMITS._replace(held_of_address=Limit(1, 600, Held.FLOOD)))
    client.tokens = False
    answers = [send(client, FORM | {"key": f"press-{number}"}) for number in range(4)]
    assert [answer.status_code for answer, _ in answers] == [303] * 3 + [429]
    answer, page = answers[-1]
    assert (page.title, page.fields["message"]) == ("limited", TYPED["message"])
    assert 0 < int(answer.headers["Retry-After"]) <= 600


def test_a_used_key_is_answered_with_a_new_one_that_works(client):
    assert send(client, FORM | {"key": "used"})[0].status_code == 303
    assert_asked_again(client, FORM | {"key": "used", "message": "Another question"})


def test_who_was_erased_may_ask_again(make_client, engine, database_url):
    client, entry = make_client(DATABASE_URL=database_url), FORM | {"key": ""}
    assert send(client, entry)[0].status_code == 303
    erase_person(engine, Person(email="ada@example.com"), by="test", key="")
    assert_asked_again(client, entry)


def assert_asked_again(client, form):
    answer, page = send(client, form)
    assert (answer.status_code, page.title) == (409, "again")
    assert page.fields["key"] not in {"", form["key"]}
    assert send(client, page.fields)[0].status_code == 303


@pytest.mark.parametrize("path", ["/enquiry", "/details"])
def test_errors_before_the_form_is_read_are_pages_too(client, path):
    for method, body, status, title in (
        ("POST", {"data": {"text": "x" * 65 * 1024}}, 413, "long"),
        ("POST", {"json": {"name": "Ada"}}, 415, "unreadable"),
        ("PUT", {"data": {"name": "Ada"}}, 405, "unreadable"),
    ):
        answer = client.open(path, method=method, **body)
        assert (answer.status_code, Page(answer.text).title) == (status, title)
        assert answer.content_type == "text/html; charset=utf-8"
        assert status != 405 or "POST" in answer.headers["Allow"]


def test_an_unexpected_error_is_a_page_that_keeps_everything(client, monkeypatch, caplog):
    def explode(*_, **__):
        raise ZeroDivisionError("ada@example.com")

    monkeypatch.setattr("api.resources.leads.submission", explode)
    answer, page = send(client, FORM)
    assert (answer.status_code, page.title, page.fields) == (500, "failed", TYPED)
    assert "ada@example.com" not in caplog.text


def test_what_is_typed_comes_back_as_text(client):
    answer, page = send(client, dict.fromkeys(FORM, HOSTILE))
    assert (answer.status_code, page.scripts) == (422, 0)
    assert "49" not in answer.text
    taken = FORM.keys() - {"visit", "website", "marketing", "countryCode"}
    assert {page.fields[name] for name in taken} == {HOSTILE}
    assert "marketing" not in page.fields


def test_the_visit_is_carried_on_from_the_page_that_was_pressed_first(make_client, engine, database_url):
    client, page_address = make_client(DATABASE_URL=database_url), "http://localhost/dental-implants?gclid=G7"
    headers = {"Referer": page_address, "Accept-Language": "tr"}
    _, page = send(client, FORM | {"name": "A", "zc_gad": "", "visit": ""}, headers=headers)
    again = {"Referer": "http://localhost/enquiry"}
    assert send(client, page.fields | {"name": "Ada"}, headers=again)[0].status_code == 303
    (row,) = rows_of(engine, "SELECT google_gclid, language, current_url FROM leads")
    assert row == {"google_gclid": "G7", "language": "tr", "current_url": page_address}


def test_the_empty_form_has_an_address(client):
    answer = client.get("/enquiry?utm_source=google")
    page = Page(answer.text)
    assert (answer.status_code, page.title, {*page.fields.values()}) == (200, "open", {""})
    assert answer.headers["Cache-Control"] == "no-cache"
    assert client.head("/enquiry").status_code == 200
    typed = client.post("/DETAILS/", data=FORM)
    assert (typed.status_code, typed.location) == (308, "/details")
    for path in ("/enquiryx", "/enquiry/x", "/plain/enquiry-open.html"):
        assert client.get(path).status_code == 404


def test_errors_of_the_api_stay_json_and_without_a_build_those_of_forms_too(client, make_client, tmp_path):
    for answer in (client.post("/api/leads", json={}), client.get("/api/leads"), client.get("/api/nothing")):
        assert answer.content_type == "application/json"
    unbuilt = make_client(FRONTEND_DIR=str(tmp_path / "nowhere"))
    assert send(unbuilt, FORM | {"key": "unbuilt"})[0].status_code == 303
    assert unbuilt.post("/enquiry", data={"name": ""}).json["code"] == 422


@pytest.mark.parametrize(
    ("query", "shown"),
    [
        ("?reference=402117", "Submitted: <b>402117</b>"),
        ("?utm_source=a&reference=402117&b=c", "Submitted: <b>402117</b>"),
        (f"?reference=402117&details={TOKEN}", f"Submitted: <b>402117</b> {CALL} <i>{TOKEN}</i>"),
        ("?reference=402117&details=saved", "Submitted: <b>402117</b> saved"),
        (f"?reference=402117&details={TOKEN}<b>", "Submitted: <b>402117</b>"),
        (f"?details={TOKEN}", "Thanks"),
        ("?reference=", "Thanks"),
        ("?reference=4021170", "Thanks"),
        ("?xreference=402117", "Thanks"),
        ("?reference=<b>402117", "Thanks"),
        ("?reference=\u0664\u0660\u0662\u0661\u0661\u0667", "Thanks"),
    ],
    ids=range(11),
)
def test_a_reference_in_the_address_is_shown_and_nothing_else_is(client, query, shown):
    answer = client.get(f"/thank-you{query}")
    assert answer.status_code == 200
    assert f'<div id="root">{shown}</div>' in answer.text
