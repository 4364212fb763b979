"""Nothing that cannot be stored gets through, and nothing that can is lost."""

from __future__ import annotations

from leads.text import strip_control, truncate
from tests.support.properties import given, st


def test_what_postgresql_cannot_store_is_taken_out():
    assert strip_control("  a\x00b\ud800c\x1b\n d ") == "abc\n d"


@given(st.text(st.characters(), max_size=300))
def test_cleaned_text_always_encodes_and_cleaning_twice_changes_nothing(text):
    once = strip_control(text)
    assert "\x00" not in once
    assert once.encode().decode() == once
    assert strip_control(once) == once


@given(st.one_of(st.none(), st.text(max_size=300)), st.integers(1, 255))
def test_cut_text_fits_or_is_nothing(text, length):
    result = truncate(text, length)
    assert result is None or 0 < len(result) <= length


def test_what_cannot_be_seen_or_turns_text_around_is_taken_out():
    assert strip_control("\u202eevil\u202c \u2066x\u2069\u200e\u200f") == "evil x"
    assert strip_control("so\u00adft\u200bzero\ufeff\u2060") == "softzero"
    assert strip_control("\u200b\u2060\ufeff\u3164\u2800\u200d\ufe0f") == ""
    assert strip_control("a \u200d\u200d b") == "a  b"


def test_what_joins_letters_and_emoji_stays():
    for text in (
        "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
        "क्\u200dष",
        "👩\u200d⚕\ufe0f",
        "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
        "Ayşe",
        "é",
    ):
        assert strip_control(text) == text


def test_a_hidden_text_of_joiners_is_cut_short():
    assert len(strip_control("a" + "\u200d" * 500)) <= 9
