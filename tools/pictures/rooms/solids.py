"""The few solids that all furniture is made of: bevelled boxes, cushions, turned and bent round parts, slabs.

Metres. A solid's origin is the middle of its underside, so `at` says where it stands. Sharp edges exist nowhere.
"""

import math
from collections.abc import Iterable, Sequence

import bmesh
import bpy
from mathutils import Vector

Point = tuple[float, float, float]
Flat = tuple[float, float]
STRAIGHT: Point = (0, 0, 0)


def box(
    size: Point, at: Point, material: bpy.types.Material, *, bevel: float = 0.006, turn: Point = STRAIGHT
) -> bpy.types.Object:
    """A box of width, depth, height with rounded edges; `turn` in degrees about x, y, z."""
    wide, deep, high = (side / 2 for side in size)
    points = [(x, y, z) for x in (-wide, wide) for y in (-deep, deep) for z in (0, 2 * high)]
    faces = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    solid = _solid(points, faces, material)
    return _stand(rounded(solid, min(bevel, 0.49 * min(size))), at, turn)


def cushion(
    size: Point, at: Point, material: bpy.types.Material, *, taper: float = 1.0, turn: Point = STRAIGHT
) -> bpy.types.Object:
    """An upholstered block: round at its edges and full in the middle; its +x end is `taper` times as wide."""
    made = bmesh.new()
    bmesh.ops.create_cube(made, size=2)
    bmesh.ops.subdivide_edges(made, edges=made.edges, cuts=13, use_grid_fill=True)
    radius = min(0.45 * size[2], 0.06)
    half = Vector(size) / 2
    for vertex in made.verts:
        place = Vector(half[i] * _even(vertex.co[i]) for i in range(3))
        inner = Vector(max(-half[i] + radius, min(half[i] - radius, place[i])) for i in range(3))
        away = place - inner
        if away.length:
            place = inner + away.normalized() * radius
        full = (1 - vertex.co.x**4) * (1 - vertex.co.y**4)
        place.z += 0.10 * size[2] * full * vertex.co.z
        place.y *= 1 + (taper - 1) * (place.x / size[0] + 0.5)
        vertex.co = place + Vector((0, 0, half.z))
    mesh = bpy.data.meshes.new("Cushion")
    made.to_mesh(mesh)
    made.free()
    mesh.shade_smooth()
    return _stand(_thing(mesh, material), at, turn)


def turned(
    profile: Sequence[Flat], at: Point, material: bpy.types.Material, *, steps: int = 48
) -> bpy.types.Object:
    """A round body from its profile: (radius, height) from the foot to the top."""
    points = [
        (radius * math.cos(math.tau * step / steps), radius * math.sin(math.tau * step / steps), height)
        for step in range(steps)
        for radius, height in profile
    ]
    row = len(profile)
    faces = [
        (step * row + i, (step + 1) % steps * row + i, (step + 1) % steps * row + i + 1, step * row + i + 1)
        for step in range(steps)
        for i in range(row - 1)
    ]
    solid = _solid(points, faces, material)
    weld = solid.modifiers.new("Weld", "WELD")
    weld.merge_threshold = 0.0001
    return _stand(rounded(solid, 0.0), at, STRAIGHT)


def cylinder(radius: float, height: float, at: Point, material: bpy.types.Material) -> bpy.types.Object:
    """An upright cylinder with softened rims."""
    edge = min(0.2 * radius, 0.2 * height, 0.008)
    soft = [(edge * (1 - math.sin(a)), edge * (1 - math.cos(a))) for a in (0, math.pi / 4, math.pi / 2)]
    low = [(radius - inset, rise) for inset, rise in soft]
    high = [(radius - inset, height - rise) for inset, rise in reversed(soft)]
    return turned([(0, 0), *low, *high, (0, height)], at, material)


def ball(radius: float, at: Point, material: bpy.types.Material, *, squash: Point = (1, 1, 1)) -> bpy.types.Object:
    """A ball round `at`, scaled by `squash`."""
    profile = [(radius * math.cos(a), radius * math.sin(a)) for a in (math.pi * (i / 16 - 0.5) for i in range(17))]
    made = turned(profile, at, material, steps=32)
    made.scale = squash
    return made


def tube(
    points: Iterable[Point], radius: float, material: bpy.types.Material, *, bent: bool = True
) -> bpy.types.Object:
    """A round bar or hose through points: in one soft bend, or straight from point to point."""
    line = bpy.data.curves.new("Tube", "CURVE")
    line.dimensions, line.bevel_depth, line.bevel_resolution, line.use_fill_caps = "3D", radius, 4, True
    path = list(points)
    if bent:
        spline = line.splines.new("BEZIER")
        spline.bezier_points.add(len(path) - 1)
        for knot, place in zip(spline.bezier_points, path, strict=True):
            knot.co, knot.handle_left_type, knot.handle_right_type = place, "AUTO", "AUTO"
    else:
        spline = line.splines.new("POLY")
        spline.points.add(len(path) - 1)
        for knot, place in zip(spline.points, path, strict=True):
            knot.co = (*place, 1)
    thing = bpy.data.objects.new("Tube", line)
    bpy.context.scene.collection.objects.link(thing)
    line.materials.append(material)
    return thing


def slab(
    outline: Sequence[Flat], thick: float, at: Point, material: bpy.types.Material, *, bevel: float = 0.008
) -> bpy.types.Object:
    """A plate that stands upright: an outline in x and z (anticlockwise seen from -y), `thick` along y."""
    count = len(outline)
    points = [(x, y, z) for y in (-thick / 2, thick / 2) for x, z in outline]
    sides = [(i + count, (i + 1) % count + count, (i + 1) % count, i) for i in range(count)]
    faces: list[tuple[int, ...]] = [tuple(range(count)), tuple(range(2 * count - 1, count - 1, -1)), *sides]
    return _stand(rounded(_solid(points, faces, material), bevel), at, STRAIGHT)


def place(things: Iterable[bpy.types.Object], at: Point, turn: float = 0.0) -> bpy.types.Object:
    """Put what was built round the origin somewhere else, turned by degrees about the upright axis."""
    holder = bpy.data.objects.new("Group", None)
    bpy.context.scene.collection.objects.link(holder)
    for thing in things:
        if thing.parent is None:
            thing.parent = holder
    holder.location = at
    holder.rotation_euler.z = math.radians(turn)
    return holder


def rounded(solid: bpy.types.Object, width: float) -> bpy.types.Object:
    """Shade softly and break every hard edge by a bevel of `width`."""
    solid.data.shade_smooth()
    bevel = solid.modifiers.new("Bevel", "BEVEL")
    bevel.width, bevel.segments, bevel.limit_method = max(width, 0.0002), 3, "ANGLE"
    bevel.angle_limit = math.radians(40)
    bevel.harden_normals = True
    return solid


def _even(side: float) -> float:
    """Push the grid's lines towards the edges, where the roundness is."""
    return math.sin(side * math.pi / 2)


def _solid(
    points: Sequence[Point], faces: Sequence[tuple[int, ...]], material: bpy.types.Material
) -> bpy.types.Object:
    mesh = bpy.data.meshes.new("Solid")
    mesh.from_pydata(points, [], faces)
    mesh.validate()
    return _thing(mesh, material)


def _thing(mesh: bpy.types.Mesh, material: bpy.types.Material) -> bpy.types.Object:
    mesh.materials.append(material)
    thing = bpy.data.objects.new(mesh.name, mesh)
    bpy.context.scene.collection.objects.link(thing)
    return thing


def _stand(thing: bpy.types.Object, at: Point, turn: Point) -> bpy.types.Object:
    thing.location = at
    thing.rotation_euler = tuple(math.radians(angle) for angle in turn)
    return thing
