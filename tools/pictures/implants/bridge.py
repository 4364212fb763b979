"""The full-arch bridge: a horseshoe of crowns on a pink base, and the see-through gum of its jaw.

The arch lies flat, its front at y = 0 towards the camera (-Y), its ends at the back; z = 0 is the gum's crest.
"""

import math
from collections.abc import Callable, Sequence

import bpy

from tools.pictures.materials import Colour, gum, surface, zirconia
from tools.pictures.mesh import Flat, Point, group, sweep
from tools.pictures.teeth.crown import crown
from tools.pictures.teeth.forms import FORMS, Tooth

# Half the arch's width and its depth at the teeth's middles, in cm.
WIDE, DEEP = 2.45, 3.7
UPPER: tuple[Tooth, ...] = ("central", "lateral", "canine", "premolar", "second premolar", "molar")
LOWER: tuple[Tooth, ...] = (
    "lower incisor",
    "lower incisor",
    "lower canine",
    "lower premolar",
    "lower premolar",
    "lower molar",
)
SECTION = 36
# How high a bridge's base is at the necks, and how far its jaw reaches along the arch to either side, in cm.
NECKS, JAW = 0.42, 4.35


def along(distance: float) -> tuple[float, float, float]:
    """The arch's (x, y) and the heading in radians, `distance` centimetres from its front (left: negative)."""
    turn, walked, step = 0.0, 0.0, 0.004
    while walked < abs(distance):
        walked += step * math.hypot(WIDE * math.cos(turn), DEEP * math.sin(turn))
        turn += step
    side = math.copysign(1, distance)
    heading = math.atan2(DEEP * math.sin(turn), WIDE * math.cos(turn)) * side
    return WIDE * math.sin(turn) * side, DEEP * (1 - math.cos(turn)), heading


def spots(teeth: Sequence[Tooth]) -> list[tuple[float, float]]:
    """Each tooth's middle and width along one side of the arch, front to back, in cm."""
    found, walked = [], 0.0
    for tooth in teeth:
        width = FORMS[tooth].width / 10
        found.append((walked + width / 2, width))
        walked += width
    return found


def bridge(teeth: Sequence[Tooth], rise: float = 0.0) -> bpy.types.Object:
    """The bridge that rests on z = 0: a pink base, and two of each of the teeth.

    The last tooth's neck is `rise` (cm) higher than the first's: in closed jaws short molars reach the bite.
    """
    places = spots(teeth)
    parts = []
    for number, (tooth, (middle, _)) in enumerate(zip(teeth, places, strict=True)):
        for side in (-1, 1):
            made = crown(tooth, zirconia(), mirrored=side > 0)
            x, y, heading = along(middle * side)
            made.location = (x, y, NECKS - 0.06 + rise * middle / places[-1][0])
            made.rotation_euler.z = heading
            # A bridge is one piece: its teeth run into each other at their contacts. The arch bends most in front.
            made.scale.x = 1.1 if number else 1.16
            parts.append(made)
    parts.append(_base(places, rise))
    return group("Bridge", parts)


def _base(places: Sequence[tuple[float, float]], rise: float) -> bpy.types.Object:
    end = places[-1][0] + places[-1][1] / 2 + 0.05

    def shape(distance: float) -> tuple[float, float, float, float]:
        back = abs(distance) / end
        papilla = min(
            abs(abs(distance) - (middle + side * width / 2)) for middle, width in places for side in (-1, 1)
        )
        return (
            0.66 + 0.34 * back**1.6,
            0.0,
            NECKS + rise * back + 0.2 * math.exp(-((papilla / 0.13) ** 2)) * (1 - 0.4 * back),
            0.0,
        )

    return horseshoe("Bridge base", (-end, end), shape, gum())


def jaw(
    depth: float = 1.55, span: tuple[float, float] = (-JAW, JAW), material: bpy.types.Material | None = None
) -> bpy.types.Object:
    """The jaw's gum and bone as a model, `depth` deep below z = 0: clear acrylic, or trimmed of a `material`.

    `span` is the part of the arch that it takes.
    """

    def shape(distance: float) -> tuple[float, float, float, float]:
        back = abs(distance) / JAW
        return 1.0 + 0.35 * back**1.5, -depth * (1 - 0.12 * back), 0.0, 0.0

    return horseshoe("Jaw", span, shape, material or acrylic(), power=7 if material else 2.8)


def horseshoe(
    name: str,
    span: tuple[float, float],
    shape: Callable[[float], tuple[float, float, float, float]],
    material: bpy.types.Material,
    *,
    power: float = 3.2,
) -> bpy.types.Object:
    """A rounded bar along a span of the arch, round at the arch's ends and cut off elsewhere.

    `shape(distance)` is (width, bottom, top, outward).
    """
    count, end = 220, max(map(abs, span))

    def distance(share: float) -> float:
        return span[0] + (span[1] - span[0]) * share

    path: list[Point] = []
    for at in range(count + 1):
        x, y, _ = along(distance(at / count))
        path.append((x, y, 0.0))

    def section(share: float) -> list[Flat]:
        width, bottom, top, shift = shape(distance(share))
        over = max(0.0, (abs(distance(share)) - (end - 0.3)) / 0.3)
        taper = max(0.02, (1 - over**2.5)) ** 0.4
        middle, tall = (bottom + top) / 2, (top - bottom) / 2 * taper
        return [
            (
                shift + width / 2 * taper * _power(math.cos(turn), power),
                middle + tall * _power(math.sin(turn), power),
            )
            for turn in (2 * math.pi * step / SECTION for step in range(SECTION))
        ]

    return sweep(name, path, section, material)


def _power(value: float, power: float) -> float:
    return math.copysign(abs(value) ** (2 / power), value)


def acrylic() -> bpy.types.Material:
    """The clear acrylic of demonstration models, which shows what stands in it."""
    return clear("Acrylic", (0.40, 0.56, 0.56))


def clear(name: str, colour: Colour) -> bpy.types.Material:
    """Matter made clear: coloured at its edges, nearly gone where it faces the eye."""
    material = surface(name, colour, Roughness=0.18, Coat_Weight=0.3, Coat_Roughness=0.1, Specular_IOR_Level=0.3)
    nodes, links = material.node_tree.nodes, material.node_tree.links
    if "Seen through" in nodes:
        return material
    clear = nodes.new("ShaderNodeBsdfTransparent")
    clear.name = "Seen through"
    clear.inputs["Color"].default_value = (1.0, 0.985, 0.98, 1)
    facing = nodes.new("ShaderNodeLayerWeight")
    facing.inputs["Blend"].default_value = 0.25
    share = nodes.new("ShaderNodeMapRange")
    share.name = "Coloured"
    share.inputs["To Min"].default_value, share.inputs["To Max"].default_value = 0.025, 0.62
    mix = nodes.new("ShaderNodeMixShader")
    mix.name = "Dosed"
    links.new(facing.outputs["Facing"], share.inputs["Value"])
    links.new(share.outputs["Result"], mix.inputs["Fac"])
    links.new(clear.outputs["BSDF"], mix.inputs[1])
    links.new(nodes["Principled BSDF"].outputs["BSDF"], mix.inputs[2])
    links.new(mix.outputs["Shader"], nodes["Material Output"].inputs["Surface"])
    return material
