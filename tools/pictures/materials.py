"""What things are made of, as Blender materials: enamel, zirconia, gum, titanium, paper. One for the whole set."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

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
    shader.subsurface_method = "BURLEY"
    shader.inputs["Base Color"].default_value = (*colour, 1)
    for key, value in inputs.items():
        socket = shader.inputs[key.replace("_", " ")]
        socket.default_value = (*value, 1) if isinstance(value, tuple) and socket.type == "RGBA" else value
    return material


@dataclass(frozen=True)
class Shade:
    """A tooth's colours from the neck to the edge (`#RRGGBB`), and how glossy it is.

    `dentine` is what its fissures darken to. `depth` is how much light goes into it: none into a painted model.
    """

    neck: str
    body: str
    edge: str
    roughness: float = 0.2
    coat: float = 0.35
    dentine: str = "#CBA46C"
    depth: float = 0.3


BRIGHT = Shade("#F5EBDA", "#FAF5EB", "#EEF0EF", roughness=0.15, coat=0.5)


STONE, STONE_SHADE = "#BCC8C2", "#A2B2AC"


def tooth(name: str, shade: Shade) -> bpy.types.Material:
    """A tooth's material: its shade follows the attribute `along` (0 neck, 1 edge, below 0 in fissures)."""
    material = surface(
        name,
        linear(shade.body),
        Subsurface_Weight=shade.depth,
        Subsurface_Radius=(0.11, 0.09, 0.07),
        Subsurface_Scale=0.6,
        IOR=1.5,
        Coat_Roughness=0.06,
    )
    tree = material.node_tree
    if "Along" in tree.nodes:
        return material
    shader = tree.nodes["Principled BSDF"]
    along = tree.nodes.new("ShaderNodeAttribute")
    along.name, along.attribute_name = "Along", "along"
    stops = ((0.0, shade.dentine), (0.5, shade.neck), (0.725, shade.body), (0.83, shade.body), (1.0, shade.edge))
    colour = ramp(tree, mapped(tree, along.outputs["Fac"], (-1, 1), (0, 1)), stops)
    # Dentine is matt.
    tree.links.new(mapped(tree, along.outputs["Fac"], (-1, 0), (0, shade.coat)), shader.inputs["Coat Weight"])
    tree.links.new(mapped(tree, along.outputs["Fac"], (-1, 0), (0.6, shade.roughness)), shader.inputs["Roughness"])
    tree.links.new(colour, shader.inputs["Base Color"])
    bump(tree, noise(tree, 26, 3), 0.035)
    return material


def translucent_zirconia() -> bpy.types.Material:
    """Zirconia of the most translucent grade: denser at the neck, what is behind it shows through the edge."""
    material = tooth("Translucent zirconia", Shade("#EADBC0", "#F3EEE4", "#E6F0F4", roughness=0.15, coat=0.6))
    tree = material.node_tree
    dense = ramp(tree, tree.nodes["Along"].outputs["Fac"], ((0.45, "#FFFFFF"), (1.0, "#969696")))
    mix, through = tree.nodes.new("ShaderNodeMixShader"), tree.nodes.new("ShaderNodeBsdfTransparent")
    tree.links.new(dense, mix.inputs["Fac"])
    tree.links.new(through.outputs["BSDF"], mix.inputs[1])
    tree.links.new(tree.nodes["Principled BSDF"].outputs["BSDF"], mix.inputs[2])
    tree.links.new(mix.outputs["Shader"], tree.nodes["Material Output"].inputs["Surface"])
    return material


def zirconia() -> bpy.types.Material:
    """A new crown: whiter, evener and glossier than a tooth, still translucent."""
    return tooth("Zirconia", BRIGHT)


def gum() -> bpy.types.Material:
    """Healthy gum, or a bridge's ceramic in its colour: coral pink, stippled, moist."""
    material = surface(
        "Gum",
        linear("#D9958A"),
        Roughness=0.44,
        Subsurface_Weight=0.3,
        Subsurface_Radius=(0.2, 0.08, 0.06),
        Subsurface_Scale=0.5,
        Coat_Weight=0.3,
        Coat_Roughness=0.3,
    )
    tree = material.node_tree
    if not tree.nodes["Principled BSDF"].inputs["Normal"].is_linked:
        bump(tree, noise(tree, 15, 2), 0.11)
    return material


def dental_stone() -> bpy.types.Material:
    """Gypsum of study models: matt, a little uneven in tone."""
    material = surface("Dental stone", linear(STONE), Roughness=0.85, Specular_IOR_Level=0.3)
    tree = material.node_tree
    if not tree.nodes["Principled BSDF"].inputs["Normal"].is_linked:
        patches = ramp(tree, noise(tree, 1.4, 4), ((0.3, "#000000"), (0.8, "#2A2A2A")))
        tone = tree.nodes.new("ShaderNodeRGB")
        tone.outputs[0].default_value = (*linear(STONE), 1)
        shaded = blend(tree, patches, tone.outputs[0], linear(STONE_SHADE))
        tree.links.new(shaded, tree.nodes["Principled BSDF"].inputs["Base Color"])
        bump(tree, noise(tree, 34, 3), 0.05)
    return material


def plaster() -> bpy.types.Material:
    """The ivory gypsum of working models."""
    return surface("Working model", linear("#E6DBC6"), Roughness=0.8, Specular_IOR_Level=0.3)


def shining(name: str) -> tuple[bpy.types.Material, bpy.types.NodeTree, bpy.types.Node]:
    """A material that only shines, and is no lamp; its nodes, and its emission."""
    made = bpy.data.materials.new(name)
    made.use_nodes = True
    made.cycles.emission_sampling = "NONE"
    tree = made.node_tree
    tree.nodes.clear()
    emission, out = tree.nodes.new("ShaderNodeEmission"), tree.nodes.new("ShaderNodeOutputMaterial")
    tree.links.new(emission.outputs[0], out.inputs["Surface"])
    return made, tree, emission


def maths(tree: bpy.types.NodeTree, operation: str, *given: Any) -> bpy.types.NodeSocket:
    """A number from numbers: values, or other nodes' outputs."""
    return computed(tree, "ShaderNodeMath", operation, given).outputs[0]


def computed(tree: bpy.types.NodeTree, kind: str, operation: str, given: Iterable[Any]) -> bpy.types.Node:
    """A node that computes with values or other nodes' outputs."""
    made = tree.nodes.new(kind)
    made.operation = operation
    for socket, value in zip(made.inputs, given, strict=False):
        if isinstance(value, bpy.types.NodeSocket):
            tree.links.new(value, socket)
        else:
            socket.default_value = value
    return made


def noise(tree: bpy.types.NodeTree, scale: float, detail: float) -> bpy.types.NodeSocket:
    """Noise over the object's own coordinates, `scale` to a centimetre."""
    place, made = tree.nodes.new("ShaderNodeTexCoord"), tree.nodes.new("ShaderNodeTexNoise")
    made.inputs["Scale"].default_value, made.inputs["Detail"].default_value = scale, detail
    tree.links.new(place.outputs["Object"], made.inputs["Vector"])
    return made.outputs[0]


def ramp(
    tree: bpy.types.NodeTree, factor: bpy.types.NodeSocket, stops: tuple[tuple[float, str], ...]
) -> bpy.types.NodeSocket:
    """Colours (`#RRGGBB`) along a factor."""
    made = tree.nodes.new("ShaderNodeValToRGB")
    made.color_ramp.interpolation = "EASE"
    for number, (at, hexed) in enumerate(stops):
        stop = made.color_ramp.elements[number] if number < 2 else made.color_ramp.elements.new(at)
        stop.position, stop.color = at, (*linear(hexed), 1)
    tree.links.new(factor, made.inputs["Fac"])
    return made.outputs["Color"]


def mapped(
    tree: bpy.types.NodeTree,
    value: bpy.types.NodeSocket,
    source: tuple[float, float],
    target: tuple[float, float],
) -> bpy.types.NodeSocket:
    """A value's way from one end of `source` to the other, as a way through `target`; no further."""
    made = tree.nodes.new("ShaderNodeMapRange")
    made.inputs["From Min"].default_value, made.inputs["From Max"].default_value = source
    made.inputs["To Min"].default_value, made.inputs["To Max"].default_value = target
    tree.links.new(value, made.inputs["Value"])
    return made.outputs["Result"]


def blend(
    tree: bpy.types.NodeTree, factor: bpy.types.NodeSocket, under: bpy.types.NodeSocket, over: Colour
) -> bpy.types.NodeSocket:
    """One colour laid over another where the factor is white."""
    made = tree.nodes.new("ShaderNodeMix")
    made.data_type = "RGBA"
    tree.links.new(factor, made.inputs[0])
    tree.links.new(under, made.inputs[6])
    made.inputs[7].default_value = (*over, 1)
    return made.outputs[2]


def bump(tree: bpy.types.NodeTree, height: bpy.types.NodeSocket, strength: float) -> None:
    """Relief that only the light sees, on the tree's principled shader."""
    made = tree.nodes.new("ShaderNodeBump")
    made.inputs["Strength"].default_value, made.inputs["Distance"].default_value = strength, 0.05
    tree.links.new(height, made.inputs["Height"])
    tree.links.new(made.outputs["Normal"], tree.nodes["Principled BSDF"].inputs["Normal"])


def titanium() -> bpy.types.Material:
    """Machined titanium: the smooth parts (collar, abutment, screw)."""
    return surface("Titanium", linear("#B4B5B7"), Metallic=1.0, Roughness=0.2)


def blasted_titanium() -> bpy.types.Material:
    """The implant's body, blasted and etched so that bone grows on: a duller, darker grey."""
    return surface("Blasted titanium", linear("#9C9FA3"), Metallic=1.0, Roughness=0.36)


def backdrop_paper() -> bpy.types.Material:
    """The warm paper behind every still, near the page's own paper."""
    return surface("Paper", linear("#F0ECE5"), Roughness=0.9)


def backdrop_mint() -> bpy.types.Material:
    """Paper in the pages' mint, a little deeper: white teeth stand out from it."""
    return surface("Mint paper", linear("#BFD0CB"), Roughness=0.9)


def backdrop_sand() -> bpy.types.Material:
    """Paper in a deeper warm tone: the white rear teeth of a study model stand out from it."""
    return surface("Sand paper", linear("#DAD0C1"), Roughness=0.9)


def ceramic() -> bpy.types.Material:
    """The low stand white crowns are shown on: matt ceramic in the pages' teal, greyed."""
    return surface("Ceramic", linear("#7FA5A2"), Roughness=0.55)


def lacquered() -> bpy.types.Material:
    """The white grips of a shade guide."""
    return surface("Lacquered", linear("#F4F3F0"), Roughness=0.35)
