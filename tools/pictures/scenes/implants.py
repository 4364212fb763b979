"""The pictures of implants: one tooth, full arches, both jaws, the cheekbone; the link's card."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import bpy

from tools.pictures import studio
from tools.pictures.implants.abutment import abutment, multi_unit
from tools.pictures.implants.bridge import JAW, LOWER, UPPER, along, bridge, jaw
from tools.pictures.implants.cheekbone import cheekbones
from tools.pictures.implants.implant import implant
from tools.pictures.implants.jaw import jaw_section
from tools.pictures.implants.metal import mirrors
from tools.pictures.implants.zygomatic import zygomatic
from tools.pictures.materials import BRIGHT, backdrop_mint, plaster, tooth
from tools.pictures.mesh import Point, group
from tools.pictures.picture import Picture
from tools.pictures.teeth.crown import crown
from tools.pictures.teeth.forms import Tooth

# Light paths per pixel.
SAMPLES = 32


@dataclass(frozen=True)
class Fixture:
    """Two implants of an arch: how far from its front, their backward tilt (degrees), length (cm)."""

    distance: float
    tilt: float = 0.0
    length: float = 1.15


FOUR = (Fixture(0.75), Fixture(2.9, 42, 1.35))
THREE = (Fixture(0.85), Fixture(2.05), Fixture(3.35, 0, 1.05))
SIX = (Fixture(0.6, 0, 1.15), Fixture(1.95), Fixture(3.5, 0, 1.0))


def single_crown() -> bpy.types.Object:
    """A molar's crown in a shade that is cooler than the paper behind it."""
    return crown("lower molar", tooth("Single crown", replace(BRIGHT, neck="#F4EDE2", body="#F6F7F6")))


def single(gap: float = 0.42) -> bpy.types.Object:
    """Implant, abutment and crown along one axis, `gap` cm between them; the implant's platform is at 0."""
    post = abutment()
    post.location.z = gap
    post.rotation_euler.z = math.radians(150)
    top = single_crown()
    top.rotation_euler.z = math.radians(25)
    top.location.z = gap * 1.9 + 0.34
    return group("Single tooth", (implant(), post, top))


def leaning(camera: Point, target: Point) -> None:
    """The single tooth drawn apart along a leaning axis, seen from `camera`."""
    studio.clear()
    unit = single()
    unit.location = (-0.40, 0, 1.45)
    unit.rotation_euler = (math.radians(11), math.radians(34), math.radians(-10))
    middle: Point = (0.1, 0, 1.75)
    studio.light(middle, 1.7, fill=0.5)
    mirrors(middle, 1.6)
    studio.backdrop(depth=2.6)
    studio.camera(camera, target, aperture=11)


def dental_implants() -> None:
    """One tooth's implant, abutment and crown, drawn apart along a leaning axis."""
    leaning((0.02, -10.7, 2.6), (0.02, 0, 1.72))


def card() -> None:
    """The same tooth at the right of a wide card, quiet paper at the left for the clinic's name."""
    leaning((-1.35, -14.6, 2.9), (-1.35, 0, 1.72))


def seat(camera: Point, target: Point) -> None:
    """A piece of jaw, sawn open, on the paper, lit, for one implant whose platform is to be at z = 1.38."""
    jaw_section()
    middle: Point = (0.0, 0, 1.7)
    studio.light(middle, 1.8, fill=0.5, key=0.9)
    mirrors(middle, 1.7)
    studio.backdrop(depth=4.2)
    studio.camera(camera, target, aperture=11)


def presentation() -> None:
    """The film's poster: its parts before they meet, in the middle."""
    studio.clear()
    single(0.3).location.z = 1.38
    seat((0.0, -16.2, 4.1), (0.0, 0.0, 1.3))


def full_arch(teeth: Sequence[Tooth], fixtures: Sequence[Fixture]) -> bpy.types.Object:
    """A bridge of two of each of the teeth over its clear jaw, and its implants."""
    parts = [jaw(), bridge(teeth), *(standing(fixture, side) for fixture in fixtures for side in (-1, 1))]
    parts[1].location.z = 1.05
    return group("Full arch", parts)


def standing(fixture: Fixture, side: int) -> bpy.types.Object:
    """One of a fixture's implants with its abutment, in its place in the jaw; `side` is the sign of x."""
    x, y, heading = along(fixture.distance * side)
    top = multi_unit(fixture.tilt)
    top.rotation_euler.z = math.pi if side > 0 else 0
    joint = group("Fixture", (implant(fixture.length), top))
    joint.location = (x, y, -0.12)
    joint.rotation_euler = (0, math.radians(fixture.tilt) * side, heading)
    return joint


def arch_view(
    height: float, away: float, azimuth: float = 27.0, fill: float = 0.6, *, aside: float = -0.55
) -> None:
    """The light and the camera of every full arch: from above the front, `azimuth` degrees to the left.

    `height` and `aside` (cm) are what it looks at; `away` is a share of the distance, 1 at 16 cm.
    """
    middle: Point = (0.0, 1.5, height)
    studio.light(middle, 3.4, fill=fill)
    mirrors((0, 1.2, 1.0), 3.4)
    studio.backdrop(depth=7.5, material=backdrop_mint())
    across, back = math.sin(math.radians(azimuth)), math.cos(math.radians(azimuth))
    eye = (aside - 16.0 * away * across, 1.5 - 16.0 * away * back, height + 5.6 * away)
    studio.camera(eye, (aside, 1.5, height), aperture=16)


def all_on_4() -> None:
    """A lower bridge over four implants, the rear two tilted."""
    studio.clear()
    full_arch(LOWER, FOUR).location.z = 1.56
    arch_view(1.72, 1.1, 0)


def all_on_6() -> None:
    """A lower bridge over six upright implants."""
    studio.clear()
    full_arch(LOWER, SIX).location.z = 1.56
    arch_view(1.72, 1.1, 7)


def full_mouth_implants() -> None:
    """Both jaws closed, on models of stone; a quarter of the lower one is clear and shows three of its implants."""
    studio.clear()
    stone = plaster()
    upper = group("Upper jaw", (bridge(UPPER, 0.3), jaw(0.85, material=stone)))
    upper.location, upper.rotation_euler.y = (0, -0.1, 3.8), math.pi
    lower = (
        bridge(LOWER, 0.2),
        jaw(1.35, (-JAW, 0)),
        jaw(1.35, (0, JAW), stone),
        *(standing(each, -1) for each in THREE),
    )
    below = group("Lower jaw", lower)
    below.location, below.scale = (0, 0.16, 1.35), (0.94, 0.94, 1)
    middle: Point = (0.0, 1.4, 2.6)
    studio.light(middle, 3.6, fill=0.8)
    mirrors((0, 1.2, 2.0), 3.4)
    studio.backdrop(depth=9, material=backdrop_mint())
    studio.camera((-11.2, -16.4, 5.6), (-0.35, 1.5, 2.28), lens=85, aperture=16)


def zygomatic_implants() -> None:
    """An upper bridge that stands on its teeth: two long implants go up and outward, two short ones in front."""
    studio.clear()
    neck = 1.36
    arch = group("Arch", (bridge(UPPER), clear := jaw(1.15)))
    clear.location.z = -0.16
    arch.location.z = neck
    arch.rotation_euler.y = math.pi
    for side in (-1, 1):
        for distance, screw_in in ((0.62, implant(1.0)), (2.75, zygomatic(3.9, 40))):
            x, y, heading = along(distance * side)
            joint = group("Fixture", (screw_in, multi_unit()))
            joint.location = (x, y, neck + 0.22)
            joint.rotation_euler = (math.pi, 0, heading if distance < 1 else math.pi * (side > 0))
    cheekbones()
    arch_view(3.1, 1.95, 10, aside=-0.13)


PICTURES: tuple[Picture, ...] = (
    Picture("dental-implants", "treatments", 1200, 900, SAMPLES, dental_implants),
    Picture("all-on-4", "treatments", 1200, 900, SAMPLES, all_on_4),
    Picture("all-on-6", "treatments", 1200, 900, SAMPLES, all_on_6),
    Picture("full-mouth-implants", "treatments", 1200, 900, SAMPLES, full_mouth_implants),
    Picture("zygomatic-implants", "treatments", 1200, 900, SAMPLES, zygomatic_implants),
    Picture("card", "hero", 1200, 630, SAMPLES, card),
    Picture("presentation", "videos", 1280, 720, 12, presentation),
)
