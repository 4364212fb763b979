"""What the rooms are finished in: plaster, oak, lacquer, upholstery, brass. The studio's are elsewhere."""

import bpy

from tools.pictures.materials import Colour, linear, surface

INK, TEAL, BRASS, PAPER = "#10263A", "#0B6A6B", "#C79A4B", "#F5F2EC"


LAMP = 3.5


def plaster(hexed: str = PAPER) -> bpy.types.Material:
    """A painted wall with the smallest unevenness."""
    made = surface(f"Plaster {hexed}", linear(hexed), Roughness=0.92)
    _bump(made, scale=90.0, strength=0.06)
    return made


def lacquer(hexed: str = "#F7F5F0") -> bpy.types.Material:
    """Satin paint of cabinets and machines."""
    return surface(f"Lacquer {hexed}", linear(hexed), Roughness=0.32, Coat_Weight=0.15, Coat_Roughness=0.2)


def upholstery(hexed: str = TEAL) -> bpy.types.Material:
    """Soft artificial leather, as on a treatment chair."""
    return surface(f"Upholstery {hexed}", linear(hexed), Roughness=0.42, Sheen_Weight=0.15)


def linen(hexed: str = "#DCD3C2") -> bpy.types.Material:
    """Woven cloth of chairs and cushions."""
    made = surface(f"Linen {hexed}", linear(hexed), Roughness=0.95, Sheen_Weight=0.3)
    _bump(made, scale=600.0, strength=0.25)
    return made


def brass() -> bpy.types.Material:
    """Brushed brass: the rooms' small gold."""
    return surface("Brass", linear(BRASS), Metallic=1.0, Roughness=0.28)


def steel() -> bpy.types.Material:
    """Satin stainless steel."""
    return surface("Steel", linear("#C9CCCE"), Metallic=1.0, Roughness=0.3)


def dark_glass() -> bpy.types.Material:
    """A screen that is off, a machine's smoked door."""
    return surface("Dark glass", linear("#0D1720"), Roughness=0.08, Coat_Weight=0.5)


def tea() -> bpy.types.Material:
    """Black tea in a cup."""
    return surface("Tea", linear("#6B2E12"), Roughness=0.05)


def ceramic() -> bpy.types.Material:
    """Glazed white ware."""
    return surface("Ceramic", linear("#F6F3EC"), Roughness=0.18, Coat_Weight=0.4)


def leaf(hexed: str = "#3F6A4A") -> bpy.types.Material:
    """A leaf: a dull gloss."""
    return surface(f"Leaf {hexed}", linear(hexed), Roughness=0.5)


def glow(hexed: str, strength: float) -> bpy.types.Material:
    """A thing that shines: a lamp's face, a status light."""
    made = surface(f"Glow {hexed} {strength}", (0, 0, 0), Emission_Color=linear(hexed), Emission_Strength=strength)
    if strength < LAMP:
        made.cycles.emission_sampling = (
            "NONE"  # Too weak to light anything: a lamp that costs time and brings noise.
        )
    return made


def pane() -> bpy.types.Material:
    """Clear glass as thin as a sheet: mirrors a little, casts no shadow, costs no refraction."""
    if made := bpy.data.materials.get("Pane"):
        return made
    made = bpy.data.materials.new("Pane")
    made.use_nodes = True
    tree = made.node_tree
    tree.nodes.remove(tree.nodes["Principled BSDF"])
    fresnel, mix = tree.nodes.new("ShaderNodeFresnel"), tree.nodes.new("ShaderNodeMixShader")
    clear, mirror = tree.nodes.new("ShaderNodeBsdfTransparent"), tree.nodes.new("ShaderNodeBsdfGlossy")
    clear.inputs["Color"].default_value = (0.94, 0.97, 0.96, 1)
    mirror.inputs["Roughness"].default_value = 0.02
    tree.links.new(fresnel.outputs[0], mix.inputs[0])
    tree.links.new(clear.outputs[0], mix.inputs[1])
    tree.links.new(mirror.outputs[0], mix.inputs[2])
    tree.links.new(mix.outputs[0], tree.nodes["Material Output"].inputs["Surface"])
    return made


def sheer() -> bpy.types.Material:
    """A thin curtain: half of the light passes through and is softened."""
    if made := bpy.data.materials.get("Sheer"):
        return made
    made = bpy.data.materials.new("Sheer")
    made.use_nodes = True
    tree = made.node_tree
    tree.nodes.remove(tree.nodes["Principled BSDF"])
    mix = tree.nodes.new("ShaderNodeMixShader")
    for slot, kind in ((1, "ShaderNodeBsdfDiffuse"), (2, "ShaderNodeBsdfTranslucent")):
        part = tree.nodes.new(kind)
        part.inputs["Color"].default_value = (*linear("#FBF8F1"), 1)
        tree.links.new(part.outputs[0], mix.inputs[slot])
    mix.inputs[0].default_value = 0.55
    tree.links.new(mix.outputs[0], tree.nodes["Material Output"].inputs["Surface"])
    return made


def oak(along: str = "x", tone: str = "#C9B08D") -> bpy.types.Material:
    """Oiled pale oak whose grain runs along an axis of the thing."""
    name = f"Oak {along} {tone}"
    if made := bpy.data.materials.get(name):
        return made
    made = surface(name, linear(tone), Roughness=0.5)
    _colour(made, _grain(made, along, linear(tone)))
    return made


def oak_floor() -> bpy.types.Material:
    """Oak boards of 16 cm by 1.8 m that run away from the camera, each with its own tone."""
    if made := bpy.data.materials.get("Oak floor"):
        return made
    made = surface("Oak floor", linear("#CDB08A"), Roughness=0.38)
    tree = made.node_tree
    place, turn = tree.nodes.new("ShaderNodeTexCoord"), tree.nodes.new("ShaderNodeMapping")
    turn.inputs["Rotation"].default_value = (0, 0, 1.5707963)
    boards = tree.nodes.new("ShaderNodeTexBrick")
    boards.offset_frequency, boards.offset, boards.squash = 2, 0.37, 1.0
    for key, value in {"Scale": 1.0, "Mortar Size": 0.0016, "Brick Width": 1.8, "Row Height": 0.16}.items():
        boards.inputs[key].default_value = value
    for key, hexed in {"Color1": "#FFFFFF", "Color2": "#D9D2C8", "Mortar": "#7A6A58"}.items():
        boards.inputs[key].default_value = (*linear(hexed), 1)
    tree.links.new(place.outputs["Object"], turn.inputs["Vector"])
    tree.links.new(turn.outputs["Vector"], boards.inputs["Vector"])
    both = tree.nodes.new("ShaderNodeMix")
    both.data_type, both.blend_type = "RGBA", "MULTIPLY"
    both.inputs["Factor"].default_value = 1.0
    tree.links.new(_grain(made, "y", linear("#CFBB9E")), both.inputs[6])
    tree.links.new(boards.outputs["Color"], both.inputs[7])
    _colour(made, both.outputs[2])
    return made


def _grain(material: bpy.types.Material, along: str, tone: Colour) -> bpy.types.NodeSocket:
    """Streaks of noise, drawn out along the grain, between a tone and its darker neighbour."""
    tree = material.node_tree
    place, stretch = tree.nodes.new("ShaderNodeTexCoord"), tree.nodes.new("ShaderNodeMapping")
    stretch.inputs["Scale"].default_value = tuple(0.7 if axis == along else 11.0 for axis in "xyz")
    noise, ramp = tree.nodes.new("ShaderNodeTexNoise"), tree.nodes.new("ShaderNodeValToRGB")
    noise.inputs["Scale"].default_value, noise.inputs["Detail"].default_value = 2.2, 4.0
    noise.inputs["Distortion"].default_value = 0.5
    ramp.color_ramp.elements[0].position, ramp.color_ramp.elements[1].position = 0.3, 0.7
    ramp.color_ramp.elements[0].color = (*(0.76 * part for part in tone), 1)
    ramp.color_ramp.elements[1].color = (*(min(1.0, 1.08 * part) for part in tone), 1)
    tree.links.new(place.outputs["Object"], stretch.inputs["Vector"])
    tree.links.new(stretch.outputs["Vector"], noise.inputs["Vector"])
    tree.links.new(noise.outputs["Fac"], ramp.inputs["Fac"])
    return ramp.outputs["Color"]


def _colour(material: bpy.types.Material, socket: bpy.types.NodeSocket) -> None:
    tree = material.node_tree
    tree.links.new(socket, tree.nodes["Principled BSDF"].inputs["Base Color"])


def _bump(material: bpy.types.Material, *, scale: float, strength: float) -> None:
    tree = material.node_tree
    if "Bump" in tree.nodes:
        return
    place, noise = tree.nodes.new("ShaderNodeTexCoord"), tree.nodes.new("ShaderNodeTexNoise")
    bump = tree.nodes.new("ShaderNodeBump")
    noise.inputs["Scale"].default_value, noise.inputs["Detail"].default_value = scale, 0.0
    bump.inputs["Strength"].default_value, bump.inputs["Distance"].default_value = strength, 0.002
    tree.links.new(place.outputs["Object"], noise.inputs["Vector"])
    tree.links.new(noise.outputs["Fac"], bump.inputs["Height"])
    tree.links.new(bump.outputs["Normal"], tree.nodes["Principled BSDF"].inputs["Normal"])
