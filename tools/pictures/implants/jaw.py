"""A piece of the lower jaw, sawn open along the row of teeth: gum, the bone's dense rim, and spongy bone.

Centimetres; it stands on z = 0 with its cut face at y = 0, towards the camera. An implant on its axis there is half
sunk in it.
"""

import math
from collections.abc import Callable

import bpy

from tools.pictures.materials import bump, gum, linear, ramp, surface
from tools.pictures.mesh import Point, group, skin

HALF, DEPTH = 1.55, 1.15
# Heights at the implant: where the bone ends (an implant's platform), how thick its dense rim and the gum are.
BONE, RIM, GUM = 1.38, 0.13, 0.27
STEPS = 64


def jaw_section() -> bpy.types.Object:
    """The piece in its three layers."""

    def bone(x: float) -> float:
        return BONE + 0.07 * math.sin(min(abs(x) / HALF, 1) * math.pi / 2) ** 2

    def rim(x: float) -> float:
        return bone(x) - RIM

    def top(x: float) -> float:
        return bone(x) + GUM + 0.12 * (1 - math.exp(-((x / 0.75) ** 2)))

    return group(
        "Jaw section",
        (
            layer("Spongy bone", lambda _: 0.0, rim, spongy_bone()),
            layer("Dense bone", rim, bone, dense_bone()),
            layer("Gum layer", bone, top, gum(), fall=0.2),
        ),
    )


def layer(
    name: str,
    low: Callable[[float], float],
    high: Callable[[float], float],
    material: bpy.types.Material,
    fall: float = 0.0,
) -> bpy.types.Object:
    """What lies between two lines of the cut face, and behind them.

    Args:
        name: The part's name.
        low: The height of its lower line at a place along the jaw.
        high: The height of its upper line.
        material: What it is made of.
        fall: How far its upper side falls to the back.

    Returns:
        The part.
    """
    across = [HALF * (2 * step / STEPS - 1) for step in range(STEPS + 1)]
    rings: list[list[Point]] = []
    for step in range(9):
        share = step / 8
        drop = fall * share**2
        upper = [(x, DEPTH * share, high(x) - drop) for x in across]
        lower = [(x, DEPTH * share, low(x)) for x in reversed(across)]
        rings.append([*upper, *lower])
    return skin(name, rings, material, caps=True)


def dense_bone() -> bpy.types.Material:
    """The dense rim of bone: ivory, matt."""
    return surface("Dense bone", linear("#EFE3CB"), Roughness=0.6)


def spongy_bone() -> bpy.types.Material:
    """The inside of bone: a warm white mesh with small pores."""
    material = surface("Spongy bone", linear("#EBDDC3"), Roughness=0.85)
    tree = material.node_tree
    if tree.nodes["Principled BSDF"].inputs["Normal"].is_linked:
        return material
    place, cells = tree.nodes.new("ShaderNodeTexCoord"), tree.nodes.new("ShaderNodeTexVoronoi")
    cells.feature = "DISTANCE_TO_EDGE"
    cells.inputs["Scale"].default_value = 13.0
    tree.links.new(place.outputs["Object"], cells.inputs["Vector"])
    height = cells.outputs["Distance"]
    colour = ramp(tree, height, ((0.06, "#F1E7D3"), (0.4, "#DFCDAD")))
    tree.links.new(colour, tree.nodes["Principled BSDF"].inputs["Base Color"])
    bump(tree, height, -0.5)
    return material
