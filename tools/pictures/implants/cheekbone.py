"""The cheekbones, only hinted at: what zygomatic implants hold on to, as clear matter over an upper jaw.

Centimetres in the frame of the standing picture: x to the viewer's right, y away from the viewer, z up.
"""

from itertools import pairwise

import bpy
from mathutils import Vector

from tools.pictures.implants.bridge import clear
from tools.pictures.mesh import Point

# Of the bone on the right: where each strand runs, and its radius there.
Strand = tuple[tuple["Point", float], ...]
BUTTRESS: Strand = (
    ((2.25, 2.3, 2.45), 0.42),
    ((2.75, 2.05, 3.2), 0.46),
    ((3.4, 1.75, 3.85), 0.62),
    ((3.95, 1.75, 4.3), 0.72),
    ((4.55, 2.3, 4.45), 0.52),
    ((5.0, 3.3, 4.4), 0.4),
    ((5.1, 4.4, 4.4), 0.36),
)
ORBIT: Strand = (
    ((3.95, 1.75, 4.4), 0.6),
    ((4.3, 1.9, 5.0), 0.42),
    ((4.3, 2.1, 5.7), 0.36),
    ((4.1, 2.2, 6.6), 0.34),
)
RIM: Strand = (
    ((3.85, 1.7, 4.4), 0.6),
    ((3.2, 1.25, 4.25), 0.44),
    ((2.5, 0.9, 4.3), 0.36),
    ((1.75, 0.7, 4.7), 0.34),
)
PILLAR: Strand = (
    ((1.75, 0.75, 2.4), 0.4),
    ((1.55, 0.6, 3.3), 0.36),
    ((1.65, 0.6, 4.3), 0.36),
    ((1.45, 0.7, 5.2), 0.34),
    ((0.9, 0.75, 6.2), 0.32),
)
# Where the bone begins to thin out along an axis, and where nothing is left of it.
FADES = (("Y", 2.5, 3.6), ("Z", 4.7, 5.8), ("Z", 3.0, 2.2))
WALLS: tuple[Strand, ...] = (
    (((1.75, 0.72, 2.6), 0.46), ((2.75, 1.8, 2.7), 0.46)),
    (((1.7, 0.7, 3.3), 0.46), ((2.9, 1.6, 3.4), 0.5)),
    (((1.75, 0.7, 3.9), 0.44), ((3.2, 1.45, 3.95), 0.5)),
)
STEPS = 9
# A ball's skin lies at this share of its radius, once its neighbours have swollen it.
SKIN = 0.62


def cheekbones() -> bpy.types.Object:
    """Both, in one skin each: the buttress over the molars, the rim under the eye, the arch to the temple."""
    data = bpy.data.metaballs.new("Cheekbones")
    data.resolution = data.render_resolution = 0.06
    data.threshold = 0.5
    for side in (-1, 1):
        for strand in (BUTTRESS, ORBIT, RIM, PILLAR, *WALLS):
            for (begin, thick), (end, thin) in pairwise(strand):
                for step in range(STEPS):
                    share = step / STEPS
                    place = Vector(begin).lerp(Vector(end), share)
                    ball = data.elements.new()
                    ball.co = (place.x * side, place.y, place.z)
                    ball.radius = (thick + (thin - thick) * share) / SKIN
                    ball.stiffness = 1.0
    made = bpy.data.objects.new("Cheekbones", data)
    made.data.materials.append(clear_bone())
    bpy.context.scene.collection.objects.link(made)
    return made


def clear_bone() -> bpy.types.Material:
    """Bone made clear, which thins out upwards and to the back: a hint, not a skull."""
    material = clear("Clear bone", (0.44, 0.31, 0.19))
    tree = material.node_tree
    tree.nodes["Seen through"].inputs["Color"].default_value = (1, 1, 1, 1)
    place, axes = tree.nodes.new("ShaderNodeTexCoord"), tree.nodes.new("ShaderNodeSeparateXYZ")
    tree.links.new(place.outputs["Object"], axes.inputs["Vector"])
    share = tree.nodes["Coloured"].outputs["Result"]
    for axis, full, gone in FADES:
        left, both = tree.nodes.new("ShaderNodeMapRange"), tree.nodes.new("ShaderNodeMath")
        left.interpolation_type, both.operation = "SMOOTHSTEP", "MULTIPLY"
        left.inputs["From Min"].default_value, left.inputs["From Max"].default_value = full, gone
        left.inputs["To Min"].default_value, left.inputs["To Max"].default_value = 1.0, 0.0
        tree.links.new(axes.outputs[axis], left.inputs["Value"])
        tree.links.new(share, both.inputs[0])
        tree.links.new(left.outputs["Result"], both.inputs[1])
        share = both.outputs["Value"]
    tree.links.new(share, tree.nodes["Dosed"].inputs["Fac"])
    return material
