"""Where the line between before and after stands at first, against the pictures themselves."""

from itertools import pairwise
from pathlib import Path

import pytest
import yaml
from PIL import Image, ImageChops, ImageStat

FRONTEND = Path(__file__).parents[3] / "frontend"
CASES = yaml.safe_load((FRONTEND / "content/cases.yaml").read_text())["cases"]
IMAGES = FRONTEND / "images/cases"
PLAIN = 24  # of 255: less is a shade, not another shape


def differences(before: str, after: str) -> list[int]:
    """How much two pictures differ in each per cent of their width, from the left."""
    one, other = (Image.open(IMAGES / f"{name}-600.webp").convert("RGB") for name in (before, after))
    difference = ImageChops.difference(one, other).convert("L").point(lambda shade: shade if shade > PLAIN else 0)
    width, height = difference.size
    edges = [width * percent // 100 for percent in range(101)]
    return [sum(difference.crop((left, 0, right, height)).tobytes()) for left, right in pairwise(edges)]


@pytest.mark.parametrize("case", CASES, ids=[case["treatment"] for case in CASES])
def test_the_line_starts_past_most_of_what_treatment_changes_and_before_its_end(case):
    columns = differences(case["before"], case["after"])
    share = sum(columns[: case["start"]]) / sum(columns)
    assert 0.5 < share < 0.9


@pytest.mark.parametrize("case", CASES, ids=[case["treatment"] for case in CASES])
def test_rear_teeth_stand_out_from_the_paper_behind_them(case):
    picture = Image.open(IMAGES / f"{case['after']}-600.webp").convert("L")
    width, height = picture.size

    def tone(top: float, bottom: float) -> float:
        place = (int(0.165 * width), int(top * height), int(0.225 * width), int(bottom * height))
        return ImageStat.Stat(picture.crop(place)).mean[0]

    assert tone(0.18, 0.24) - tone(0.02, 0.1) > 10
