"""How titanium looks: lathe lines on machined parts, fine grain on blasted ones, and what it may mirror.

The cards here are seen only in mirrors: they shape the metal and light nothing else.
"""

import bpy
from mathutils import Vector

from tools.pictures.materials import blasted_titanium, surface, titanium
from tools.pictures.mesh import Point, card
from tools.pictures.studio import aim

# Lathe lines per centimetre: finer than a picture shows singly, so that they only streak the gloss.
LINES, LINES_DEPTH = 130.0, 0.10
GRAINS, GRAINS_DEPTH = 260.0, 0.16


def machined() -> bpy.types.Material:
    """Turned titanium: gloss drawn out across fine rings."""
    made = titanium()
    shader = made.node_tree.nodes["Principled BSDF"]
    if shader.inputs["Normal"].is_linked:
        return made
    shader.inputs["Anisotropic"].default_value = 0.45
    tangent = made.node_tree.nodes.new("ShaderNodeTangent")
    tangent.direction_type, tangent.axis = "RADIAL", "Z"
    made.node_tree.links.new(tangent.outputs["Tangent"], shader.inputs["Tangent"])
    stretch = made.node_tree.nodes.new("ShaderNodeMapping")
    stretch.inputs["Scale"].default_value = (0.6, 0.6, LINES)
    rings = made.node_tree.nodes.new("ShaderNodeTexNoise")
    rings.inputs["Scale"].default_value = 1.0
    made.node_tree.links.new(stretch.outputs["Vector"], rings.inputs["Vector"])
    _bump(made, stretch.inputs["Vector"], rings.outputs["Fac"], LINES_DEPTH)
    return made


def blasted() -> bpy.types.Material:
    """Blasted and etched titanium: a fine, even grain."""
    made = blasted_titanium()
    if made.node_tree.nodes["Principled BSDF"].inputs["Normal"].is_linked:
        return made
    grain = made.node_tree.nodes.new("ShaderNodeTexNoise")
    grain.inputs["Scale"].default_value = GRAINS
    grain.inputs["Detail"].default_value = 1.0
    _bump(made, grain.inputs["Vector"], grain.outputs["Fac"], GRAINS_DEPTH)
    return made


def _bump(
    material: bpy.types.Material, at: bpy.types.NodeSocket, height: bpy.types.NodeSocket, strength: float
) -> None:
    """Let a height, measured on the part itself, roughen a material's normals."""
    nodes, links = material.node_tree.nodes, material.node_tree.links
    place = nodes.new("ShaderNodeTexCoord")
    links.new(place.outputs["Object"], at)
    bump = nodes.new("ShaderNodeBump")
    bump.inputs["Strength"].default_value = strength
    bump.inputs["Distance"].default_value = 0.01
    links.new(height, bump.inputs["Height"])
    links.new(bump.outputs["Normal"], nodes["Principled BSDF"].inputs["Normal"])


def mirrors(subject: Point, size: float) -> None:
    """Stand cards round metal `size` wide: bright strips left and right of it, black ones between them."""
    bright = (
        ("Strip left", (-1.5, -1.0, 0.5), 0.55, 3.2, 5.0),
        ("Strip right", (1.7, -0.7, 0.3), 0.30, 2.8, 3.2),
        ("Strip above", (0.1, -0.9, 2.3), 1.4, 0.6, 2.4),
    )
    dark = (
        ("Flag front", (0.15, -2.4, 0.1), 1.0, 4.0, 0.02),
        ("Flag left", (-2.0, 0.35, 0.0), 1.0, 4.0, 0.03),
        ("Flag right", (2.0, 0.5, 0.0), 0.9, 4.0, 0.03),
    )
    for name, offset, width, height, glow in bright + dark:
        place = Vector(subject) + Vector(offset) * size
        mirrored(name, tuple(place), subject, (width * size, height * size), glow)


def mirrored(name: str, place: Point, subject: Point, size: tuple[float, float], glow: float) -> None:
    """A glowing card that faces the subject and is seen only in mirrors."""
    paint = surface(name, (0, 0, 0), Emission_Color=(1.0, 0.985, 0.96), Emission_Strength=glow, Roughness=1.0)
    # Aimed at as a lamp it would waste light paths: only what mirrors it sees it.
    paint.cycles.emission_sampling = "NONE"
    stand = card(name, *size, paint)
    stand.location = place
    aim(stand, subject)
    stand.visible_camera = stand.visible_diffuse = stand.visible_shadow = False
    stand.visible_transmission = stand.visible_volume_scatter = False
