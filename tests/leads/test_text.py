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
