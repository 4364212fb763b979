"""Nothing that cannot be stored gets through, and nothing that can is lost."""

from __future__ import annotations

from leads.text import plain_address, plain_number, strip_control, truncate
from tests.support.properties import given, st


def test_what_postgresql_cannot_store_is_taken_out():
    assert strip_control("  a\x00b\ud800c\x1b\n d ") == "abc\n d"


@given(st.text(st.characters(), max_size=300))
def test_cleaned_text_always_encodes_and_cleaning_twice_changes_nothing(text):
    once = strip_control(text)
    assert "\x00" not in once
    assert once.encode().decode() == once
    assert strip_control(once) == once
    for plain in (plain_address, plain_number):
        assert plain(plain(text)) == plain(text)


@given(st.text(st.sampled_from("a क्👩🏽\u200c\u200d\ufe0f\u200b1+ "), max_size=12))
def test_cleaning_joiners_twice_changes_nothing(text):
    assert strip_control(strip_control(text)) == strip_control(text)


@given(st.one_of(st.none(), st.text(max_size=300)), st.integers(1, 255))
def test_cut_text_fits_or_is_nothing(text, length):
    result = truncate(text, length)
    assert result is None or 0 < len(result) <= length


def test_what_cannot_be_seen_or_turns_text_around_is_taken_out():
    assert strip_control("\u202eevil\u202c \u2066x\u2069\u200e\u200f") == "evil x"
    assert strip_control("so\u00adft\u200bzero\ufeff\u2060") == "softzero"
    assert strip_control("\u200b\u2060\ufeff\u3164\u2800\u200d\ufe0f") == ""
    assert strip_control("a \u200d\u200d b") == "a  b"


def test_a_joiner_between_other_things_than_letters_is_taken_out():
    for text in ("A\u200dda.", "A da\u200c", "\u200cA da", "1\u200d2", "a\u200d👩", "a\u200c b", "a,\u200cb"):
        expected = text if text.startswith("A\u200d") else text.replace("\u200c", "").replace("\u200d", "")
        assert strip_control(text) == expected


def test_an_address_is_what_it_means():
    assert plain_address(" \uff41\uff44\uff41\uff20\uff45\uff58\uff0e\uff43\uff4f ") == "ada@ex.co"
    assert plain_address("\u2066ada\u200b@\u200dexample.com\u2069") == "ada@example.com"
    assert plain_address("a\u0308da@müller.de") == "äda@müller.de"
    assert plain_address("हि१@example.in") == "हि१@example.in"
    assert plain_address("\u200e\u200d") == ""


def test_a_number_is_what_it_means():
    assert plain_number("\u202a+90 532 123 45 67\u202c") == "+90 532 123 45 67"
    assert plain_number("\uff0b\uff19\uff10\u3000\uff15\uff13\uff12") == "+90 532"
    assert plain_number("०७९११ १२३४५६") == "07911 123456"
    assert plain_number("\u0660\u0667\u0669 \u06f1\u200c\u06f2") == "079 12"
    assert plain_number("call me\u00ad") == "call me"


def test_what_joins_letters_and_emoji_stays():
    for text in (
        "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
        "क्\u200dष",
        "ශ\u0dca\u200dරී",
        "👨\u200d👩\u200d👧",
        "🏳\ufe0f\u200d🌈",
        "👩🏽\u200d⚕\ufe0f",
        "👩\u200d⚕\ufe0f",
        "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
        "Ayşe",
        "é",
    ):
        assert strip_control(text) == text


def test_a_hidden_text_of_joiners_is_cut_short():
    assert strip_control("a" + "\u200d" * 500) == "a"
    assert len(strip_control("a" + "\u200d" * 500 + "b")) <= 3
    assert len(strip_control("a" + "\ufe00" * 500)) <= 9
