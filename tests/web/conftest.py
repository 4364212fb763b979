"""A small built site in a folder, and applications that serve it."""

import gzip
import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import brotli
import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.support.site import running_site

PAGE = (
    '<!doctype html><html><head><title>{}</title><!--settings--></head><body><div id="root">{}</div></body></html>'
)
# What the build writes for the server to fill, in short.
FIELDS = ("name", "surname", "email", "phone")
STATES = ("open", "invalid", "limited", "failed", "again", "long", "closed", "unreadable")
PLAIN_FORM = """<!doctype html><html><head><title>{state}</title></head><body>
<a href="tel:{{{{clinic-phone-digits}}}}">{{{{clinic-phone}}}}</a> <a href="https://wa.me/{{{{whatsapp-number}}}}?text=Hi">chat</a>
<form method="post">{fields}<textarea name="message"></textarea>
<select name="countryCode"><option value="">Country<option>UK +44<option value="+1-ca">CAN +1</select>
<input type="checkbox" name="marketing" value="2026-11-22"/></form></body></html>"""


ROUTES = {
    "/": "index.html",
    "/call": "call.html",
    "/pricing": "index.html",
    "/implants/prices": "index.html",
    "/thank-you": "thank-you/index.html",
}


def _plain_form(state: str) -> str:
    error = '<p data-error="{0}" hidden=""><span data-message="{0}"></span></p>'
    shown = "".join(f'<input name="{name}"/>{error.format(name)}' for name in FIELDS)
    hidden = "".join(f'<input type="hidden" name="{name}"/>' for name in ("zc_gad", "key", "start", "visit"))
    return PLAIN_FORM.format(state=state, fields=f'{shown}{hidden}<input name="website" value=""/>')


@pytest.fixture
def dist(tmp_path: Path) -> Path:
    """A site of this test's own."""
    return _build(tmp_path)


def _build(place: Path) -> Path:
    folder = place / "dist"
    links = (
        '<a href="tel:{{clinic-phone-digits}}">{{clinic-phone}}</a>'
        ' <a href="https://wa.me/{{whatsapp-number}}?text=Hi">chat</a>'
    )
    thanks = "Submitted: <b>{{reference}}</b>"
    script = b"console.log('clinic');" * 100
    files = {
        "index.html": PAGE.format("Home", "Welcome"),
        "call.html": PAGE.format("Call", links),
        "thank-you/index.html": PAGE.format("Thank you", "Thanks"),
        "404.html": PAGE.format("404", "404 Page Not Found"),
        "plain/thank-you.html": PAGE.format("Thank you", thanks),
        "plain/thank-you-details.html": PAGE.format("More", f"{thanks} {{{{call}}}} <i>{{{{details}}}}</i>"),
        "plain/thank-you-saved.html": PAGE.format("Saved", f"{thanks} saved"),
        **{f"plain/{name}-{state}.html": _plain_form(state) for name in ("enquiry", "details") for state in STATES},
        "routes.json": json.dumps(ROUTES),
        "go-live.json": "[]",
        "assets/app-1a2b.js": script,
        "assets/app-1a2b.js.br": brotli.compress(script),
        "assets/app-1a2b.js.gz": gzip.compress(script),
        "assets/film-3c4d.mp4": bytes(range(256)) * 16,
        "arrival-5e6f.js": "import('./assets/app-1a2b.js');",
        "favicon.svg": f"<svg xmlns='http://www.w3.org/2000/svg'>{'<path/>' * 20}</svg>",
        "robots.txt": "User-agent: *\n",
        "../secret.txt": "outside",
    }
    for name, content in files.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder


@pytest.fixture
def make_client(dist: Path, module_database_url: str) -> Iterator[Callable[..., FlaskClient]]:
    """A client of an application with further environment variables."""
    with ExitStack() as stack:

        def make(**environ: Any) -> FlaskClient:
            fixed = {"DATABASE_URL": module_database_url, "FRONTEND_DIR": str(dist)}
            return stack.enter_context(running_site(**fixed | environ)).test_client()

        yield make


@pytest.fixture(scope="module")
def app(module_database_url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Flask]:
    """An application that the tests of one module share."""
    dist = _build(tmp_path_factory.mktemp("site"))
    with running_site(DATABASE_URL=module_database_url, FRONTEND_DIR=str(dist)) as app:
        yield app


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()
