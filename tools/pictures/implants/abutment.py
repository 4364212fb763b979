"""What joins a crown or bridge to an implant: the abutment, its screw, the multi-unit abutment of full arches."""

import math
from collections.abc import Callable

import bpy
from mathutils import Vector

from tools.pictures.implants.implant import BORE, HEX
from tools.pictures.implants.metal import machined
from tools.pictures.implants.thread import Thread, body
from tools.pictures.mesh import Point, group, hexagon, lathe, rounded, skin

# The foot that sits in the implant: a cone, a waist and a hexagon.
FOOT = ((0.070, -0.30), (HEX - 0.004, -0.29), (HEX - 0.002, -0.17), (0.112, -0.155), (BORE - 0.003, -0.004))


def abutment(height: float = 0.62) -> bpy.types.Object:
    """A crown's abutment that stands on z = 0, foot in the implant: emergence, shoulder, flattened cone."""

    def shape(angle: float, radius: float, at: float) -> float:
        if -0.295 < at < -0.168:
            return min(radius, hexagon(angle, HEX - 0.003))
        flat = math.cos(angle + math.pi / 2 + 0.5)
        return min(radius, 0.158 / flat) if at > 0.22 and radius > 0.13 and flat > 0.3 else radius

    outline = [
        *FOOT,
        (0.150, 0.0), (0.168, 0.03), (0.208, 0.09), (0.248, 0.145), (0.252, 0.172), (0.212, 0.186),
        (0.203, 0.20), (0.198, 0.25),
        (0.194, 0.262), (0.198, 0.274), (0.193, 0.325), (0.189, 0.337), (0.192, 0.349),
        (0.166, height - 0.03), (0.150, height), (0.118, height),
        (0.112, height - 0.012), (0.108, 0.08), (0.07, 0.07), (0.07, -0.30),
    ]  # fmt: skip
    return group("Abutment", (lathe("Abutment", rounded(outline, 0.007, 3), machined(), shape=shape, steps=120),))


def screw(length: float = 0.80) -> bpy.types.Object:
    """The abutment's screw: its head's underside is at z = 0; the head has a hexagonal socket."""

    def socket(angle: float, radius: float, at: float) -> float:
        return hexagon(angle, 0.058) if radius == 0.06 or (radius < 0.075 and at > 0.05) else radius

    head = [
        (0.05, -0.01),
        (0.055, 0.0),
        (0.098, 0.035),
        (0.098, 0.2),
        (0.088, 0.215),
        (0.072, 0.215),
        (0.06, 0.2),
        (0.06, 0.08),
        (0.0, 0.08),
    ]
    shank = Thread(
        length=length,
        pitch=0.036,
        core=_shank(length),
        rise=lambda depth: 0.017 if 0.28 < depth < length - 0.02 else 0.0,
    )
    return group(
        "Screw", (lathe("Screw head", head, machined(), shape=socket), body("Screw shank", shank, machined()))
    )


def _shank(length: float) -> Callable[[float], float]:
    """The radius of the screw's shank: a waist, then the core of its thread."""

    def core(depth: float) -> float:
        if depth < 0.26:
            return 0.052
        return 0.060 * min(1.0, max(0.0, (length - depth) / 0.02))

    return core


def multi_unit(tilt: float = 0.0, cuff: float = 0.14) -> bpy.types.Object:
    """A multi-unit abutment on z = 0; its cone leans `tilt` degrees towards +X, its shoulder stands `cuff` high."""
    cuff += 0.05 * tilt / 30
    rings = [(radius, at, 0.0) for radius, at in FOOT]
    rings += [
        (0.150, 0.0, 0.0),
        (0.170, 0.02, 0.1),
        (0.215, 0.6 * cuff, 0.55),
        (0.243, cuff - 0.012, 1.0),
        (0.243, cuff, 1.0),
    ]
    rings += [
        (0.228, cuff + 0.008, 1.0),
        (0.152, cuff + 0.185, 1.0),
        (0.142, cuff + 0.20, 1.0),
        (0.108, cuff + 0.20, 1.0),
    ]
    rings += [(0.098, cuff + 0.19, 1.0), (0.094, cuff + 0.06, 1.0), (0.0, cuff + 0.06, 1.0)]
    part = skin(
        "Multi-unit abutment",
        [_ring(radius, at, math.radians(tilt) * lean, cuff) for radius, at, lean in rings],
        machined(),
    )
    return group("Multi-unit abutment", (part,))


def head(tilt: float = 0.0, cuff: float = 0.14) -> tuple[Vector, Vector]:
    """Where a multi-unit abutment's shoulder has its middle, and which way its cone points, in its own frame."""
    cuff += 0.05 * tilt / 30
    lean = math.radians(tilt)
    return Vector((_shift(lean, cuff), 0, cuff)), Vector((math.sin(lean), 0, math.cos(lean)))


def _shift(lean: float, cuff: float) -> float:
    return 0.45 * cuff * math.tan(lean)


def _ring(radius: float, at: float, lean: float, cuff: float) -> list[Point]:
    """A circle at height `at` on the bent axis, square to the axis there."""
    beyond = max(0.0, at - cuff)
    bend = min(1.0, max(0.0, at) / cuff)
    middle = Vector(
        (_shift(lean, cuff) * bend**1.5 + beyond * math.sin(lean), 0, min(at, cuff) + beyond * math.cos(lean))
    )
    across = Vector((math.cos(lean), 0, -math.sin(lean)))
    steps = 96
    angles = (2 * math.pi * step / steps for step in range(steps))
    return [tuple(middle + across * radius * math.cos(a) + Vector((0, radius * math.sin(a), 0))) for a in angles]
