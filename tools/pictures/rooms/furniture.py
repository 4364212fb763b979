"""Loose furniture of the rooms: desk, seats, table, plant, lamps, cups, books. `place` puts them up."""

import math
import random

import bmesh
import bpy
from mathutils import Matrix, Vector

from tools.pictures.rooms import finishes as of
from tools.pictures.rooms.solids import Point, ball, box, cushion, cylinder, place, slab, tube, turned


def reception_desk(at: Point, length: float = 3.2) -> None:
    """A long fluted white desk under an oak top, a higher ledge for visitors, a dark plinth, a brass line."""
    white, oak = of.lacquer(), of.oak("x")
    parts = [
        box((length - 0.16, 0.60, 0.10), (0, 0.02, 0), of.lacquer(of.INK), bevel=0.004),
        box((length - 0.02, 0.62, 0.90), (0, 0.03, 0.10), white, bevel=0.02),
        box((length, 0.024, 0.014), (0, -0.32, 0.115), of.brass(), bevel=0.003),
        box((length + 0.06, 0.74, 0.05), (0, 0.02, 1.0), oak, bevel=0.012),
        box((0.9, 0.5, 0.025), (0.75, 0.12, 1.05), of.lacquer(of.TEAL), bevel=0.008),
    ]
    pitch = 0.05
    flutes = int((length - 0.04) / pitch)
    left = -flutes * pitch / 2
    for number in range(flutes):
        rod = cylinder(pitch * 0.52, 0.86, (left + pitch * (number + 0.5), -0.285, 0.13), white)
        parts.append(rod)
    place(parts, at)


def armchair(at: Point, turn: float, cloth: bpy.types.Material | None = None) -> None:
    """A low lounge chair: round seat and shell back of cloth on four oak legs. It faces -y at turn 0."""
    cloth, wood = cloth or of.linen(), of.oak("z")
    parts = [cushion((0.62, 0.60, 0.17), (0, -0.02, 0.27), cloth), *_shell_back(cloth)]
    for x in (-0.25, 0.25):
        for y in (-0.24, 0.26):
            leg = turned([(0, 0), (0.013, 0), (0.021, 0.30), (0, 0.30)], (x, y, 0), wood)
            leg.rotation_euler = (math.radians(-6 if y < 0 else 6), math.radians(6 if x < 0 else -6), 0)
            parts.append(leg)
    place(parts, at, turn)


def _shell_back(cloth: bpy.types.Material) -> list[bpy.types.Object]:
    """The back that wraps the seat on three sides: a thick sheet along a half ring, lower at the arms."""
    made, rows, columns = bmesh.new(), 9, 33
    grid = []
    for column in range(columns):
        share = column / (columns - 1)
        angle = math.radians(-28 + 236 * share)
        crest = 0.40 + 0.26 * math.sin(math.pi * share) ** 1.5
        for row in range(rows):
            lift = row / (rows - 1)
            lean = 0.335 + 0.05 * lift
            place_ = (lean * math.cos(angle), 0.02 + lean * math.sin(angle) * 0.95, 0.30 + lift * crest * 0.78)
            grid.append(made.verts.new(place_))
    for column in range(columns - 1):
        for row in range(rows - 1):
            a = column * rows + row
            made.faces.new((grid[a], grid[a + rows], grid[a + rows + 1], grid[a + 1]))
    mesh = bpy.data.meshes.new("Back")
    made.to_mesh(mesh)
    made.free()
    mesh.shade_smooth()
    mesh.materials.append(cloth)
    back = bpy.data.objects.new("Back", mesh)
    bpy.context.scene.collection.objects.link(back)
    thick = back.modifiers.new("Thickness", "SOLIDIFY")
    thick.thickness, thick.offset = 0.075, 0.0
    edge = back.modifiers.new("Bevel", "BEVEL")
    edge.width, edge.segments, edge.limit_method, edge.angle_limit = 0.034, 5, "ANGLE", math.radians(50)
    return [back]


def coffee_table(at: Point, radius: float = 0.34, height: float = 0.40) -> None:
    """A round oak table on one brass stem."""
    foot = turned([(0, 0), (0.17, 0), (0.17, 0.008), (0.03, 0.016), (0, 0.016)], (0, 0, 0), of.brass())
    stem = cylinder(0.018, height - 0.02, (0, 0, 0.01), of.brass())
    place([foot, stem, cylinder(radius, 0.028, (0, 0, height - 0.028), of.oak("x"))], at)


def cup(at: Point, turn: float = 0.0) -> None:
    """A cup of tea on its saucer."""
    white = of.ceramic()
    outside = [(0, 0.006), (0.021, 0.006), (0.024, 0.010), (0.036, 0.035), (0.041, 0.066)]
    inside = [(0.0385, 0.066), (0.034, 0.036), (0.022, 0.012), (0, 0.010)]
    saucer = [(0, 0), (0.03, 0), (0.045, 0.004), (0.072, 0.013), (0.071, 0.016), (0.045, 0.008), (0, 0.005)]
    tea = turned([(0, 0.054), (0.0372, 0.054)], (0, 0, 0), of.tea())
    ear = tube([(0.036, 0, 0.056), (0.062, 0, 0.056), (0.062, 0, 0.028), (0.033, 0, 0.026)], 0.0038, white)
    place([turned(saucer, (0, 0, 0), white), turned([*outside, *inside], (0, 0, 0), white), tea, ear], at, turn)


def tulip_glass(at: Point, *, drunk: bool = False) -> None:
    """Tea in a Turkish glass, waisted like a tulip, on a saucer; half of it is left where it is `drunk`."""
    outside = [
        (0, 0.004),
        (0.017, 0.004),
        (0.021, 0.012),
        (0.023, 0.026),
        (0.0175, 0.047),
        (0.019, 0.064),
        (0.026, 0.084),
    ]
    inside = [(r - 0.0012, z) for r, z in reversed(outside[1:])]
    saucer = [(0, 0), (0.03, 0), (0.045, 0.003), (0.058, 0.009), (0.057, 0.011), (0.044, 0.006), (0, 0.003)]
    tea = [
        (0, 0.006),
        (0.0160, 0.006),
        (0.0195, 0.013),
        (0.0215, 0.026),
        (0.0162, 0.047),
        (0.0176, 0.062),
        (0.0205, 0.071),
        (0, 0.071),
    ]
    place(
        [
            turned(saucer, (0, 0, 0), of.ceramic()),
            turned([*tea[:5], (0, 0.047)] if drunk else tea, (0, 0, 0.0015), of.tea()),
            turned([*outside, *inside], (0, 0, 0.0015), of.pane()),
        ],
        at,
    )


def rug(at: Point, radius: float, tone: str = "#E6DFD1") -> None:
    """A round woven rug."""
    place([cylinder(radius, 0.012, (0, 0, 0), of.linen(tone))], at)


def books(at: Point, turn: float, tones: tuple[str, ...] = (of.INK, "#D8CDB9", of.TEAL)) -> None:
    """A small pile of books."""
    parts, height = [], 0.0
    for number, tone in enumerate(tones):
        size = (0.25 - 0.02 * number, 0.18 - 0.015 * number, 0.026)
        parts.append(box(size, (0, 0, height), of.lacquer(tone), bevel=0.003, turn=(0, 0, 4 * (-1) ** number)))
        height += 0.0262
    place(parts, at, turn)


def plant(at: Point, height: float = 1.5, *, seed: int = 3, stems: int = 9) -> bpy.types.Object:
    """A rubber plant in a ceramic pot: stems that lean outwards, oval leaves along each."""
    chance, wide = random.Random(seed), 0.17
    rim = [(wide, 0.34), (wide - 0.012, 0.34), (wide - 0.02, 0.30), (0, 0.30)]
    pot = turned([(0, 0), (0.125, 0), (0.135, 0.012), *rim], (0, 0, 0), of.ceramic())
    parts = [pot, cylinder(0.15, 0.01, (0, 0, 0.298), of.lacquer("#4B3B2C"))]
    blade = _blade()
    for number in range(stems):
        heading = math.tau * number / stems + chance.uniform(-0.3, 0.3)
        tall = height * chance.uniform(0.62, 1.0) - 0.3
        lean = (0.10 + 0.22 * chance.random()) * (1.25 - tall / height)
        tip = Vector((math.cos(heading) * lean * 2, math.sin(heading) * lean * 2, 0.3 + tall))
        bend = Vector((tip.x * 0.35, tip.y * 0.35, 0.3 + tall * 0.55))
        parts.append(tube([(tip.x * 0.08, tip.y * 0.08, 0.29), tuple(bend), tuple(tip)], 0.006, of.leaf("#5C6B45")))
        parts.extend(_leaves(blade, bend, tip, chance))
    return place(parts, at)


def _leaves(blade: bpy.types.Mesh, bend: Vector, tip: Vector, chance: random.Random) -> list[bpy.types.Object]:
    made = []
    for number in range(7):
        along = number / 6
        around = 2.4 * number + chance.uniform(-0.4, 0.4)
        rise = math.radians(chance.uniform(5, 40) + 35 * along)
        leaf = bpy.data.objects.new("Leaf", blade)
        bpy.context.scene.collection.objects.link(leaf)
        size = chance.uniform(0.85, 1.2) * (1.05 - 0.3 * along)
        turn = Matrix.Rotation(around, 4, "Z") @ Matrix.Rotation(-rise, 4, "Y")
        leaf.matrix_world = Matrix.Translation(bend.lerp(tip, along)) @ turn @ Matrix.Scale(size, 4)
        made.append(leaf)
    return made


def _blade() -> bpy.types.Mesh:
    """An oval leaf of 21 cm that points to +x, folded along its rib and bent down at the tip."""
    points, faces, rows = [], [], 11
    for row in range(rows):
        share = row / (rows - 1)
        half = 0.052 * math.sin(math.pi * share**0.8) ** 0.75 + 0.001
        reach, droop = 0.02 + 0.21 * share, 0.06 * share**2
        points += [(reach, half * side, 0.010 * abs(side) - droop) for side in (-1.0, -0.5, 0.0, 0.5, 1.0)]
    for row in range(rows - 1):
        faces += [(row * 5 + i, row * 5 + i + 1, row * 5 + i + 6, row * 5 + i + 5) for i in range(4)]
    mesh = bpy.data.meshes.new("Blade")
    mesh.from_pydata(points, [], faces)
    mesh.shade_smooth()
    mesh.materials.append(of.leaf())
    return mesh


def pendant(at: Point, ceiling: float) -> None:
    """A brass and white dome lamp that hangs from the ceiling; `at` is the middle of its lower rim."""
    outer = [(0.150, 0), (0.142, 0.05), (0.105, 0.105), (0.045, 0.135), (0.02, 0.14), (0, 0.14)]
    inner = [(0, 0.128), (0.042, 0.125), (0.100, 0.098), (0.137, 0.048), (0.147, 0)]
    parts = [
        turned([*inner, *outer], (0, 0, 0), of.lacquer(of.TEAL)),
        cylinder(0.022, 0.05, (0, 0, 0.138), of.brass()),
        tube([(0, 0, 0.18), (0, 0, ceiling - at[2])], 0.003, of.lacquer(of.INK), bent=False),
        cylinder(0.05, 0.02, (0, 0, ceiling - at[2] - 0.02), of.brass()),
        ball(0.04, (0, 0, 0.06), of.glow("#FFE9C4", 6.0)),
    ]
    place(parts, at)


def frame(at: Point, size: tuple[float, float], tone: str = of.TEAL) -> None:
    """A framed print for the back wall: paper with two calm shapes."""
    wide, high = size
    parts = [
        box((wide, 0.03, high), (0, 0, 0), of.oak("z"), bevel=0.004),
        box((wide - 0.04, 0.012, high - 0.04), (0, -0.012, 0.02), of.plaster("#FAF7F0"), bevel=0.001),
    ]
    arch = [
        (
            0.26 * wide * math.cos(math.pi * i / 24),
            0.22 * wide + 0.3 * high + 0.26 * wide * math.sin(math.pi * i / 24),
        )
        for i in range(25)
    ]
    bow = [(-0.26 * wide, 0.22 * high), (0.26 * wide, 0.22 * high), *arch]
    parts.append(slab(bow, 0.002, (0, -0.0185, 0), of.plaster(tone), bevel=0.0))
    sun = cylinder(0.12 * wide, 0.002, (0.12 * wide, -0.019, 0.42 * high), of.plaster("#D9B06A"))
    sun.rotation_euler.x = math.radians(90)
    place([*parts, sun], at)
