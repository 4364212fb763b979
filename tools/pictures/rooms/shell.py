"""What makes a room a room: floor, walls, ceiling, windows with frames and curtains, slatted panelling."""

import math
from dataclasses import dataclass

import bpy

from tools.pictures.rooms import finishes as of
from tools.pictures.rooms.solids import Point, box, tube

FRONT = -3.5


@dataclass(frozen=True)
class Opening:
    """A window's place in the left wall: from `near` to `far` along y, from `sill` to `head` above the floor."""

    near: float
    far: float
    sill: float
    head: float


def room(
    width: float, depth: float, height: float, windows: tuple[Opening, ...] = (), *, back: str = of.PAPER
) -> None:
    """A room open behind the camera: the back wall at y = depth, windows (near to far) in the left wall.

    `back` is the back wall's colour, as #RRGGBB.
    """
    middle, long = (depth + FRONT) / 2, depth - FRONT
    wall, white = of.plaster(), of.plaster("#F8F5EE")
    box((width + 1, long + 1, 0.2), (0, middle, -0.2), of.oak_floor(), bevel=0.001)
    box((width + 1, long + 1, 0.2), (0, middle, height), white, bevel=0.001)
    box((width + 1, 0.2, height), (0, depth + 0.1, 0), of.plaster(back), bevel=0.001)
    box((0.2, long, height), (width / 2 + 0.1, middle, 0), wall, bevel=0.001)
    _skirting(width, depth)
    start = FRONT
    for window in windows:
        _pier(-width / 2, start, window.near, (0, height))
        _pier(-width / 2, window.near, window.far, (0, window.sill))
        _pier(-width / 2, window.near, window.far, (window.head, height))
        _frame(-width / 2, window)
        start = window.far
    _pier(-width / 2, start, depth, (0, height))


def _pier(x: float, near: float, far: float, between: tuple[float, float]) -> None:
    low, high = between
    if high - low > 0.01 and far - near > 0.01:
        box((0.24, far - near, high - low), (x - 0.12, (near + far) / 2, low), of.plaster(), bevel=0.002)


def _skirting(width: float, depth: float) -> None:
    white = of.lacquer()
    box((width, 0.016, 0.09), (0, depth - 0.008, 0), white, bevel=0.004)
    box((0.016, depth - FRONT, 0.09), (width / 2 - 0.008, (depth + FRONT) / 2, 0), white, bevel=0.004)


def _frame(x: float, window: Opening) -> None:
    """Slim frame with one upright in the middle, and a sill board."""
    white, middle = of.lacquer("#F4F2EC"), (window.near + window.far) / 2
    long, high = window.far - window.near, window.head - window.sill
    for y in (window.near + 0.03, middle, window.far - 0.03):
        box((0.07, 0.06, high), (x - 0.14, y, window.sill), white)
    for z in (window.sill, window.head - 0.06):
        box((0.064, long - 0.02, 0.06), (x - 0.14, middle, z), white)
    if window.sill > 0.2:
        box((0.30, long + 0.1, 0.03), (x - 0.08, middle, window.sill - 0.03), of.oak("y"))


def curtain(at: Point, wide: float, high: float) -> bpy.types.Object:
    """A sheer curtain that hangs in folds along y, its rail at `high`."""
    count = int(wide * 80)
    line = [
        (0.035 * math.sin(i * 0.62) + 0.012 * math.sin(i * 0.23 + 1), wide * (i / count - 0.5))
        for i in range(count)
    ]
    points = [(x, y, z) for z in (0.02, high) for x, y in line]
    faces = [(i, i + 1, i + 1 + count, i + count) for i in range(count - 1)]
    mesh = bpy.data.meshes.new("Curtain")
    mesh.from_pydata(points, [], faces)
    mesh.shade_smooth()
    mesh.materials.append(of.sheer())
    cloth = bpy.data.objects.new("Curtain", mesh)
    bpy.context.scene.collection.objects.link(cloth)
    cloth.location = at
    return cloth


def rail(x: float, near: float, far: float, high: float) -> None:
    """A brass curtain rail along the left wall."""
    tube([(x, near, high), (x, far, high)], 0.012, of.brass(), bent=False)


def slats(left: float, right: float, y: float, height: float) -> None:
    """Upright oak slats before a dark back, as on a panelled wall."""
    box((right - left, 0.012, height), ((left + right) / 2, y - 0.006, 0), of.lacquer("#6B5640"), bevel=0.002)
    pitch, wide = 0.058, 0.036
    for number in range(int((right - left) / pitch)):
        x = left + pitch * (number + 0.5)
        box((wide, 0.028, height), (x, y - 0.026, 0), of.oak("z"), bevel=0.003)


def window_wall(width: float, depth: float, height: float, hole: tuple[float, float, float, float]) -> None:
    """A room whose back wall at y = depth holds one window: `hole` is its left, right, sill and head."""
    left, right, sill, head = hole
    wall, middle, long = of.plaster(), (depth + FRONT) / 2, depth - FRONT
    box((width + 1, long + 1, 0.2), (0, middle, -0.2), of.oak_floor(), bevel=0.001)
    box((width + 1, long + 1, 0.2), (0, middle, height), of.plaster("#F8F5EE"), bevel=0.001)
    for side in (-1, 1):
        box((0.2, long, height), (side * (width / 2 + 0.1), middle, 0), wall, bevel=0.001)
    for near, far, low, high in (
        (-width / 2, left, 0, height),
        (right, width / 2, 0, height),
        (left, right, 0, sill),
        (left, right, head, height),
    ):
        if high <= low:
            continue
        box((far - near, 0.24, high - low), ((near + far) / 2, depth + 0.12, low), wall, bevel=0.002)
    white = of.lacquer("#F4F2EC")
    for x in (left + 0.03, left + (right - left) / 3, left + 2 * (right - left) / 3, right - 0.03):
        box((0.06, 0.07, head - sill), (x, depth + 0.14, sill), white)
    for z in (sill, head - 0.06):
        box((right - left, 0.066, 0.06), ((left + right) / 2, depth + 0.14, z), white)


def bench(at: Point, length: float) -> None:
    """A deep oak sill to sit on, on a white box; `at` is the middle of the board's underside."""
    x, y, z = at
    box((length, 0.46, 0.04), at, of.oak("x"), bevel=0.008)
    box((length - 0.06, 0.42, z), (x, y + 0.01, 0), of.lacquer(), bevel=0.006)
