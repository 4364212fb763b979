"""The key frames of a shot: the room rendered in full from a few places of its rail, with each pixel's depth."""

import math
from collections.abc import Callable
from pathlib import Path

import bpy

from tools.pictures import studio
from tools.pictures.rooms import light
from tools.pictures.walk import overrides
from tools.pictures.walk.rails import Pose, Shot, key_poses

# Both cuts are taken from these frames, in pixels.
WIDTH, HEIGHT = 1280, 900


def take(at: Pose) -> None:
    """Put the scene's camera into a pose; everything is sharp."""
    camera = light.held()
    camera.location = at.at
    camera.rotation_euler = (math.pi / 2, 0, -at.heading)
    camera.data.lens, camera.data.shift_x, camera.data.shift_y = at.lens, 0.0, at.rise
    camera.data.dof.use_dof = False


def stage(shot: Shot, threads: int) -> None:
    """Build the shot's room."""
    shot.build()
    render = bpy.context.scene.render
    render.threads_mode, render.threads = "FIXED", threads
    render.use_persistent_data = True


def files(folder: Path, shot: Shot) -> list[tuple[Path, Path]]:
    """The picture (PNG) and the depth (EXR, metres along the view) of each key frame, then of each glance."""
    names = [f"{shot.name}-key-{number}" for number in range(len(shot.keys))]
    names += [f"{shot.name}-glance-{number}" for number in range(len(shot.glances))]
    return [(folder / f"{name}.png", folder / f"{name}.exr") for name in names]


def size_of(shot: Shot, number: int) -> tuple[int, int]:
    """The width and height of a key frame or a glance, in pixels."""
    return (WIDTH, HEIGHT) if number < len(shot.keys) else (WIDTH // 2, HEIGHT // 2)


def render_keys(shot: Shot, folder: Path, threads: int, progress: Callable[[str], None]) -> None:
    """Render the key frames of a shot that are not in `folder` yet."""
    wanted = [(at, *pair) for at, pair in zip(key_poses(shot), files(folder, shot), strict=True)]
    if all(picture.exists() and depth.exists() for _, picture, depth in wanted):
        return
    stage(shot, threads)
    for number, (at, picture, _) in enumerate(wanted):
        if not picture.exists():
            take(at)
            studio.settle(*size_of(shot, number), shot.samples)
            part = picture.with_suffix(".part.png")
            studio.shoot(part)
            part.rename(picture)
            progress(picture.stem)
    overrides.show_depth()
    for number, (at, _, depth) in enumerate(wanted):
        take(at)
        overrides.shoot_depth(depth, *size_of(shot, number))
