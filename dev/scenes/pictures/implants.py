"""The pictures of implants: one tooth, full arches on four and six, both jaws, the cheekbone; the hero and the link's card."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dev.scenes import studio
from dev.scenes.implants.abutment import abutment, multi_unit
from dev.scenes.implants.bridge import LOWER, UPPER, along, bridge, ghost
from dev.scenes.implants.implant import implant
from dev.scenes.implants.metal import mirrors
from dev.scenes.implants.zygomatic import zygomatic
from dev.scenes.materials import zirconia
from dev.scenes.mesh import group
from dev.scenes.picture import Picture
from dev.scenes.teeth.crown import crown

if TYPE_CHECKING:
    from collections.abc import Sequence

    import bpy

    from dev.scenes.mesh import Point
    from dev.scenes.teeth.forms import Tooth


@dataclass(frozen=True)
class Fixture:
    """Two implants of an arch: how far from its front, their backward tilt in degrees, their length (cm)."""

    distance: float
    tilt: float = 0.0
    length: float = 1.15


FOUR = (Fixture(0.75), Fixture(2.9, 32, 1.3))
SIX = (Fixture(0.6, 0, 1.15), Fixture(1.95), Fixture(3.5, 0, 1.0))


def single(gap: float = 0.42) -> bpy.types.Object:
    """Implant, abutment and crown along one axis, `gap` centimetres between them; the implant's platform is at 0."""
    post = abutment()
    post.location.z = gap
    post.rotation_euler.z = math.radians(150)
    tooth = crown("lower molar", zirconia())
    tooth.rotation_euler.z = math.radians(25)
    tooth.location.z = gap * 1.9 + 0.34
    return group("Single tooth", (implant(), post, tooth))


def dental_implants() -> None:
    """One tooth's implant, abutment and crown, drawn apart along a leaning axis."""
    studio.clear()
    unit = single()
    unit.location = (-0.36, 0, 1.5)
    unit.rotation_euler = (math.radians(14), math.radians(34), math.radians(-10))
    middle: Point = (0.1, 0, 1.75)
    studio.light(middle, 1.7, fill=0.5)
    mirrors(middle, 1.6)
    studio.backdrop(depth=2.6)
    studio.camera((0.05, -10.6, 2.6), (0.05, 0, 1.72), aperture=11)


def full_arch(teeth: Sequence[Tooth], fixtures: Sequence[Fixture], lift: float, deep: float = 1.55) -> bpy.types.Object:
    """A bridge of two of each of the teeth, `lift` over clear gum `deep` deep, and the implants that will carry it."""
    parts = [ghost(depth=deep), bridge(teeth)]
    parts[1].location.z = lift
    for fixture in fixtures:
        for side in (-1, 1):
            x, y, heading = along(fixture.distance * side)
            top = multi_unit(fixture.tilt)
            top.rotation_euler.z = math.pi if side > 0 else 0
            joint = group("Fixture", (implant(fixture.length), top))
            joint.location = (x, y, -0.12)
            joint.rotation_euler = (0, math.radians(fixture.tilt) * side, heading)
            parts.append(joint)
    return group("Full arch", parts)


def arch_view(height: float = 1.35, away: float = 1.0) -> None:
    """The light and the camera of every full arch: from the front, a little to the left and above."""
    middle: Point = (0.0, 1.5, height)
    studio.light(middle, 3.4, fill=0.6)
    mirrors((0, 1.2, 1.0), 3.4)
    studio.backdrop(depth=7.5)
    studio.camera((-7.4 * away, -14.2 * away, height + 5.6 * away), (-0.05, 1.5, height), aperture=16)


def all_on_4() -> None:
    """A lower bridge over four implants, the rear two tilted."""
    studio.clear()
    full_arch(LOWER, FOUR, 0.75).location.z = 1.56
    arch_view()


def all_on_6() -> None:
    """A lower bridge over six upright implants."""
    studio.clear()
    full_arch(LOWER, SIX, 0.75).location.z = 1.56
    arch_view()


def full_mouth_implants() -> None:
    """Both jaws, a little open, their bridges on implants that show through the gum."""
    studio.clear()
    lower = full_arch(LOWER, SIX, 0.16, 1.3)
    lower.location.z = 1.31
    upper = full_arch(UPPER, SIX, 0.16, 1.3)
    upper.location = (0, -0.1, 4.95)
    upper.rotation_euler = (math.radians(-9), math.pi, 0)
    arch_view(2.9, 1.3)


def zygomatic_implants() -> None:
    """An upper bridge that stands on its teeth: two long implants go up and outward, two short ones in front."""
    studio.clear()
    arch = group("Arch", (bridge(UPPER),))
    arch.location.z = 1.36
    arch.rotation_euler.y = math.pi
    for side in (-1, 1):
        x, y, heading = along(0.62 * side)
        short = group("Fixture", (implant(1.15), multi_unit()))
        short.location = (x, y + 0.05, 1.36 + 0.2)
        short.rotation_euler = (math.pi, 0, heading)
        x, y, _ = along(2.75 * side)
        long = group("Fixture", (zygomatic(4.4), multi_unit()))
        long.location = (x, y, 1.36 + 0.2)
        long.rotation_euler = (math.pi, 0, math.pi if side > 0 else 0)
    arch_view(2.4, 1.2)


PICTURES: tuple[Picture, ...] = (
    Picture("dental-implants", "treatments", 1200, 900, 80, dental_implants),
    Picture("all-on-4", "treatments", 1200, 900, 64, all_on_4),
    Picture("all-on-6", "treatments", 1200, 900, 64, all_on_6),
    Picture("full-mouth-implants", "treatments", 1200, 900, 64, full_mouth_implants),
    Picture("zygomatic-implants", "treatments", 1200, 900, 64, zygomatic_implants),
)
