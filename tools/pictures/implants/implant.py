"""The implant: a threaded, tapering titanium screw with a machined collar and a connection of cone and hexagon."""

import math
from collections.abc import Callable

import bpy

from tools.pictures.implants.metal import blasted, machined
from tools.pictures.implants.thread import Thread, body, flutes
from tools.pictures.mesh import group, hexagon, lathe, rounded

# Of a 4.1 mm bone-level implant, in cm.
RADIUS, LENGTH = 0.205, 1.10
COLLAR = 0.085
PITCH = 0.085
RISE = 0.040
BORE, HEX = 0.142, 0.098


def implant(length: float = LENGTH) -> bpy.types.Object:
    """An implant whose platform is at z = 0 and whose tip is at -`length`."""
    inner = length - COLLAR
    thread = Thread(
        length=inner,
        pitch=PITCH,
        core=_core(inner),
        rise=_rise(inner),
        cut=flutes(3, 0.215, 0.135, inner - 0.36, 1.3),
    )
    screw = body("Implant body", thread, blasted())
    screw.location.z = -COLLAR
    return group("Implant", (screw, _collar(), _bore()))


def _core(length: float) -> Callable[[float], float]:
    """The radius at the thread's root: near cylindrical, then tapering, with a domed tip."""
    dome = 0.10

    def core(depth: float) -> float:
        share = depth / length
        radius = RADIUS - 0.006 - 0.016 * min(1.0, depth / 0.12) - 0.055 * max(0.0, share - 0.25) ** 1.4
        left = (length - depth) / dome
        return radius * math.sqrt(max(0.0, 1 - (1 - left) ** 2)) if left < 1 else radius

    return core


def _rise(length: float) -> Callable[[float], float]:
    """The thread's height: it runs in below the collar and out over the tip."""

    def rise(depth: float) -> float:
        into = min(1.0, max(0.0, depth - 0.015) / 0.13)
        out = min(1.0, max(0.0, length - 0.03 - depth) / 0.12)
        return RISE * (0.15 + 0.85 * into) * out if depth > 0.012 else 0.0

    return rise


def _collar() -> bpy.types.Object:
    """The machined collar with its bevelled shoulder, down to where the thread begins."""
    outline = [
        (RADIUS - 0.006, -COLLAR - 0.001),
        (RADIUS - 0.006, -COLLAR + 0.008),
        (RADIUS, -COLLAR + 0.014),
        (RADIUS, -0.022),
        (RADIUS - 0.020, 0.0),
        (BORE + 0.006, 0.0),
        (BORE, -0.006),
    ]
    return lathe("Implant collar", rounded(outline, 0.003, 3), machined())


def _bore() -> bpy.types.Object:
    """The connection seen from above: a cone, a hexagon under it, and the screw's hole."""

    def shape(angle: float, radius: float, height: float) -> float:
        return min(radius, hexagon(angle, HEX)) if -0.33 < height < -0.165 else radius

    outline = [
        (BORE, -0.006), (0.116, -0.155), (0.114, -0.164), (0.113, -0.168), (0.113, -0.32),
        (0.075, -0.325), (0.07, -0.5), (0.0, -0.5),
    ]  # fmt: skip
    return lathe("Implant connection", outline, machined(), shape=shape)
