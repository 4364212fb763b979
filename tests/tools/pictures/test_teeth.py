"""Teeth of study models touch and never cut through each other. Needs Blender: docs/pictures.md."""

from __future__ import annotations

import pytest

bpy = pytest.importorskip("bpy", reason="Blender is not in this environment: docs/pictures.md")

from tools.pictures.scenes.cases import CASES  # noqa: E402
from tools.pictures.teeth.arch import UPPER, half  # noqa: E402
from tools.pictures.teeth.contact import intersecting, standing  # noqa: E402
from tools.pictures.teeth.layout import Curve, station  # noqa: E402


@pytest.fixture(autouse=True)
def scene():
    bpy.ops.wm.read_factory_settings(use_empty=True)


@pytest.mark.parametrize("state", ["before", "after"])
@pytest.mark.parametrize("case", CASES)
def test_no_teeth_of_a_case_cut_through_each_other(case, state):
    right, left = CASES[case](restored=state == "after")
    teeth = standing(right, left, Curve())
    assert len(teeth) == 14
    assert intersecting(teeth) == []


def test_teeth_without_a_gap_are_moved_until_they_touch():
    enamel = bpy.data.materials.new("Enamel")
    places = half(UPPER, enamel)
    teeth = standing(places, places, Curve())
    assert intersecting(teeth) == []
    nearer = [station(tooth.place, tooth.side, tooth.begin - 0.1, Curve()) for tooth in teeth[1:7]]
    for before, tooth in zip(teeth[:6], nearer, strict=True):
        assert intersecting([before, tooth]) == [(0, 1)]
