"""The plain pages as the front end is built: titles, fields, and that nothing typed is run."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.plain import BODIES, FORM, HOSTILE, TOKEN, Page, lines
from tests.support.site import running_site

BUILT = Path(__file__).parents[2] / "frontend/dist"


@pytest.fixture(scope="module")
def built(module_database_url):
    """A client of the real build, as far as there is one: `make test-browser` and `make run` make it."""
    if not (BUILT / "plain/enquiry-open.html").is_file():
        pytest.skip("the pages are not built (make build)")
    with running_site(DATABASE_URL=module_database_url, FRONTEND_DIR=str(BUILT)) as app:
        yield app.test_client()


def test_the_built_page_marks_what_is_wrong_and_keeps_everything(built):
    body = FORM | {"name": "A", "email": "ada@", "countryCode": "+1-ca", "phone": "604 555 0123"}
    page = Page(built.post("/enquiry", data=body).text)
    assert page.title.startswith("Please check the form | ")
    assert (page.invalid, page.focused) == (["name", "email"], ["name"])
    marketing = page.fields.pop("marketing")
    assert marketing
    assert page.fields == {name: lines(text) for name, text in body.items() if name != "marketing"}
    assert page.scripts == 0


def test_the_built_page_shows_the_message_of_a_wrong_field_alone(built):
    body = FORM | {"phone": "12"}
    del body["marketing"]
    html = built.post("/enquiry", data=body).text
    page = Page(html)
    assert page.focused == ["phone"]
    assert html.count('data-error="phone">') == html.count('data-error="name" hidden') == 2
    assert "marketing" not in page.fields
    assert page.fields["countryCode"] == "+44"


def test_the_built_pages_take_hostile_text_as_text(built):
    for path, body in BODIES.items():
        answer = built.post(path, data=dict.fromkeys(body, HOSTILE))
        page = Page(answer.text)
        assert answer.status_code == 422
        assert page.scripts == 0
        assert page.fields["name"] == HOSTILE


def test_the_built_pages_have_a_title_for_each_state(built):
    titles = {
        built.get("/enquiry").text: "Your free consultation",
        built.post("/enquiry", data={"x": "x" * 66_000}).text: "Too long to send",
        built.post("/enquiry", json={}).text: "Please fill this in again",
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


def test_the_built_receipt_shows_its_reference_once(built):
    html = built.get("/thank-you?reference=402117").text
    assert html.count("402117</output>") == 1
    assert "My%20reference%20is%20402117." in html
    assert "{{" not in html
