"""The walk through the clinic: its rails, and frames that take their colours from key frames. Needs Blender."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest

bpy = pytest.importorskip("bpy", reason="Blender is not in this environment: make test-pictures")

import numpy as np  # noqa: E402
from PIL import Image  # noqa: E402

from pictures import studio  # noqa: E402
from pictures.rooms import light  # noqa: E402
from pictures.rooms.solids import box  # noqa: E402
from pictures.walk import keys, overrides, rails, steady  # noqa: E402
from pictures.walk.film import SIZE, UPRIGHT, WIDE, place  # noqa: E402
from pictures.walk.rails import RATE, SHOTS, Pose, Shot, frames, pose, share_at, timeline  # noqa: E402

SMALL = (96, 64)
# Walking is faster than a metre a second; this is a calm look round.
MAX_SPEED = 0.5


def speeds(shot: Shot) -> list[float]:
    """Metres a second between neighbouring frames."""
    places = [pose(shot, share_at(shot, frame)).at for frame in range(frames(shot))]
    return [math.dist(here, there) * RATE for here, there in pairwise(places)]


def test_the_film_lasts_15_to_20_seconds_at_24_frames_a_second():
    assert 15 <= len(timeline()) / RATE <= 20


@pytest.mark.parametrize("shot", SHOTS, ids=lambda shot: shot.name)
def test_the_camera_stays_level_at_eye_height_and_never_hurries(shot):
    assert 1.3 <= shot.eye <= 1.7
    assert max(speeds(shot)) <= MAX_SPEED
    assert all(now >= 0 for now in speeds(shot))
    headings = [pose(shot, share_at(shot, frame)).heading for frame in range(frames(shot))]
    assert max(abs(b - a) * RATE for a, b in pairwise(headings)) < math.radians(4)


def test_the_camera_sets_off_from_rest_keeps_its_pace_and_comes_to_rest():
    first, last = speeds(SHOTS[0]), speeds(SHOTS[-1])
    assert first[0] < 0.02 * max(first)
    assert last[-1] < 0.02 * max(last)
    assert min(first[round(rails.SET_OFF * RATE) + 1 :]) == pytest.approx(max(first), rel=0.01)
    assert min(last[: -round(rails.COME_TO_REST * RATE) - 1]) == pytest.approx(max(last), rel=0.01)
    for shot in SHOTS[1:-1]:
        assert min(speeds(shot)) == pytest.approx(max(speeds(shot)), rel=0.01)


@pytest.mark.parametrize("shot", SHOTS, ids=lambda shot: shot.name)
def test_the_camera_passes_through_nothing(shot):
    shot.build()
    bpy.context.view_layer.update()
    depsgraph = bpy.context.evaluated_depsgraph_get()
    for share in np.linspace(0, 1, 9):
        at = pose(shot, float(share)).at
        for turn in range(16):
            angle = math.tau * turn / 16
            for rise in (-0.2, 0.0, 0.2):
                towards = (math.sin(angle), math.cos(angle), rise)
                hit, *_ = bpy.context.scene.ray_cast(depsgraph, at, towards, distance=0.25)
                assert not hit, f"{share:.2f} of the rail"


def test_every_frame_is_shown_once_and_dissolves_go_from_one_room_to_the_next():
    film = timeline()
    shown = [(mixed.shot, mixed.frame) for mixed in film]
    shown += [(mixed.shot + 1, mixed.following) for mixed in film if mixed.following is not None]
    assert sorted(shown) == [(n, frame) for n, shot in enumerate(SHOTS) for frame in range(frames(shot))]
    for here, there in pairwise(film):
        if there.following is not None and here.following is not None and here.shot == there.shot:
            assert 0 < here.over < there.over < 1
    assert sum(mixed.following is not None for mixed in film) == (len(SHOTS) - 1) * round(rails.DISSOLVE * RATE)


@pytest.mark.parametrize("cut", [WIDE, UPRIGHT], ids=lambda cut: cut.name)
def test_a_cut_stays_within_the_frames_and_glides(cut):
    for shot in SHOTS:
        places = [place(shot, frame, cut) for frame in range(frames(shot))]
        assert all(0 <= left <= SIZE[0] - cut.width and 0 <= top <= SIZE[1] - cut.height for left, top in places)
        assert max(abs(b[0] - a[0]) for a, b in pairwise(places)) < 4


def test_key_frames_weigh_one_and_pass_on_softly():
    for share in np.linspace(0, 1, 21):
        weights = overrides.shares((0.0, 0.5, 1.0), float(share))
        assert sum(weights) == pytest.approx(1, abs=0.03)
    assert overrides.shares((0.0, 1.0), 0.0)[0] == 1
    assert overrides.shares((0.0, 1.0), 1.0)[1] == 1


def test_a_pixel_takes_the_least_depth_around_it():
    depth = np.full((5, 5), 4.0, np.float32)
    depth[2, 2] = 1.0
    assert (overrides.eroded(depth) == 1.0).sum() == 9


def painted(colour):
    """A material that only shines: the same from everywhere."""
    made = bpy.data.materials.new("Painted")
    made.use_nodes = True
    made.node_tree.nodes.clear()
    emission = made.node_tree.nodes.new("ShaderNodeEmission")
    out = made.node_tree.nodes.new("ShaderNodeOutputMaterial")
    emission.inputs["Color"].default_value = (*colour, 1)
    made.node_tree.links.new(emission.outputs[0], out.inputs["Surface"])
    return made


def two_boxes() -> None:
    """A green box before a red wall, in the dark."""
    studio.clear()
    bpy.context.scene.world.use_nodes = True
    box((8, 0.2, 6), (0, 5, -3), painted((0.6, 0.05, 0.05)), bevel=0.0)
    box((0.8, 0.4, 3), (0, 3, -1.5), painted((0.05, 0.6, 0.1)), bevel=0.0)
    light.level((0, 0, 0), (0, 5))


def taken(path, at: Pose) -> np.ndarray:
    """What the camera sees of the two boxes."""
    keys.take(at)
    overrides.shoot_frame(path, SMALL, 16)
    with Image.open(path) as opened:
        return np.asarray(opened.convert("RGB"), np.float32)


def test_a_frame_between_two_key_frames_is_what_a_render_shows(tmp_path):
    """Also where only one of the key frames sees the wall beside the box."""
    ends = [Pose((x, 0.0, 0.0), 0.0, 28, 0.0) for x in (-0.4, 0.4)]
    middle = Pose((0.1, 0.1, 0.0), 0.0, 28, 0.0)
    pairs = [(tmp_path / f"{number}.png", tmp_path / f"{number}.exr") for number in range(2)]
    two_boxes()
    for at, (picture, _) in zip(ends, pairs, strict=True):
        taken(picture, at)
    rendered = taken(tmp_path / "rendered.png", middle)
    overrides.show_depth()
    for at, (_, depth) in zip(ends, pairs, strict=True):
        keys.take(at)
        overrides.shoot_depth(depth, *SMALL)
    two_boxes()
    weights = overrides.show_keys(ends, pairs, SMALL)
    overrides.weigh(weights, (0.0, 1.0), 0.6)
    made = taken(tmp_path / "made.png", middle)
    off = np.abs(made - rendered).max(2)
    assert off.mean() < 3
    assert (off > 40).mean() < 0.02


def test_a_frame_that_jumps_is_found(tmp_path):
    for number in range(1, 9):
        tone = 100 + number + (20 if number >= 6 else 0)
        Image.new("RGB", (64, 36), (tone, tone, tone)).save(tmp_path / f"{number:04d}.png")
    assert steady.jumps(tmp_path, 8) == [6]
