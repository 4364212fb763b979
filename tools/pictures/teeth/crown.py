"""One tooth's crown as a mesh: cross sections lofted from the neck to the rim, then the biting surface.

The forms' numbers are in forms.py (millimetres); what is made here is in the studio's centimetres.
"""

from dataclasses import dataclass
from functools import cache
from typing import TypeAlias

import bpy
import numpy as np
from numpy.typing import NDArray

from tools.pictures.teeth.forms import FORMS, Cusp, Form, Profile, Tooth

Numbers: TypeAlias = NDArray[np.float64]

MILLIMETRE = 0.1
AROUND = 120
WALL = 56
# Rings of the biting surface: a molar's need to be close enough to show its fissures.
TABLE, FISSURED_TABLE = 16, 44
# How deep fissures are cut (mm), and over which difference in height between two cusps.
FISSURE, FISSURE_EDGE = 0.5, 0.2
# How far a fissure's shade is from its cusps' on the way to the neck's and on to dentine's.
FISSURE_TONE = 0.65
# How far a cusp's three ridges stand out: a share of its slope.
RIDGES = 0.2
# How far the shade goes from neck to edge: all the way in incisors only, as cusps are less translucent.
CUSP_SHADE, FISSURED_SHADE = 0.8, 0.62


@dataclass(frozen=True)
class Detail:
    """What tells one tooth from another of its type; lengths in millimetres.

    `root` is how much root stands below the neck (for a tooth in gum). `seed` chooses the slight unevenness.
    """

    root: float = 0.0
    seed: int = 1


def crown(
    tooth: Tooth, material: bpy.types.Material, detail: Detail | None = None, *, mirrored: bool = False
) -> bpy.types.Object:
    """A crown standing on its neck: origin in the middle of the cervical margin, +Z to the biting edge, -Y to lips.

    +X is mesial (towards the arch's middle); `mirrored` turns that round for the other side. Vertices carry the
    attribute `along` (0 neck, 1 edge, below 0 in fissures), which the materials read.
    """
    rings, along = shape(tooth, detail or Detail(), mirrored=mirrored)
    mesh = bpy.data.meshes.new(tooth.capitalize())
    mesh.from_pydata((rings.reshape(-1, 3) * MILLIMETRE).tolist(), [], faces(len(rings), turned=mirrored))
    mesh.attributes.new("along", "FLOAT", "POINT").data.foreach_set("value", along.ravel().astype(np.float32))
    mesh.shade_smooth()
    made = bpy.data.objects.new(mesh.name, mesh)
    made.data.materials.append(material)
    bpy.context.scene.collection.objects.link(made)
    return made


@cache
def shape(tooth: Tooth, detail: Detail, *, mirrored: bool) -> tuple[Numbers, Numbers]:
    """A crown's rings, (ring, around, xyz) in mm in the crown's own frame, and `along` of each point."""
    rings, along = lofted(FORMS[tooth], detail)
    if mirrored:
        rings[..., 0] *= -1
    return rings, along


def faces(rings: int, *, turned: bool) -> list[tuple[int, ...]]:
    """The quads between the rings, and a lid at either end."""
    made: list[tuple[int, ...]] = []
    for ring in range(rings - 1):
        for at in range(AROUND):
            a, b = ring * AROUND + at, ring * AROUND + (at + 1) % AROUND
            made.append((a, b, b + AROUND, a + AROUND))
    made.append(tuple(reversed(range(AROUND))))
    made.append(tuple(range((rings - 1) * AROUND, rings * AROUND)))
    return [tuple(reversed(face)) for face in made] if turned else made


def lofted(form: Form, detail: Detail) -> tuple[Numbers, Numbers]:
    """All rings from root to biting surface, (ring, around, xyz) in mm, and `along` of each point."""
    angle = np.linspace(0, 2 * np.pi, AROUND, endpoint=False)
    rim = section(form, np.array([1.0]), angle)[0]
    share = 1 - (1 - np.linspace(0, 1, WALL)) ** 1.9
    wall = np.empty((WALL, AROUND, 3))
    wall[..., :2] = section(form, share, angle)
    wall[..., 2] = share[:, None] * (biting(form, rim[:, 0], rim[:, 1]) - form.edge / 2)
    top = table(form, wall[-1, :, :2])
    deep = np.zeros((WALL + len(top), AROUND))
    if fissured(form):
        deep[WALL:] = crease(cones(form, top[..., 0], top[..., 1]))
    points = rounded(np.concatenate([wall, top]), rounds(form))
    shade = FISSURED_SHADE if fissured(form) else CUSP_SHADE if form.cusps else 1
    along = np.clip(points[..., 2] / form.height, 0, 1) * shade - FISSURE_TONE * deep
    if detail.root:
        root = stub(form, detail.root, angle)
        points, along = np.concatenate([root, points]), np.concatenate([np.zeros(root.shape[:2]), along])
    return textured(points, form, np.random.default_rng(detail.seed)), along


def rounds(form: Form) -> int:
    """How often the rim between wall and biting surface is smoothed over: no ledge may catch the light."""
    return 24 if fissured(form) else 60


def rounded(points: Numbers, times: int) -> Numbers:
    """The rings with the rim between wall and biting surface smoothed `times` over."""
    near = slice(WALL - 15, WALL + 12)
    for _ in range(times):
        rim = points[near]
        rim[1:-1] = (rim[:-2] + 2 * rim[1:-1] + rim[2:]) / 4
    return points


def section(form: Form, share: Numbers, angle: Numbers) -> Numbers:
    """The cross sections at some shares of the height: (share, around, xy)."""
    mesial, distal, facial, lingual = (
        spline(profile, share)[:, None] for profile in (form.mesial, form.distal, form.facial, form.lingual)
    )
    cosine, sine = np.cos(angle)[None], np.sin(angle)[None]
    power = 2 / np.where(sine < 0, form.roundness[0], form.roundness[1])
    middle, half = (lingual - facial) / 2, (lingual + facial) / 2
    x = np.where(cosine > 0, mesial, distal) * np.sign(cosine) * np.abs(cosine) ** power
    y = middle + half * np.sign(sine) * np.abs(sine) ** power
    waves = np.cos(3 * np.pi * np.clip(x / ((mesial + distal) / 2), -1, 1)) * np.clip(-sine, 0, 1) ** 0.5
    swell = np.sin(np.pi * np.clip((share - 0.12) / 0.95, 0, 1))[:, None]
    return np.stack([x, y + form.lobes * waves * swell], axis=-1)


def table(form: Form, rim: Numbers) -> Numbers:
    """The biting surface from its rim inwards; an incisor's shrinks to a line, a molar's to a point."""
    middle = (rim.max(axis=0) + rim.min(axis=0)) / 2
    reach = (rim.max(axis=0) - rim.min(axis=0)) / 2
    inward = np.minimum(reach.min() / reach, 1)
    count = FISSURED_TABLE if fissured(form) else TABLE
    rings = np.empty((count, AROUND, 3))
    for at, rest in enumerate(1 - np.linspace(0, 0.97, count + 1)[1:]):
        shrink = 1 - (1 - rest) * inward
        rings[at, :, :2] = middle + (rim - middle) * shrink
        inset = (1 - rest) * reach.min()
        round_off = (1 - min(inset / form.edge, 1)) ** 2
        field = biting(form, rings[at, :, 0], rings[at, :, 1], min(3 * (1 - rest), 1))
        rings[at, :, 2] = field - form.edge / 2 * round_off
    return rings


def fissured(form: Form) -> bool:
    """Whether the biting surface has cusps with fissures between them, as premolars and molars do."""
    return len(form.cusps) > 1


def biting(form: Form, x: Numbers, y: Numbers, cut: float = 0.0) -> Numbers:
    """The height of the biting surface over points: cusps, or an edge with its mamelons.

    Args:
        form: The tooth's form.
        x: Towards the middle of the arch, mm.
        y: Towards the tongue, mm.
        cut: How much of a fissure's depth is cut between cusps, 0 to 1.

    Returns:
        Heights over the neck, mm.
    """
    if form.cusps:
        heights = cones(form, x, y)
        height = 0.16 * np.log(np.exp(heights / 0.16).sum(axis=0))
        if fissured(form):
            height = height - cut * FISSURE * crease(heights)
    else:
        half = form.width / 2
        mamelons = form.mamelons * (np.cos(3 * np.pi * x / half) - 1) / 2
        rounding = 0.3 * np.clip(-x / half, 0, 1) + 0.45 * np.abs(x / half) ** 5
        height = form.height + mamelons - rounding
    return height


def cones(form: Form, x: Numbers, y: Numbers) -> Numbers:
    """The height of each cusp's cone over points, (cusp, ...) in mm over the neck."""
    return np.stack(
        [
            cusp.height
            - cusp.slope
            * ridged(cusp, x, y)
            * (
                np.sqrt((cusp.narrow[0] * (x - cusp.x)) ** 2 + (cusp.narrow[1] * (y - cusp.y)) ** 2 + cusp.blunt**2)
                - cusp.blunt
            )
            for cusp in form.cusps
        ]
    )


def crease(heights: Numbers) -> Numbers:
    """How much a fissure runs at each point (0 to 1): where two cusps are equally high."""
    second, first = np.partition(heights, -2, axis=0)[-2:]
    return np.asarray(np.exp(-(((first - second) / FISSURE_EDGE) ** 2)))


def ridged(cusp: Cusp, x: Numbers, y: Numbers) -> Numbers:
    """How steep a cusp is on the way to each point, as a share; three ridges fall gently, one to the middle."""
    turn = np.arctan2(y - cusp.y, x - cusp.x) - np.arctan2(-cusp.y, -cusp.x)
    return np.asarray(1 - RIDGES * np.cos(3 * turn)) if min(cusp.narrow) == 1 else np.ones_like(x)


def stub(form: Form, root: float, angle: Numbers) -> Numbers:
    """The root's beginning below the neck: narrowing a little, hidden by the gum."""
    neck = section(form, np.array([0.0]), angle)[0]
    rings = np.empty((6, AROUND, 3))
    for at, depth in enumerate(np.linspace(root, root / 6, 6)):
        rings[at, :, :2] = neck * (1 - 0.1 * depth)
        rings[at, :, 2] = -depth
    return rings


def textured(points: Numbers, form: Form, chance: np.random.Generator) -> Numbers:
    """Points with the slight unevenness that no two teeth share, some hundredths of a millimetre."""
    moved = points.copy()
    for size, waves in ((0.035, 0.55), (0.018, 1.3)):
        phase = chance.uniform(0, 2 * np.pi, 3)
        along, across = (points @ chance.normal(0, waves, 3) for _ in range(2))
        lift = np.sin(along + phase[0]) * np.sin(across + phase[1])
        moved[..., 1] += size * lift * form.height / 10
        moved[..., 0] += size * 0.5 * lift
    return moved


def spline(profile: Profile, at: Numbers) -> Numbers:
    """A smooth line through a profile's points (cubic Hermite with slopes from the neighbours)."""
    spots, values = np.array(profile).T
    slopes = np.gradient(values, spots)
    left = np.clip(np.searchsorted(spots, at, side="right") - 1, 0, len(spots) - 2)
    wide = spots[left + 1] - spots[left]
    t = (at - spots[left]) / wide
    return np.asarray(
        values[left] * (2 * t**3 - 3 * t**2 + 1)
        + values[left + 1] * (3 * t**2 - 2 * t**3)
        + wide * (slopes[left] * (t**3 - 2 * t**2 + t) + slopes[left + 1] * (t**3 - t**2))
    )
