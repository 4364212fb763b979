"""Worn edges without folds, bridges without slits, gum without peaks or roots. Needs Blender."""

from __future__ import annotations

from itertools import pairwise

import pytest

bpy = pytest.importorskip("bpy", reason="Blender is not in this environment: docs/pictures.md")

import numpy as np  # noqa: E402
from mathutils import Vector  # noqa: E402
from mathutils.bvhtree import BVHTree  # noqa: E402

from tools.pictures.implants import bridge as bridges  # noqa: E402
from tools.pictures.scenes.cases import CASES  # noqa: E402
from tools.pictures.teeth.contact import standing  # noqa: E402
from tools.pictures.teeth.crown import MILLIMETRE, shape  # noqa: E402
from tools.pictures.teeth.gum import STEP, gum_round, margins  # noqa: E402
from tools.pictures.teeth.layout import Curve  # noqa: E402
from tools.pictures.teeth.model import BELOW  # noqa: E402


@pytest.fixture(autouse=True)
def scene():
    bpy.ops.wm.read_factory_settings(use_empty=True)


def facing(rings):
    """The upward part of the unit normal of each quad between the rings, without the degenerate ones."""
    after = np.roll(rings, -1, axis=1)
    normal = np.cross(after[1:] - rings[:-1], rings[1:] - after[:-1])
    size = np.linalg.norm(normal, axis=-1)
    return normal[size > 1e-4, 2] / size[size > 1e-4]


@pytest.mark.parametrize("place", [each for half in CASES["worn-edges"](restored=False) for each in half[:3]])
def test_a_worn_edge_is_one_even_surface(place):
    rings, along = shape(place.tooth, place.detail, mirrored=False)
    ground = slice(len(rings) - 12, None)
    assert along[ground].min() < -0.9
    assert facing(rings[ground]).min() > 0.8


@pytest.mark.parametrize("teeth", [bridges.UPPER, bridges.LOWER])
def test_a_bridge_has_no_slit_between_its_teeth(teeth):
    made = bridges.bridge(teeth)
    bpy.context.view_layer.update()
    crowns = [part for part in made.children if part.name != "Bridge base"]
    row = sorted(crowns, key=lambda part: np.arctan2(part.location.x, bridges.DEEP - part.location.y))
    assert len(row) == 2 * len(teeth)
    trees = [
        BVHTree.FromPolygons(
            [part.matrix_world @ point.co for point in part.data.vertices],
            [tuple(face.vertices) for face in part.data.polygons],
        )
        for part in row
    ]
    for here, beside in pairwise(trees):
        assert here.overlap(beside)


@pytest.mark.parametrize("case", ["one-missing-tooth", "full-arch"])
def test_the_gum_of_a_gap_has_no_peaks(case):
    teeth = standing(*CASES[case](restored=False), Curve())
    lengths = np.arange(-50, 50, STEP)
    height = margins(teeth, lengths).height
    gone = [tooth for tooth in teeth if tooth.place.material is None]
    assert gone
    for tooth in gone:
        low, high = sorted((tooth.side * tooth.begin, tooth.side * tooth.end))
        assert np.ptp(height[(lengths > low) & (lengths < high)]) < 0.6


def test_no_canines_root_comes_through_the_gum_where_teeth_crowd():
    curve = Curve()
    teeth = standing(*CASES["crowding"](restored=False), curve)
    gum = gum_round(teeth, curve, BELOW, bpy.data.materials.new("Stone")).data
    skin = BVHTree.FromPolygons(
        [point.co / MILLIMETRE for point in gum.vertices], [tuple(face.vertices) for face in gum.polygons]
    )
    canines = [tooth for tooth in teeth if tooth.place.tooth == "canine"]
    assert len(canines) == 2
    for tooth in canines:
        rings, _ = shape("canine", tooth.place.detail, mirrored=tooth.side > 0)
        for point in rings[:4].reshape(-1, 3):
            place = tooth.matrix @ Vector(point)
            nearest, normal, _, _ = skin.find_nearest(place)
            # The skin's normals point inwards.
            assert (place - nearest).dot(normal) > 0
