"""What strangers typed never steers an operator's terminal."""

import json
import re

import pytest

from tests.support.samples import LEAD, record_lead
from worker.cli.terminal import printable, show

CONTROLS = [
    *map(chr, range(32)),
    "\x7f",
    *map(chr, range(0x80, 0xA0)),
    *"\u061c\u200e\u200f\u202a\u202e\u2066\u2069",
]
# Clear the screen, set its title, and turn the rest of the line around.
HOSTILE = "\x1b[2J\x9b2J\x1b]0;owned\x07\u202eevil\x85"
UNSAFE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def test_a_control_character_is_written_as_its_number():
    for character in CONTROLS:
        written = character if character in "\n\t" else f"\\u{ord(character):04x}"
        assert printable(f"a{character}b") == f"a{written}b"


def test_letters_of_all_scripts_and_pictures_stay():
    text = "Şükrü, 明, سارة, नमस्ते 👩\u200d⚕️ \u00a0é"
    assert printable(text) == text


def test_a_document_stays_the_same_document():
    document = {"text": "".join(CONTROLS) + '\\"'}
    assert json.loads(printable(json.dumps(document, ensure_ascii=False))) == document


@pytest.fixture
def person(engine):
    """An enquiry, stored past the API, which would have cleaned it."""
    hostile = dict.fromkeys(("name", "surname", "utm_source", "message"), HOSTILE)
    record_lead(engine, LEAD | hostile)
    return LEAD["email"]


@pytest.mark.parametrize(
    "words",
    [["export", "--email", "PERSON"], ["show", "PERSON", "--json"], ["show", "PERSON"], ["waiting"],
     ["show", HOSTILE], ["--" + HOSTILE], [HOSTILE]],
    ids=ascii,
)  # fmt: skip
def test_no_command_prints_what_steers_a_terminal(run, person, words):
    shown = run(*(person if word == "PERSON" else word for word in words))
    assert shown.output
    assert UNSAFE.findall(shown.output) == []


def test_what_looks_like_markup_is_printed_as_it_is(capsys):
    show([{"text": "[bold]:smile: WhatsApp [AB12C]"}], ["text"], as_json=False, empty="")
    assert "[bold]:smile: WhatsApp [AB12C]" in capsys.readouterr().out
