"""The walk through the clinic: its rails and cuts. Needs Blender."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest

bpy = pytest.importorskip("bpy", reason="Blender is not in this environment: make test-pictures")

import numpy as np  # noqa: E402

from tools.pictures.walk import rails  # noqa: E402
from tools.pictures.walk.film import SIZE, UPRIGHT, WIDE, place  # noqa: E402
from tools.pictures.walk.rails import RATE, SHOTS, Shot, frames, pose, share_at, timeline  # noqa: E402

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
