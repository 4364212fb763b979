"""The zygomatic implant: a long screw for the cheekbone, smooth shaft, threaded far end, bent head."""

import math
from collections.abc import Callable

import bpy
from mathutils import Vector

from tools.pictures.implants.implant import BORE, HEX
from tools.pictures.implants.metal import blasted, machined
from tools.pictures.implants.thread import Thread, body
from tools.pictures.mesh import Point, group, hexagon, lathe, rounded, skin

RADIUS, TIP = 0.20, 0.155
PITCH, RISE = 0.09, 0.034
# The head stands straight for this long before it bends into the shaft, round this radius.
STRAIGHT, BEND = 0.16, 0.26


def zygomatic(length: float = 4.5, tilt: float = 45.0) -> bpy.types.Object:
    """An implant whose platform is at z = 0 and looks up; its shaft goes down and leans `tilt` degrees towards -X.

    `length` in centimetres (3.0 to 5.25 are made), from the platform to the tip.
    """
    lean = math.radians(tilt)
    elbow = Vector((-BEND * (1 - math.cos(lean)), 0, -STRAIGHT - BEND * math.sin(lean)))
    shaft = length - STRAIGHT - BEND * lean
    parts = (_shank(shaft), _apex(shaft))
    for part in parts:
        part.location = elbow
        part.rotation_euler = (0, lean, 0)
    return group("Zygomatic implant", (_elbow(lean), _platform(), *parts))


def _elbow(lean: float) -> bpy.types.Object:
    """The head's outside: from below the platform round the bend."""
    rings = [_ring(Vector((0, 0, -0.012)), 0.0), _ring(Vector((0, 0, -STRAIGHT)), 0.0)]
    for step in range(1, 13):
        angle = lean * step / 12
        rings.append(_ring(Vector((-BEND * (1 - math.cos(angle)), 0, -STRAIGHT - BEND * math.sin(angle))), angle))
    return skin("Zygomatic head", rings, machined())


def _ring(middle: Vector, lean: float) -> list[Point]:
    across = Vector((math.cos(lean), 0, -math.sin(lean)))
    turns = (2 * math.pi * step / 96 for step in range(96))
    return [tuple(middle + RADIUS * (across * math.cos(turn) + Vector((0, math.sin(turn), 0)))) for turn in turns]


def _platform() -> bpy.types.Object:
    outline = [
        (RADIUS, -0.012),
        (RADIUS - 0.012, 0.0),
        (BORE, 0.0),
        (0.118, -0.1),
        (HEX, -0.12),
        (HEX, -0.26),
        (0.0, -0.26),
    ]

    def shape(angle: float, radius: float, at: float) -> float:
        return min(radius, hexagon(angle, HEX)) if at < -0.115 else radius

    return lathe("Zygomatic platform", rounded(outline, 0.004, 3), machined(), shape=shape)


def _shank(length: float) -> bpy.types.Object:
    """The smooth part of the shaft, tapering to where the thread begins."""
    end = 0.52 * length
    core = _core(length)
    return lathe("Zygomatic shank", [(core(end * step / 12), -end * step / 12) for step in range(13)], machined())


def _core(length: float) -> Callable[[float], float]:
    dome = 0.11

    def core(depth: float) -> float:
        radius = RADIUS + (TIP - RADIUS) * min(1.0, depth / (0.6 * length))
        left = (length - depth) / dome
        return radius * math.sqrt(max(0.0, 1 - (1 - left) ** 2)) if left < 1 else radius

    return core


def _apex(length: float) -> bpy.types.Object:
    """The threaded far part; it runs on under the smooth one."""
    start = 0.52 * length
    core = _core(length)
    thread = Thread(
        length=length - start,
        pitch=PITCH,
        core=lambda depth: core(depth + start),
        rise=lambda depth: RISE * min(1.0, depth / 0.1) * min(1.0, max(0.0, length - start - depth - 0.02) / 0.1),
        steps=96,
    )
    made = body("Zygomatic thread", thread, blasted())
    # The thread's own z = 0 is where it starts: move its points, for the part's place is the shaft's.
    for vertex in made.data.vertices:
        vertex.co.z -= start
    return made
