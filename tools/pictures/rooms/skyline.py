"""A city by the water behind a window: hills of houses in the morning's haze, a mosque, a round tower, a ferry.

All of it shines by itself: it costs no light paths and lights nothing. The sun stands behind it, to the right.
"""

import math
import random

import bpy
from mathutils import Vector

from tools.pictures.materials import computed, mapped, maths, ramp, shining
from tools.pictures.rooms.solids import Point, ball, box, slab, turned

SUN = Vector((0.6, 0.45, 0.66)).normalized()
# How far the near shore is from the room, the height of its waterline, and where the eye's horizon is.
SHORE, WATERLINE, EYE = 24.0, 0.95, 1.35
# Of each hill, the farthest first: its distance behind the shore, height, houses, and the tones of walls and roofs
# in the shade and in the sun.
HILLS = (
    (13.0, 2.7, 260, ("#CBD5D6", "#EBE6DC"), ("#C8CECE", "#E8DFD2")),
    (7.0, 1.5, 300, ("#B3C1C5", "#E6DCCC"), ("#B1B3B0", "#DCCDBD")),
    (0.5, 0.62, 240, ("#98A9AE", "#E2D6C4"), ("#989692", "#CBB7A4")),
)
# The faces of a house over its eight corners and the two ends of its ridge; nobody sees its back.
WALLS = ((0, 1, 5, 4), (1, 2, 6, 5), (3, 0, 4, 7))
ROOF = ((4, 5, 9, 8), (5, 6, 9), (7, 4, 8), (6, 7, 8, 9))
# Of a mosque, by its size: each dome's place, height and radius; a minaret's half widths and shares of its height.
DOMES = ((0, 1.25, 1.0), (-0.95, 0.8, 0.62), (0.95, 0.8, 0.62), (-1.75, 0.45, 0.36), (1.75, 0.45, 0.36))
MINARET = (
    *((1, 0), (1, 0.69), (1.8, 0.7), (1.8, 0.712), (0.9, 0.712)),
    *((1, 0.79), (1.8, 0.8), (1.8, 0.812), (0.9, 0.812), (0.8, 0.89), (0, 1)),
)
TOWER = ((0.42, -2.0), (0.40, 1.9), (0.50, 1.95), (0.50, 2.1), (0.36, 2.15), (0.36, 2.5), (0.44, 2.55), (0.0, 3.6))
WHITE, DARK, GLASS = ("#E4E2DA", "#FFFDF6"), ("#3C4950", "#6C7880"), ("#7D8E96", "#9AA9AF")
GOLD, FOAM = ("#D9A441", "#F2C76A"), ("#F1F4F2", "#FFFFFF")
# The ferry's side, from back to front: hull, rail, two decks and the bridge with their windows, funnel, masts, and
# its wake; x to its stern, z up.
FERRY = (
    (((-1.42, 0.0), (1.4, 0.0), (1.5, 0.17), (-1.6, 0.22)), DARK),
    (((-1.6, 0.22), (1.5, 0.17), (1.5, 0.25), (-1.68, 0.31)), WHITE),
    (((-1.05, 0.2), (1.3, 0.2), (1.3, 0.47), (-0.95, 0.47)), WHITE),
    (((-0.98, 0.31), (1.25, 0.31), (1.25, 0.4), (-0.95, 0.4)), GLASS),
    (((-0.8, 0.47), (1.0, 0.47), (1.0, 0.7), (-0.72, 0.7)), WHITE),
    (((-0.74, 0.55), (0.95, 0.55), (0.95, 0.63), (-0.72, 0.63)), GLASS),
    (((-0.62, 0.7), (-0.15, 0.7), (-0.15, 0.9), (-0.58, 0.9)), WHITE),
    (((-0.6, 0.77), (-0.2, 0.77), (-0.2, 0.85), (-0.59, 0.85)), GLASS),
    (((0.12, 0.7), (0.42, 0.7), (0.46, 1.06), (0.18, 1.06)), GOLD),
    (((0.17, 0.98), (0.45, 0.98), (0.47, 1.12), (0.19, 1.12)), DARK),
    (((-0.4, 0.7), (-0.37, 0.7), (-0.37, 1.3), (-0.4, 1.3)), WHITE),
    (((0.85, 0.7), (0.88, 0.7), (0.88, 1.3), (0.85, 1.3)), WHITE),
    (
        (
            *((-1.44, -0.03), (-1.3, 0.05), (-0.6, 0.0), (1.4, -0.01)),
            *((2.1, -0.03), (4.2, -0.09), (4.2, -0.12), (1.2, -0.06)),
        ),
        FOAM,
    ),
    (((-1.3, -0.01), (2.6, -0.3), (2.7, -0.29), (-1.1, 0.02)), FOAM),
)


def city(*, seed: int = 4) -> None:
    """Set the sky, the hills, what stands on them, and the water."""
    chance, before = random.Random(seed), set(bpy.context.scene.objects)
    for back, rise, count, walls, roofs in HILLS:
        _hill(SHORE + back, rise, count, (hazed(*walls), hazed(*roofs)), chance)
    stone = hazed("#97A9B0", "#EFE5D3")
    mosque((7.3, SHORE + 5.5, WATERLINE + 0.75), 1.12, stone)
    mosque((-11.5, SHORE + 11.5, WATERLINE + 1.5), 0.9, hazed("#B9C6CA", "#E8E2D8"))
    turned(TOWER, (1.0, SHORE + 5.5, WATERLINE + 0.5), stone, steps=24)
    box((240, 0.1, 60), (0, SHORE + 30, -20), _sky(), bevel=0.001)
    box((120, 0.1, 8.0), (0, SHORE - 1.0, WATERLINE - 8.0), _water(), bevel=0.001)
    unseen(before)


def unseen(before: set[bpy.types.Object]) -> None:
    """Let nothing that is new since `before` throw shadows or light into the room."""
    for thing in set(bpy.context.scene.objects) - before:
        thing.visible_shadow = thing.visible_diffuse = False


def _hill(y: float, rise: float, count: int, tones: tuple[bpy.types.Material, ...], chance: random.Random) -> None:
    """A hillside over the shore: ground, and houses with hipped roofs that climb it."""

    def crest(x: float) -> float:
        return rise * (1.0 + 0.35 * math.sin(x * 0.13 + rise * 5) + 0.2 * math.sin(x * 0.31 + rise))

    line = [(x, WATERLINE + 0.96 * crest(x)) for x in range(-40, 41)]
    slab([(-40, -1), (40, -1), *reversed(line)], 0.05, (0, y + 2.2, 0), tones[0], bevel=0.0)
    points: list[Point] = []
    faces: list[tuple[int, ...]] = []
    for _ in range(count):
        x, up = chance.uniform(-32, 32), chance.random() ** 0.8
        wide, tall = chance.uniform(0.25, 0.62), chance.uniform(0.16, 0.42)
        foot = WATERLINE + crest(x) * up
        start, ridge = len(points), foot + tall + 0.11
        for z in (foot - 0.6, foot + tall):
            points += [
                (x + a * wide, y + 2 * up + b, z) for a, b in ((-0.5, -0.2), (0.5, -0.2), (0.5, 0.2), (-0.5, 0.2))
            ]
        points += [(x + a * wide, y + 2 * up, ridge) for a in (-0.2, 0.2)]
        faces += [tuple(start + at for at in face) for face in (*WALLS, *ROOF)]
    mesh = bpy.data.meshes.new("Houses")
    mesh.from_pydata(points, [], faces)
    for number, polygon in enumerate(mesh.polygons):
        polygon.material_index = number % 7 >= len(WALLS)
    for tone in tones:
        mesh.materials.append(tone)
    bpy.context.scene.collection.objects.link(bpy.data.objects.new("Houses", mesh))


def mosque(at: Point, size: float, stone: bpy.types.Material) -> None:
    """A great dome over half domes, small domes at its foot, four slender minarets."""
    x, y, z = at
    for along, high, radius in DOMES:
        middle = (x + along * size, y, z + high * size)
        ball(radius * size, middle, stone, squash=(1, 1, 0.85))
        foot = (middle[0], y, middle[2] + 0.84 * radius * size)
        turned([(0.03, 0), (0.03, 0.2 * size), (0, 0.3 * size)], foot, stone, steps=8)
    for half, high in ((1.0, 1.3), (1.6, 0.85), (2.3, 0.45)):
        box((2 * half * size, 2 * size, 2.5 + high * size), (x, y + 0.2, z - 2.5), stone, bevel=0.02)
    for along, tall in ((-2.6, 3.5), (-1.35, 3.8), (1.35, 3.8), (2.6, 3.5)):
        half, top = 0.075 * size, 2.5 + tall * size
        outline = [(half * wide, top * share) for wide, share in MINARET]
        turned(outline, (x + along * size, y, z - 2.5), stone, steps=12)


def ferry(at: Point, size: float = 1.0) -> None:
    """A white ferry on a dark hull that sails to the left, with its wake; `at` is its waterline amidships."""
    x, y, z = at
    before = set(bpy.context.scene.objects)
    for number, (outline, tone) in enumerate(FERRY):
        scaled = [(a * size, b * size) for a, b in outline]
        slab(scaled, 0.01, (x, y - 0.012 * number, z), hazed(*tone), bevel=0.0)
    unseen(before)


def hazed(shade: str, lit: str) -> bpy.types.Material:
    """What far things show: one tone away from the sun and one towards it, a little different for each of them."""
    made, tree, out = shining(f"Hazed {shade} {lit}")
    place = tree.nodes.new("ShaderNodeNewGeometry")
    facing = computed(tree, "ShaderNodeVectorMath", "DOT_PRODUCT", (place.outputs["Normal"], SUN))
    tone = ramp(tree, mapped(tree, facing.outputs["Value"], (-0.5, 0.9), (0, 1)), ((0.0, shade), (1.0, lit)))
    tree.links.new(tone, out.inputs["Color"])
    tree.links.new(mapped(tree, place.outputs["Random Per Island"], (0, 1), (0.93, 1.07)), out.inputs["Strength"])
    return made


def _sky() -> bpy.types.Material:
    """Pale blue above, warm haze over the hills."""
    made, tree, out = shining("Morning sky")
    up = mapped(tree, _place(tree)[1], (1.5, 9.0), (0, 1))
    tree.links.new(ramp(tree, up, ((0.0, "#FFF2DE"), (1.0, "#E2EAEA"))), out.inputs["Color"])
    out.inputs["Strength"].default_value = 1.2
    return made


def _water() -> bpy.types.Material:
    """Pale at the far shore and deeper near the room; ripples, and the sun's glints, more of them to the right."""
    made, tree, out = shining("Water")
    x, z = _place(tree)
    # An upright sheet shows what a level one would: the ripples lie as far apart as their distance asks.
    away = maths(tree, "DIVIDE", 1.0, maths(tree, "SUBTRACT", EYE, z))
    level = tree.nodes.new("ShaderNodeCombineXYZ")
    tree.links.new(maths(tree, "MULTIPLY", x, away), level.inputs["X"])
    tree.links.new(maths(tree, "MULTIPLY", SHORE, away), level.inputs["Y"])
    ripples = tree.nodes.new("ShaderNodeTexNoise")
    ripples.inputs["Scale"].default_value, ripples.inputs["Detail"].default_value = 7.0, 3.0
    tree.links.new(level.outputs[0], ripples.inputs["Vector"])
    depths = ((0.0, "#A5B6BA"), (0.03, "#B9C8CA"), (0.1, "#D6DFDD"), (0.4, "#B2C7CA"), (1.0, "#84A5AC"))
    tree.links.new(ramp(tree, mapped(tree, z, (WATERLINE, -4.0), (0, 1)), depths), out.inputs["Color"])
    height = ripples.outputs[0]
    crests, rightwards = mapped(tree, height, (0.6, 0.72), (0, 1.2)), mapped(tree, x, (-6, 10), (0.1, 1))
    glints, even = maths(tree, "MULTIPLY", crests, rightwards), mapped(tree, height, (0.3, 0.7), (0.94, 1.05))
    tree.links.new(maths(tree, "ADD", even, glints), out.inputs["Strength"])
    return made


def _place(tree: bpy.types.NodeTree) -> tuple[bpy.types.NodeSocket, bpy.types.NodeSocket]:
    """Where a point is: to the right, and up, in metres."""
    place, split = tree.nodes.new("ShaderNodeNewGeometry"), tree.nodes.new("ShaderNodeSeparateXYZ")
    tree.links.new(place.outputs["Position"], split.inputs[0])
    return split.outputs["X"], split.outputs["Z"]
