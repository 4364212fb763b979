"""The plain pages: what a visitor without any script sees, and that nothing typed is lost or run."""

from __future__ import annotations

import gzip
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from leads.privacy.erasure import Person, erase_person
from tests.support.database import rows_of
from tests.support.samples import PAYLOAD
from tests.support.site import running_site

BUILT = Path(__file__).parents[2] / "frontend/dist"
FORM = {
    **PAYLOAD,
    "message": "How long?\r\nAnd how much?",
    "marketing": "2026-11-22",
    "website": "",
    "zc_gad": "G1",
    "key": "press",
    "start": "token",
    "visit": '{"eventId": "e-1"}',
}
COMPLAINT = {
    "name": "Ada Sample",
    "email": "ada@example.com",
    "text": "I heard nothing.",
    "website": "",
    "key": "k",
}
TOKEN = f"{'0a' * 16}.{'1b' * 12}"
CALL = "Our experts will call you within 24 hours."
BODIES = {"/enquiry": FORM, "/complaint": COMPLAINT}
HOSTILE = "\"><script>alert(1)</script>'{{7*7}}{% raw %}&amp;"


class Page(HTMLParser):
    """What matters of a page: title, values of the form's fields, the field with the focus, links, scripts."""

    def __init__(self, html):
        super().__init__()
        self.title, self.text, self.fields, self.links = "", "", {}, []
        self.focused, self.invalid, self.scripts = [], [], 0
        self._within, self._select = [], ""
        self.feed(html)

    def handle_starttag(self, tag, pairs):
        attributes = dict(pairs)
        name = attributes.get("name")
        if tag == "script":
            self.scripts += 1
        if tag == "a":
            self.links.append(attributes["href"])
        if tag == "select":
            self._select = name
        if tag == "option" and ("selected" in attributes or self._select not in self.fields):
            self.fields[self._select] = attributes["value"]
        if tag in {"input", "textarea"}:
            self._take(name, attributes)
        if tag in {"title", "textarea"}:
            self._within.append((tag, name))

    def _take(self, name, attributes):
        if attributes.get("type") != "checkbox" or "checked" in attributes:
            self.fields[name] = attributes.get("value", "")
        if "autofocus" in attributes:
            self.focused.append(name)
        if attributes.get("aria-invalid") == "true":
            self.invalid.append(name)

    def handle_endtag(self, tag):
        if self._within and self._within[-1][0] == tag:
            self._within.pop()

    def handle_data(self, data):
        self.text += data
        if self._within and self._within[-1][0] == "title":
            self.title += data
        elif self._within:
            self.fields[self._within[-1][1]] += data


def lines(text):
    return text.replace("\r\n", "\n")


@pytest.mark.parametrize("path", BODIES)
def test_what_is_wrong_is_said_at_its_field_and_all_that_was_typed_is_there(client, path):
    body = BODIES[path] | {"name": "A", "email": "ada@"}
    answer = client.post(path, data=body)
    page = Page(answer.text)
    assert answer.status_code == 422
    assert answer.content_type == "text/html; charset=utf-8"
    assert answer.headers["Cache-Control"] == "no-store"
    assert "default-src 'self'" in answer.headers["Content-Security-Policy"]
    assert answer.headers["Content-Length"] == str(len(answer.data))
    assert page.title == "invalid"
    assert page.links[2:] == ["#name", "#email"]
    assert "Name must be at least 2 characters" in page.text
    assert page.fields == {name: lines(text) for name, text in body.items()} | {
        "visit": page.fields.get("visit", "")
    }


def test_a_missing_country_is_told_at_the_phone(client):
    page = Page(client.post("/enquiry", data=FORM | {"countryCode": ""}).text)
    assert page.links[2:] == ["#phone"]
    assert "Please select a country code" in page.text


@pytest.mark.parametrize("path", BODIES)
def test_without_postgresql_the_page_says_so_and_keeps_everything(make_client, path):
    client = make_client(
        DATABASE_URL="postgresql://127.0.0.1:1/none",
        CLINIC_PHONE="+90 212 555 00 00",
        WHATSAPP_NUMBER="902125550000",
    )
    answer = client.post(path, data=BODIES[path])
    page = Page(answer.text)
    assert answer.status_code == 503
    assert answer.headers["Retry-After"] == "5"
    assert page.title == "failed"
    assert page.links == ["tel:+902125550000", "https://wa.me/902125550000?text=Hi"]
    assert {name: page.fields[name] for name in BODIES[path]} == {
        name: lines(text) for name, text in BODIES[path].items()
    }


def test_too_many_are_told_when_to_come_back_and_keep_everything(make_client):
    client = make_client(LEADS_PER_ADDRESS="1")
    client.tokens = False
    answers = [client.post("/enquiry", data=FORM | {"key": f"press-{number}"}) for number in range(6)]
    assert [answer.status_code for answer in answers] == [303] * 5 + [429]
    page = Page(answers[-1].text)
    assert (page.title, page.fields["message"]) == ("limited", "How long?\nAnd how much?")
    assert 0 < int(answers[-1].headers["Retry-After"]) <= 600


def test_a_used_key_is_answered_with_a_new_one_that_works(client):
    assert client.post("/enquiry", data=FORM | {"key": "used"}).status_code == 303
    changed = FORM | {"key": "used", "message": "Another question"}
    page = Page((answer := client.post("/enquiry", data=changed)).text)
    assert (answer.status_code, page.title) == (409, "again")
    assert page.fields["key"] not in {"", "used"}
    assert client.post("/enquiry", data=page.fields).status_code == 303


def test_who_was_erased_may_ask_again(make_client, engine, database_url):
    client = make_client(DATABASE_URL=database_url)
    entry = FORM | {"key": ""}
    assert client.post("/enquiry", data=entry).status_code == 303
    erase_person(engine, Person(email="ada@example.com"), by="test", key="")
    page = Page((answer := client.post("/enquiry", data=entry)).text)
    assert (answer.status_code, page.title) == (409, "again")
    assert client.post("/enquiry", data=page.fields).status_code == 303


@pytest.mark.parametrize("path", BODIES)
@pytest.mark.parametrize(
    ("method", "body", "status", "title"),
    [
        ("POST", {"data": {"text": "x" * 65 * 1024}}, 413, "long"),
        ("POST", {"json": {"name": "Ada"}}, 415, "unreadable"),
        ("PUT", {"data": {"name": "Ada"}}, 405, "unreadable"),
        ("DELETE", {}, 405, "unreadable"),
    ],
)
def test_errors_before_the_form_is_read_are_pages_too(client, path, method, body, status, title):
    answer = client.open(path, method=method, **body)
    assert (answer.status_code, Page(answer.text).title) == (status, title)
    assert answer.content_type == "text/html; charset=utf-8"
    assert status != 405 or "POST" in answer.headers["Allow"]


def test_an_unexpected_error_is_a_page_that_keeps_everything(client, monkeypatch, caplog):
    def explode(*_, **__):
        raise ZeroDivisionError("ada@example.com")

    monkeypatch.setattr("api.resources.leads.submission", explode)
    answer = client.post("/enquiry", data=FORM)
    page = Page(answer.text)
    assert (answer.status_code, page.title, page.fields["email"]) == (500, "failed", "ada@example.com")
    assert "ada@example.com" not in caplog.text


def test_what_is_typed_comes_back_as_text(client):
    body = dict.fromkeys(FORM, HOSTILE)
    answer = client.post("/enquiry", data=body)
    page = Page(answer.text)
    assert answer.status_code == 422
    assert page.scripts == 0
    assert "49" not in answer.text
    assert {name: page.fields[name] for name in body if name != "visit"} == {
        name: HOSTILE for name in body if name != "visit"
    }


def test_the_visit_is_carried_on_from_the_page_that_was_pressed_first(make_client, engine, database_url):
    client = make_client(DATABASE_URL=database_url)
    page_address = "http://localhost/dental-implants?gclid=G7"
    headers = {"Referer": page_address, "Accept-Language": "tr"}
    wrong = FORM | {"name": "A", "zc_gad": "", "visit": ""}
    page = Page(client.post("/enquiry", data=wrong, headers=headers).text)
    right = page.fields | {"name": "Ada"}
    assert client.post("/enquiry", data=right, headers={"Referer": "http://localhost/enquiry"}).status_code == 303
    (row,) = rows_of(engine, "SELECT google_gclid, language, current_url FROM leads")
    assert row == {"google_gclid": "G7", "language": "tr", "current_url": page_address}


def test_the_empty_form_has_an_address_and_the_complaints_leads_to_the_real_page(client):
    answer = client.get("/enquiry?utm_source=google")
    assert (answer.status_code, Page(answer.text).title, Page(answer.text).fields) == (200, "open", {})
    assert answer.headers["Cache-Control"] == "no-cache"
    assert client.head("/enquiry").status_code == 200
    complaint = client.get("/complaint")
    assert (complaint.status_code, complaint.location) == (303, "/data-complaint")


@pytest.mark.parametrize("path", ["/enquiry/", "/Enquiry", "/COMPLAINT/"])
def test_a_typed_address_leads_to_the_form_and_keeps_what_is_posted(client, path):
    answer = client.post(path, data=FORM)
    assert answer.status_code == 308
    assert answer.location in BODIES


@pytest.mark.parametrize("path", ["/enquiryx", "/enquiry/x", "/complaints", "/plain/enquiry.html", "/plain"])
def test_nothing_else_is_there(client, path):
    answer = client.get(path)
    assert answer.status_code == 404
    assert "404 Page Not Found" in answer.text


def test_errors_of_the_api_stay_json(client):
    for answer in (client.post("/api/leads", json={}), client.get("/api/leads"), client.get("/api/nothing")):
        assert answer.content_type == "application/json"


def test_without_a_build_a_form_is_stored_and_an_error_is_json(make_client, tmp_path):
    client = make_client(FRONTEND_DIR=str(tmp_path / "nowhere"))
    assert client.post("/enquiry", data=FORM | {"key": "unbuilt"}).status_code == 303
    assert client.post("/enquiry", data={"name": ""}).json["code"] == 422


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("/thank-you?reference=402117", "Submitted: <b>402117</b>"),
        ("/thank-you?utm_source=a&reference=402117&b=c", "Submitted: <b>402117</b>"),
        ("/data-complaint?reference=C-0402117", "Logged: <b>C-0402117</b>"),
        (f"/thank-you?reference=402117&details={TOKEN}", f"Submitted: <b>402117</b> {CALL} <i>{TOKEN}</i>"),
        ("/thank-you?reference=402117&details=saved", "Submitted: <b>402117</b> saved"),
        (f"/thank-you?reference=402117&details={TOKEN}<b>", "Submitted: <b>402117</b>"),
        (f"/thank-you?reference=402117&details={TOKEN.upper()}", "Submitted: <b>402117</b>"),
        (f"/thank-you?details={TOKEN}", "Thanks"),
        ("/thank-you", "Thanks"),
        ("/thank-you?utm_source=a", "Thanks"),
        ("/thank-you?reference=", "Thanks"),
        ("/thank-you?reference=40211", "Thanks"),
        ("/thank-you?reference=4021170", "Thanks"),
        ("/thank-you?xreference=402117", "Thanks"),
        ("/thank-you?reference=C-0402117", "Thanks"),
        ("/thank-you?reference=<b>402117", "Thanks"),
        ("/thank-you?reference=%3402117", "Thanks"),
        ("/thank-you?reference=\u0664\u0660\u0662\u0661\u0661\u0667", "Thanks"),
        ("/data-complaint?reference=402117", "Tell us"),
        ("/data-complaint?reference=C-0402117%0a", "Tell us"),
        ("/?reference=402117", "Welcome"),
    ],
)
def test_a_reference_in_the_address_is_shown_and_nothing_else_is(client, address, shown):
    answer = client.get(address)
    assert answer.status_code == 200
    assert f'<div id="root">{shown}</div>' in answer.text


def test_a_receipt_is_answered_like_every_page(client):
    address = "/thank-you?reference=402117"
    plain = client.get(address)
    packed = client.get(address, headers={"Accept-Encoding": "gzip"})
    assert gzip.decompress(packed.data) == plain.data
    assert plain.headers["Cache-Control"] == "no-cache"
    assert plain.headers["X-Frame-Options"] == "DENY"
    assert client.get(address, headers={"If-None-Match": plain.headers["ETag"]}).status_code == 304
    assert client.get("/thank-you?reference=402118").headers["ETag"] != plain.headers["ETag"]
    assert client.head(address).headers["Content-Length"] == str(len(plain.data))
    assert client.post(address).status_code == 405


@pytest.fixture(scope="module")
def built(module_database_url):
    """A client of the real build, as far as there is one: `make test-browser` and `make run` make it."""
    if not (BUILT / "plain/enquiry.html").is_file():
        pytest.skip("the pages are not built (make build)")
    with running_site(DATABASE_URL=module_database_url, FRONTEND_DIR=str(BUILT)) as app:
        yield app.test_client()


def test_the_built_page_marks_what_is_wrong_and_keeps_everything(built):
    body = FORM | {"name": "A", "email": "ada@", "countryCode": "+1-ca", "phone": "604 555 0123"}
    page = Page(built.post("/enquiry", data=body).text)
    assert page.title.startswith("Please check the form | ")
    assert page.invalid == page.focused == ["name", "email"]
    assert [link for link in page.links if link in {"#name", "#surname", "#email", "#phone", "#message"}] == [
        "#name",
        "#email",
    ]
    assert "Please check 2 fields" in page.text
    marketing = page.fields.pop("marketing")
    assert marketing
    assert page.fields == {name: lines(text) for name, text in body.items() if name != "marketing"}
    assert page.scripts == 0


def test_the_built_page_of_one_wrong_field_says_one(built):
    body = FORM | {"phone": "12"}
    del body["marketing"]
    page = Page(built.post("/enquiry", data=body).text)
    assert "Please check one field" in page.text
    assert page.focused == ["phone"]
    assert "marketing" not in page.fields
    assert page.fields["countryCode"] == "+44"


PLAN = {"list": "home", "about": "several", "missing": "16,17", "replace": "24", "xray": "yes"}


def teeth_of(html):
    """The state of each tooth on the page, by its FDI number."""
    return dict(re.findall(r'value="(\d\d)" class="plan-tooth" data-mark="(\w+)"', html))


def test_the_built_price_plan_answers_with_the_same_page(built):
    answer = built.post("/plan", data=PLAN)
    page, teeth = Page(answer.text), teeth_of(answer.text)
    assert (answer.status_code, answer.headers["Cache-Control"], page.scripts) == (200, "no-store", 0)
    assert page.title.startswith("Work out your price | ")
    assert {name: page.fields[name] for name in ("list", "missing", "replace")} == {
        name: PLAN[name] for name in ("list", "missing", "replace")
    }
    assert (len(teeth), teeth["16"], teeth["24"], teeth["11"]) == (32, "missing", "replace", "none")
    assert "Upper right, third from the back, missing" in answer.text
    assert re.sub(r"&version=\w{8}$", "", page.fields["plan"]) == "&".join(f"{n}={v}" for n, v in PLAN.items())
    assert ("in listed prices" in page.text, "Only a scan can tell" in page.text) == (True, False)


@pytest.mark.parametrize(
    ("tapped", "tooth", "mark"),
    [("16", "16", "replace"), ("24", "24", "none"), ("11", "11", "missing"), ("upper", "27", "missing")],
)
def test_a_tap_on_the_built_price_plan_marks_a_tooth(built, tapped, tooth, mark):
    answer = built.post("/plan", data=PLAN | {"tap": tapped})
    assert teeth_of(answer.text)[tooth] == mark


def test_the_built_price_plan_gives_no_number_where_only_a_scan_can_tell(built):
    page = Page(built.post("/plan", data=PLAN | {"about": "bone"}).text)
    assert "Only a scan can tell" in page.text
    assert "in listed prices" not in page.text
    assert "\u00a3" not in page.text


def test_the_built_price_plan_takes_hostile_text_as_text(built):
    for body in (dict.fromkeys(PLAN, HOSTILE), PLAN | {"tap": HOSTILE}, {"tap": "16"}):
        answer = built.post("/plan", data=body)
        assert answer.status_code == 200
        assert "alert(1)" not in answer.text
    assert built.get("/plan").location == "/your-plan"


def test_the_built_form_keeps_the_plan_that_it_came_with(built):
    text = "list=home&about=several&missing=16"
    page = Page(built.post("/enquiry", data=FORM | {"email": "ada@", "plan": text}).text)
    assert page.fields["plan"] == text
    assert "plan" not in Page(built.post("/enquiry", data=FORM | {"email": "ada@"}).text).fields


def test_the_built_pages_take_hostile_text_as_text(built):
    for path, body in BODIES.items():
        answer = built.post(path, data=dict.fromkeys(body, HOSTILE))
        page = Page(answer.text)
        assert answer.status_code == 422
        assert page.scripts == 0
        assert page.fields["name"] == HOSTILE
        assert "{%" not in answer.text.replace("{% raw %}", "")


def test_the_built_pages_have_a_title_for_each_state(built):
    titles = {
        built.get("/enquiry").text: "Your free consultation",
        built.post("/enquiry", data={"x": "x" * 66_000}).text: "Too long to send",
        built.post("/enquiry", json={}).text: "Please fill this in again",
        built.post("/complaint", json={}).text: "Please fill this in again",
    }
    for html, title in titles.items():
        page = Page(html)
        assert page.title.startswith(f"{title} | ")
        assert (len(page.fields) > 0) is (title != "Too long to send")


def test_what_could_not_be_added_is_asked_for_again(built):
    answer = built.post("/details", data={"token": TOKEN, "reference": "402117", "has": "xray"})
    page = Page(answer.text)
    assert answer.status_code == 403
    assert page.title.startswith("Please tell us directly | ")
    assert "token" not in page.fields
    wrong = built.post("/details", data={"token": HOSTILE, "reference": "402117", "has": "gold"})
    page = Page(wrong.text)
    assert wrong.status_code == 422
    assert page.fields["token"] == HOSTILE
    assert page.scripts == 0


def test_the_built_receipt_asks_with_the_enquirys_token(built):
    page = Page(built.get(f"/thank-you?reference=402117&details={TOKEN}").text)
    assert (page.fields["token"], page.fields["reference"]) == (TOKEN, "402117")
    assert "within 24 hours" in page.text
    assert "token" not in Page(built.get("/thank-you?reference=402117&details=saved").text).fields


def test_the_built_receipts_show_their_reference_once(built):
    for address in ("/thank-you?reference=402117", "/data-complaint?reference=C-0402117"):
        html = built.get(address).text
        assert html.count(address.partition("=")[2] + "</output>") == 1
        assert "{{" not in html
