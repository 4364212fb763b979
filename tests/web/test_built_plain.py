"""The plain pages as the front end is built: each state has its page, and nothing typed is lost or run."""

from pathlib import Path

import pytest

from tests.support.plain import BODIES, FORM, HOSTILE, TOKEN, Page, lines
from tests.support.site import running_site

BUILT = Path(__file__).parents[2] / "frontend/dist"


@pytest.fixture(scope="module")
def built(module_database_url):
    """A client of the real build, as far as there is one: `make test` and `make run` make it."""
    if not (BUILT / "plain/enquiry-open.html").is_file():
        pytest.skip("the pages are not built (make run builds them)")
    with running_site(DATABASE_URL=module_database_url, FRONTEND_DIR=str(BUILT)) as app:
        yield app.test_client()


def test_the_built_page_marks_what_is_wrong_and_keeps_everything(built):
    body = FORM | {"name": "A", "email": "ada@", "countryCode": "+1-ca", "phone": "604 555 0123"}
    html = built.post("/enquiry", data=body).text
    page = Page(html)
    assert page.title.startswith("Please check the form | ")
    assert (page.invalid, page.focused, page.scripts) == (["name", "email"], ["name"], 0)
    assert html.count('data-error="name">') == html.count('data-error="phone" hidden') == 2
    assert page.fields.pop("marketing")
    assert page.fields == {name: lines(text) for name, text in body.items() if name != "marketing"}


def test_the_built_pages_take_hostile_text_as_text(built):
    for path, body in (*BODIES.items(), ("/details", {"token": "", "reference": "", "has": ""})):
        answer = built.post(path, data=dict.fromkeys(body, HOSTILE))
        page = Page(answer.text)
        assert (answer.status_code, page.scripts) == (422, 0)
        assert HOSTILE in page.fields.values()


def test_the_built_receipt_shows_its_reference_and_asks_with_the_enquirys_token(built):
    html = built.get(f"/thank-you?reference=402117&details={TOKEN}").text
    assert html.count("402117</output>") == 1
    assert "My%20reference%20is%20402117." in html
    assert "{{" not in html
    assert "within 24 hours" in html
    assert (Page(html).fields["token"], Page(html).fields["reference"]) == (TOKEN, "402117")
    assert "token" not in Page(built.get("/thank-you?reference=402117&details=saved").text).fields
