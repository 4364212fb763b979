"""What things are made of, as Blender materials: enamel, zirconia, gum, titanium, paper. One for the whole set."""

from __future__ import annotations

import bpy

Colour = tuple[float, float, float]


def linear(hexed: str) -> Colour:
    """The linear-light colour of a page's `#RRGGBB`, as Blender's inputs want it."""
    parts = (int(hexed[at : at + 2], 16) / 255 for at in (1, 3, 5))
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return red, green, blue


def surface(name: str, colour: Colour, **inputs: float | Colour) -> bpy.types.Material:
    """A principled material, made once: `Subsurface_Weight=0.2` sets that input (underscores for its spaces)."""
    if made := bpy.data.materials.get(name):
        return made
    material = bpy.data.materials.new(name)
    material.use_nodes = True
    shader = material.node_tree.nodes["Principled BSDF"]
    shader.inputs["Base Color"].default_value = (*colour, 1)
    for key, value in inputs.items():
        socket = shader.inputs[key.replace("_", " ")]
        colour4 = isinstance(value, tuple) and socket.type == "RGBA"
        socket.default_value = (*value, 1) if colour4 else value
    return material


def enamel() -> bpy.types.Material:
    """Natural tooth: warm white, light goes a millimetre in, wet gloss."""
    return surface(
        "Enamel",
        linear("#EFE6D6"),
        Roughness=0.22,
        Subsurface_Weight=0.35,
        Subsurface_Radius=(0.12, 0.10, 0.08),
        Subsurface_Scale=0.6,
        IOR=1.55,
        Coat_Weight=0.3,
        Coat_Roughness=0.05,
    )


def zirconia() -> bpy.types.Material:
    """A new crown: whiter and glossier than a tooth, still translucent."""
    return surface(
        "Zirconia",
        linear("#F4F0E8"),
        Roughness=0.14,
        Subsurface_Weight=0.3,
        Subsurface_Radius=(0.10, 0.09, 0.08),
        Subsurface_Scale=0.6,
        IOR=1.6,
        Coat_Weight=0.5,
        Coat_Roughness=0.03,
    )


def gum() -> bpy.types.Material:
    """Healthy gum: coral pink, soft, moist."""
    return surface(
        "Gum",
        linear("#C9786F"),
        Roughness=0.32,
        Subsurface_Weight=0.4,
        Subsurface_Radius=(0.25, 0.09, 0.06),
        Subsurface_Scale=0.5,
        Coat_Weight=0.35,
        Coat_Roughness=0.12,
    )


def titanium() -> bpy.types.Material:
    """Machined titanium: the smooth parts (collar, abutment, screw)."""
    return surface("Titanium", linear("#B4B5B7"), Metallic=1.0, Roughness=0.2)


def blasted_titanium() -> bpy.types.Material:
    """The implant's body, blasted and etched so that bone grows on: a duller, darker grey."""
    return surface("Blasted titanium", linear("#9C9FA3"), Metallic=1.0, Roughness=0.36)


def backdrop_paper() -> bpy.types.Material:
    """The warm paper behind every still, near the page's own paper."""
    return surface("Paper", linear("#F0ECE5"), Roughness=0.9)
