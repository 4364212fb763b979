"""A screw's body as one true helix: rows of points that follow the thread, so that its crest is a clean edge."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import bpy

from tools.pictures.mesh import Flat, Point, solid

# A turn of a buttress thread, (share of pitch, share of height): root, flank that carries, crest, steep flank.
BUTTRESS: tuple[Flat, ...] = (
    (0.00, 0.00), (0.08, 0.00), (0.20, 0.02), (0.26, 0.10), (0.36, 0.42), (0.46, 0.76), (0.53, 0.95),
    (0.57, 1.00), (0.64, 1.00), (0.68, 0.94), (0.76, 0.48), (0.84, 0.10), (0.90, 0.01),
)  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Thread:
    """A body from z = 0 down to -`length`: `core(depth)` is its radius, `rise(depth)` the thread's height (cm).

    `cut(angle, depth)` is how far out material may stand (flutes).
    """

    length: float
    pitch: float
    core: Callable[[float], float]
    rise: Callable[[float], float]
    cut: Callable[[float, float], float] | None = None
    profile: Sequence[Flat] = BUTTRESS
    steps: int = 144


def body(name: str, thread: Thread, material: bpy.types.Material) -> bpy.types.Object:
    """Make the threaded body; its top is open (a collar or a head covers it)."""
    turns = math.ceil(thread.length / thread.pitch) + 2
    rows = turns * len(thread.profile)
    points = [_point(thread, row, step) for row in range(rows) for step in range(thread.steps)]
    faces = []
    for row in range(rows - 1):
        for step in range(thread.steps):
            here = row * thread.steps + step
            # A turn on, the seam meets the row that is one whole pitch higher.
            onward = here + 1 if step + 1 < thread.steps else (row + len(thread.profile)) * thread.steps
            if onward + thread.steps < len(points):
                faces.append((here, onward, onward + thread.steps, here + thread.steps))
    return solid(name, points, faces, material)


def _point(thread: Thread, row: int, step: int) -> Point:
    turn, at = divmod(row, len(thread.profile))
    share, rise = thread.profile[at]
    angle = 2 * math.pi * step / thread.steps
    height = (turn - 1 + share + step / thread.steps) * thread.pitch - thread.length
    depth = min(max(-height, 0.0), thread.length)
    radius = thread.core(depth) + rise * thread.rise(depth)
    if thread.cut:
        radius = min(radius, thread.cut(angle, depth))
    return radius * math.cos(angle), radius * math.sin(angle), -depth


def flutes(
    count: int, away: float, radius: float, start: float, twist: float = 0.0
) -> Callable[[float, float], float]:
    """Round grooves along the body from `start` deep to its tip: `radius` wide, their middles `away` from the axis.

    They fade in over the first millimetres, as a cutter leaves them; `twist` is radians per cm of depth.
    """

    def cut(angle: float, depth: float) -> float:
        if depth < start:
            return math.inf
        middle = away + 0.55 * radius * max(0.0, 1 - (depth - start) / 0.18) ** 2
        sector = 2 * math.pi / count
        off = (angle - twist * depth + sector / 2) % sector - sector / 2
        reach = radius**2 - (middle * math.sin(off)) ** 2
        return middle * math.cos(off) - math.sqrt(reach) if reach > 0 and math.cos(off) > 0 else math.inf

    return cut
