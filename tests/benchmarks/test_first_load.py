"""Reading what the build's own script says of the pages' sizes."""

from __future__ import annotations

from benchmarks.first_load import KINDS, read_sizes

PRINTED = """\
home JavaScript 83.1 of 87 kB · CSS 10.9 of 12 kB · fonts 71.2 of 70 kB EXCEEDED · paint 7.3 of 9 kB · document 9 kB
thank-you  JavaScript 60.0 of 87 kB · CSS 10.9 of 12 kB · fonts 68.0 of 70 kB · document 4.1 kB
"""


def test_each_page_has_its_kinds_and_no_budget_or_document_is_taken_for_one():
    assert read_sizes(PRINTED) == {
        "home": {"JavaScript": 83.1, "CSS": 10.9, "fonts": 71.2, "paint": 7.3},
        "thank-you": {"JavaScript": 60.0, "CSS": 10.9, "fonts": 68.0},
    }
    assert set(KINDS.values()) == {"JavaScript", "CSS", "fonts", "script", "paint"}


def test_nothing_is_read_from_other_lines():
    assert read_sizes("home names no script or no style sheet: nothing was measured\n\n") == {}
