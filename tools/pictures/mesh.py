"""Mesh primitives shared by all scenes: skins, lathe, sweep, cards, groups."""

import math
from collections.abc import Callable, Iterable, Sequence

import bmesh
import bpy
from mathutils import Vector

Point = tuple[float, float, float]
Flat = tuple[float, float]
SHARP = math.radians(38)


def solid(
    name: str, points: Sequence[Point], faces: Sequence[Sequence[int]], material: bpy.types.Material
) -> bpy.types.Object:
    """Put a mesh into the scene: doubled points merged, normals outward, smooth but for edges over 38 degrees."""
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(points, [], faces)
    work = bmesh.new()
    work.from_mesh(mesh)
    bmesh.ops.remove_doubles(work, verts=work.verts, dist=1e-6)
    bmesh.ops.recalc_face_normals(work, faces=work.faces)
    work.to_mesh(mesh)
    work.free()
    mesh.shade_smooth()
    mesh.set_sharp_from_angle(angle=SHARP)
    mesh.materials.append(material)
    thing = bpy.data.objects.new(name, mesh)
    bpy.context.scene.collection.objects.link(thing)
    return thing


def skin(
    name: str, rings: Sequence[Sequence[Point]], material: bpy.types.Material, *, caps: bool = False
) -> bpy.types.Object:
    """Span closed rings of equally many points, one after another; `caps` closes the first and the last."""
    count = len(rings[0])
    points = [point for ring in rings for point in ring]
    faces: list[Sequence[int]] = []
    for row in range(len(rings) - 1):
        low, high = row * count, (row + 1) * count
        for at in range(count):
            after = (at + 1) % count
            faces.append((low + at, low + after, high + after, high + at))
    if caps:
        faces.append(range(count))
        faces.append(range(len(points) - count, len(points)))
    return solid(name, points, faces, material)


def lathe(
    name: str,
    profile: Sequence[Flat],
    material: bpy.types.Material,
    *,
    steps: int = 96,
    shape: Callable[[float, float, float], float] | None = None,
) -> bpy.types.Object:
    """Turn a profile of (radius, height) about Z; `shape(angle, radius, height)` may change the radius."""
    rings = []
    for radius, height in profile:
        ring = []
        for step in range(steps):
            angle = 2 * math.pi * step / steps
            far = shape(angle, radius, height) if shape else radius
            ring.append((far * math.cos(angle), far * math.sin(angle), height))
        rings.append(ring)
    return skin(name, rings, material)


def sweep(
    name: str, path: Sequence[Point], section: Callable[[float], Sequence[Flat]], material: bpy.types.Material
) -> bpy.types.Object:
    """Carry a closed section along an open path; `section(share)` is given 0..1 and yields (sideways, up) points.

    Sideways is horizontal, to the right of the path's direction; up is square to both.
    """
    rings = []
    last = len(path) - 1
    for at, place in enumerate(path):
        onward = (Vector(path[min(at + 1, last)]) - Vector(path[max(at - 1, 0)])).normalized()
        side = onward.cross(Vector((0, 0, 1))).normalized()
        up = side.cross(onward)
        rings.append([tuple(Vector(place) + side * right + up * high) for right, high in section(at / last)])
    return skin(name, rings, material, caps=True)


def rounded(profile: Sequence[Flat], radius: float, steps: int = 4) -> list[Flat]:
    """The profile with every inner corner rounded by `radius` (less where its sides are short)."""
    out = [profile[0]]
    for before, corner, after in zip(profile, profile[1:], profile[2:], strict=False):
        here, back, on = Vector(corner), Vector(before) - Vector(corner), Vector(after) - Vector(corner)
        cut = min(radius, back.length * 0.45, on.length * 0.45)
        start, end = here + back.normalized() * cut, here + on.normalized() * cut
        for step in range(steps + 1):
            share = step / steps
            point = start * (1 - share) ** 2 + here * 2 * share * (1 - share) + end * share**2
            out.append((point.x, point.y))
    out.append(profile[-1])
    return out


def hexagon(angle: float, across: float) -> float:
    """How far a hexagon's edge is from its middle at an angle; `across` is half its width across the flats."""
    sector = math.pi / 3
    return across / math.cos((angle + sector / 2) % sector - sector / 2)


def group(name: str, parts: Iterable[bpy.types.Object]) -> bpy.types.Object:
    """An empty that carries the parts, to be placed and turned as one thing."""
    carrier = bpy.data.objects.new(name, None)
    bpy.context.scene.collection.objects.link(carrier)
    for part in parts:
        part.parent = carrier
    return carrier


def card(name: str, width: float, height: float, material: bpy.types.Material) -> bpy.types.Object:
    """A flat card round its own middle that faces along -Z, like a lamp."""
    half, tall = width / 2, height / 2
    return solid(
        name, [(-half, -tall, 0), (half, -tall, 0), (half, tall, 0), (-half, tall, 0)], [(3, 2, 1, 0)], material
    )


def pebble(
    name: str, half: Point, middle: Point, material: bpy.types.Material, power: float = 3.4
) -> bpy.types.Object:
    """A block, rounded all over, that reaches `half` each way (a superellipsoid; a higher power is squarer)."""

    def curve(value: float) -> float:
        return math.copysign(abs(value) ** (2 / power), value)

    rings = []
    for row in range(49):
        tilt = math.pi * (row / 48 - 0.5)
        wide, high = curve(math.cos(tilt)), curve(math.sin(tilt))
        turns = [2 * math.pi * step / 96 for step in range(96)]
        rings.append(
            [
                (half[0] * wide * curve(math.cos(t)), half[1] * wide * curve(math.sin(t)), half[2] * high)
                for t in turns
            ]
        )
    made = skin(name, rings, material)
    made.location = middle
    return made
