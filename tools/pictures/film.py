"""The presentation film: an implant goes into a piece of jaw, then its abutment, then its crown.

Only what moves is rendered (in a column round the subject) and laid over one still of the
rest; the slow zoom is made from those frames. encode.py makes the files.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import bpy
from bpy_extras.object_utils import world_to_camera_view
from mathutils import Vector
from PIL import Image, ImageChops, ImageDraw, ImageFilter

from tools.pictures import studio
from tools.pictures.implants.abutment import abutment
from tools.pictures.implants.implant import implant
from tools.pictures.scenes.implants import seat, single_crown

WIDTH, HEIGHT = 960, 540
RATE, SECONDS = 24, 8.0
SAMPLES, STILL_SAMPLES = 8, 24
ZOOM = 0.09
# The column that is rendered anew, in pixels from left to right, and how softly it is laid over the still.
COLUMN, SOFT = (345, 615), 26
PLATFORM = 1.38


@dataclass(frozen=True)
class Move:
    """One part's way down: when it begins and ends (seconds), how high it starts over its place (cm), its turns."""

    begin: float
    end: float
    height: float
    place: float
    turns: float = 0.0


MOVES = (
    Move(0.40, 2.60, 1.34, PLATFORM, 2.5),
    Move(2.40, 3.90, 2.55, PLATFORM),
    Move(3.60, 5.40, 2.30, PLATFORM + 0.15),
)


def eased(share: float) -> float:
    """Ease in and out: 0 to 1, slow at both ends."""
    held = min(1.0, max(0.0, share))
    return held**3 * (held * (6 * held - 15) + 10)


def pose(seconds: float) -> tuple[tuple[float, float], ...]:
    """Each part's height (cm) and turn (radians) at a time of the film."""
    found = []
    for move in MOVES:
        left = 1 - eased((seconds - move.begin) / (move.end - move.begin))
        found.append((round(move.place + move.height * left, 4), round(2 * math.pi * move.turns * left, 4)))
    return tuple(found)


def stage() -> tuple[bpy.types.Object, ...]:
    """Set the scene; returns the parts that move, in the order of MOVES."""
    studio.clear()
    top = single_crown()
    seat((0.0, -16.2, 4.1), (0.0, 0.0, 1.3))
    return implant(), abutment(), top


def render_film(out: Path, progress: Callable[[int, int], None]) -> int:
    """Write the film's frames as PNG into `out`; calls progress(done, all) per pose. Returns how many."""
    out.mkdir(parents=True, exist_ok=True)
    parts = stage()
    bpy.context.scene.render.use_persistent_data = True
    still = _still(parts, out)
    frames = round(RATE * SECONDS)
    poses = [pose(number / RATE) for number in range(frames)]
    known: dict[tuple[tuple[float, float], ...], Image.Image] = {}
    for number, wanted in enumerate(poses):
        if wanted not in known:
            known = {wanted: _posed(parts, wanted, still, out)}
            progress(len(set(poses[: number + 1])), len(set(poses)))
        zoomed(known[wanted], number / (frames - 1)).save(out / f"{number + 1:04d}.png")
    return frames


def _still(parts: tuple[bpy.types.Object, ...], out: Path) -> Image.Image:
    """The scene without the moving parts."""
    for part in parts:
        part.location.z += 50
    studio.settle(WIDTH, HEIGHT, STILL_SAMPLES)
    studio.shoot(out / "still.png")
    with Image.open(out / "still.png") as opened:
        return opened.convert("RGB")


def _posed(
    parts: tuple[bpy.types.Object, ...], wanted: tuple[tuple[float, float], ...], still: Image.Image, out: Path
) -> Image.Image:
    """The frame of one pose: its column rendered, laid over the still."""
    for part, (height, turn) in zip(parts, wanted, strict=True):
        part.location.z = height
        part.rotation_euler.z = turn
    studio.settle(WIDTH, HEIGHT, SAMPLES)
    render = bpy.context.scene.render
    render.use_border = render.use_crop_to_border = True
    render.border_min_x, render.border_max_x = COLUMN[0] / WIDTH, COLUMN[1] / WIDTH
    render.border_min_y, render.border_max_y = 0.0, 1.0
    studio.shoot(out / "column.png")
    frame = still.copy()
    with Image.open(out / "column.png") as opened:
        column = opened.convert("RGB")
    frame.paste(column, (COLUMN[0], 0), _edges(*column.size))
    return steadied(frame, still, places(parts))


def steadied(frame: Image.Image, still: Image.Image, kept: Image.Image) -> Image.Image:
    """The frame with the still wherever the two hardly differ, outside the mask `kept`.

    Denoiser noise must not shimmer, and a shadow must not be cut off at the edge of the column.
    """
    red, green, blue = ImageChops.difference(frame, still).split()
    most = ImageChops.lighter(ImageChops.lighter(red, green), blue).filter(ImageFilter.BoxBlur(5))
    changed = most.point([min(255, max(0, (level - 7) * 32)) for level in range(256)]).filter(
        ImageFilter.BoxBlur(4)
    )
    return Image.composite(frame, still, ImageChops.lighter(changed, kept))


def places(parts: tuple[bpy.types.Object, ...]) -> Image.Image:
    """A soft mask of where the camera sees the parts: a box round each."""
    mask = Image.new("L", (WIDTH, HEIGHT), 0)
    bpy.context.view_layer.update()
    scene = bpy.context.scene
    for part in parts:
        meshes = [part, *part.children] if part.type == "MESH" else part.children
        corners = [mesh.matrix_world @ Vector(corner) for mesh in meshes for corner in mesh.bound_box]
        seen = [world_to_camera_view(scene, scene.camera, corner) for corner in corners]
        across, down = [WIDTH * at.x for at in seen], [HEIGHT * (1 - at.y) for at in seen]
        if min(down) < HEIGHT and max(down) > 0:
            ImageDraw.Draw(mask).rectangle(
                (min(across) - 8, min(down) - 8, max(across) + 8, max(down) + 8), fill=255
            )
    return mask.filter(ImageFilter.BoxBlur(7))


def _edges(width: int, height: int) -> Image.Image:
    """A mask that fades out at the left and at the right."""
    mask = Image.new("L", (width, height), 0)
    ImageDraw.Draw(mask).rectangle((SOFT, -SOFT * 4, width - SOFT, height + SOFT * 4), fill=255)
    return mask.filter(ImageFilter.BoxBlur(SOFT // 2))


def zoomed(frame: Image.Image, share: float) -> Image.Image:
    """The frame as the slow zoom shows it at a share (0..1) of the film."""
    part = 1 / (1 + ZOOM * eased(share))
    wide, high = WIDTH * part, HEIGHT * part
    left, top = (WIDTH - wide) / 2, (HEIGHT - high) / 2
    return frame.resize((WIDTH, HEIGHT), Image.Resampling.BICUBIC, (left, top, left + wide, top + high))
