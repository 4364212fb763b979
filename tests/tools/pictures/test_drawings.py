"""The cases' drawings are what the script draws, and the line between two begins past what was treated."""

import re
from pathlib import Path

import pytest
import yaml

from tools.pictures.drawings import CASES, FOLDER, TEAL, WIDTH, drawing

CONTENT = yaml.safe_load((Path(__file__).parents[3] / "frontend/content/cases.yaml").read_text())["cases"]
DRAWN = {
    f"{name}-{when}": state
    for name, states in CASES.items()
    for state, when in zip(states, ("before", "after"), strict=True)
}


def test_there_is_a_file_for_each_state_and_no_other():
    assert {file.stem: file.read_text() for file in FOLDER.iterdir()} == {
        name: drawing(state) for name, state in DRAWN.items()
    }


@pytest.mark.parametrize("case", CONTENT, ids=[case["treatment"] for case in CONTENT])
def test_the_line_starts_past_most_of_what_was_done(case):
    treated = re.findall(rf'translate\((-?\d+) -?\d+\)[^/]*stroke="{TEAL}"', drawing(DRAWN[case["after"]]))
    left = [int(x) + WIDTH / 2 < WIDTH * case["start"] / 100 for x in treated]
    assert treated
    assert sum(left) / len(left) > 0.5
    assert TEAL not in drawing(DRAWN[case["before"]])
