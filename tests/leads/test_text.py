"""Nothing that cannot be stored gets through, and nothing that can is lost."""

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


def test_a_joiner_between_other_things_than_letters_is_taken_out():
    for text in ("A\u200dda.", "A da\u200c", "\u200cA da", "1\u200d2", "a\u200d👩", "a\u200c b", "a,\u200cb"):
        expected = text if text.startswith("A\u200d") else text.replace("\u200c", "").replace("\u200d", "")
        assert strip_control(text) == expected


def test_a_hidden_text_of_joiners_is_cut_short():
    assert strip_control("a" + "\u200d" * 500) == "a"
    assert len(strip_control("a" + "\u200d" * 500 + "b")) <= 3
    assert len(strip_control("a" + "\ufe00" * 500)) <= 9
