"""A site in production starts with the clinic's own content and numbers, or not at all."""

import json

import pytest

from leads.settings import read_settings
from web.__main__ import main, unready

STOPS = ["clinic.yaml, email: a placeholder (hello@example.com)", "dentists.yaml, dentists: no dentist is named"]
PLACEHOLDER = "is required: the pages show a placeholder"
PRODUCTION = {
    "DATABASE_URL": "postgresql:///none",
    "ENVIRONMENT": "production",
    "CLINIC_PHONE": "+90 212 555 00 11",
    "WHATSAPP_NUMBER": "+90 532 555 00 22",
}


def start(*_):
    raise OSError("it would start")


@pytest.fixture
def environ(tmp_path):
    (tmp_path / "go-live.json").write_text(json.dumps(STOPS))
    return PRODUCTION | {"FRONTEND_DIR": str(tmp_path)}


def test_a_build_that_lacks_something_does_not_start_and_each_line_says_what(environ, monkeypatch, capsys):
    for name, value in environ.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr("web.__main__.create_app", start)
    assert main() == 1
    assert capsys.readouterr().err.splitlines()[1:] == [f"  {line}" for line in STOPS]


@pytest.mark.parametrize(
    ("change", "lines"),
    [
        ({}, STOPS),
        ({"CLINIC_PHONE": "+90 (212) 000-00-00"}, [f"CLINIC_PHONE {PLACEHOLDER}", *STOPS]),
        ({"WHATSAPP_NUMBER": ""}, [f"WHATSAPP_NUMBER {PLACEHOLDER}", *STOPS]),
        ({"FRONTEND_DIR": "nowhere"}, ["nowhere/go-live.json is missing: build the pages"]),
        ({"ENVIRONMENT": "development", "CLINIC_PHONE": ""}, []),
    ],
    ids=["content", "telephone", "whatsapp", "no-build", "development"],
)
def test_what_keeps_it_from_starting(environ, change, lines):
    assert list(unready(read_settings(environ | change))) == lines


def test_a_build_that_lacks_nothing_keeps_no_site_from_starting(environ, tmp_path):
    (tmp_path / "go-live.json").write_text("[]")
    assert list(unready(read_settings(environ))) == []
