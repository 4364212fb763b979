"""The gum of an arch: one skin swept along the curve, its margin scalloped round each neck, papillae between teeth.

Millimetres in the bite's frame (necks below z = 0) until the mesh is made, which is in centimetres.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeAlias

import bpy
import numpy as np
from mathutils import Vector
from numpy.typing import NDArray

from tools.pictures.teeth.crown import MILLIMETRE, spline
from tools.pictures.teeth.layout import Curve, Station

Numbers: TypeAlias = NDArray[np.float64]

STEP = 0.22
COVER = 0.55
TAIL = 4.0
WALL = 30
RIM = 7
TOP = 5


@dataclass(frozen=True)
class Margin:
    """What the gum is like along the curve: the margin's height, the reach to lips and palate, the rim's radius.

    `bulge` is 1 over a root and 0 between two; all are one number a column.
    """

    height: Numbers
    facial: Numbers
    lingual: Numbers
    rim: Numbers
    bulge: Numbers


def gum_round(
    standing: Sequence[Station], curve: Curve, depth: float, material: bpy.types.Material
) -> bpy.types.Object:
    """The gum round standing teeth, `depth` mm beyond the necks."""
    ends = [max(station.end for station in standing if station.side == side) for side in (-1, 1)]
    lengths = np.arange(-ends[0] - TAIL, ends[1] + TAIL, STEP)
    margin = margins(standing, lengths)
    floor = min(necks(standing)) - depth
    points = skin(margin, lengths, curve, floor)
    fade(points, lengths, ends, curve, floor)
    rows, columns = points.shape[:2]
    faces = [
        (r * columns + c, (r + 1) % rows * columns + c, (r + 1) % rows * columns + c + 1, r * columns + c + 1)
        for r in range(rows)
        for c in range(columns - 1)
    ]
    lids = [
        tuple(r * columns for r in range(rows)),
        tuple(r * columns + columns - 1 for r in reversed(range(rows))),
    ]
    mesh = bpy.data.meshes.new("Gum")
    mesh.from_pydata((points.reshape(-1, 3) * MILLIMETRE).tolist(), [], [*faces, *lids])
    mesh.shade_smooth()
    made = bpy.data.objects.new("Gum", mesh)
    made.data.materials.append(material)
    bpy.context.scene.collection.objects.link(made)
    return made


def necks(standing: Sequence[Station]) -> list[float]:
    """The heights of the necks."""
    return [station.matrix.translation.z for station in standing]


def reach(station: Station) -> tuple[float, float]:
    """How far the tooth reaches at its neck from the curve: to the lips, to the palate (mm, outward positive)."""
    form = station.place.form
    at = np.array([0.06])
    outward = station.matrix.to_3x3() @ Vector((0, -1, 0))
    outward.z = 0
    outward.normalize()
    pivot = station.matrix @ Vector((0, centre(station), form.height))
    ends = (-float(spline(form.facial, at)[0]), float(spline(form.lingual, at)[0]))
    facial, lingual = ((station.matrix @ Vector((0, y, 0.06 * form.height)) - pivot).dot(outward) for y in ends)
    return facial, lingual


def centre(station: Station) -> float:
    """Where the tooth's contact lies across it (local y)."""
    form, at = station.place.form, np.array([0.75])
    return float((spline(form.lingual, at) - spline(form.facial, at))[0]) / 2


def margins(standing: Sequence[Station], lengths: Numbers) -> Margin:
    """The margin along the curve: low over each tooth's middle, up to a papilla at each contact."""
    knots = sorted(standing, key=lambda station: station.side * (station.begin + station.end))
    spans = [sorted((s.side * s.begin, s.side * s.end)) for s in knots]
    for here, after in pairwise(spans):
        if here[1] > after[0]:
            here[1] = after[0] = (here[1] + after[0]) / 2
    peaks = papillae(knots, spans)
    lines = np.empty((5, len(lengths)))
    for column, length in enumerate(lengths):
        at = int(np.argmin([max(low - length, length - high, 0) for low, high in spans]))
        low, high = spans[at]
        u = np.clip((2 * length - low - high) / (high - low), -1, 1)
        lines[:, column] = across(knots[at], peaks[at + (1 if u > 0 else 0)], float(abs(u)))
    smoothed = [blurred(line, width) for line, width in zip(lines, (0.32, 0.5, 0.5, 0.8, 1.5), strict=True)]
    return Margin(*smoothed)


def papillae(knots: Sequence[Station], spans: Sequence[list[float]]) -> list[float]:
    """The heights of the papillae before, between and after the teeth."""
    heights = necks(knots)
    made = [heights[0] + 1.5]
    for at in range(len(knots) - 1):
        rise = 0.5 * sum(
            (0.38 if "molar" in knot.place.tooth else 0.5) * knot.place.form.height for knot in knots[at : at + 2]
        )
        space = max(spans[at + 1][0] - spans[at][1], 0)
        rise *= max(1 - 0.3 * space, 0.45)
        made.append((heights[at] + heights[at + 1]) / 2 + rise)
    made.append(heights[-1] + 1.5)
    return made


def across(station: Station, peak: float, u: float) -> tuple[float, float, float, float, float]:
    """The margin's numbers at `u` (0 the tooth's middle, 1 its contact)."""
    facial, lingual = reach(station)
    middle, thick = (facial + lingual) / 2, (facial - lingual) / 2
    neck = station.matrix.translation.z
    height = neck + COVER + (peak - neck - COVER) * u**2.1
    blend = u**2.6
    face = (facial + 0.42) * (1 - blend) + (middle + 0.72 * thick) * blend
    back = (lingual - 0.42) * (1 - blend) + (middle - 0.6 * thick) * blend
    return height, face, back, 0.5 + 0.15 * u, (1 - u**2) ** 2


def blurred(line: Numbers, width: float) -> Numbers:
    """A line smoothed along the curve by a Gaussian `width` mm wide."""
    taps = np.arange(-3 * width, 3 * width + STEP, STEP)
    weights = np.exp(-((taps / width) ** 2) / 2)
    padded = np.pad(line, len(taps) // 2, mode="edge")
    return np.convolve(padded, weights / weights.sum(), mode="same")[len(taps) // 2 : len(taps) // 2 + len(line)]


def skin(margin: Margin, lengths: Numbers, curve: Curve, floor: float) -> Numbers:
    """The closed skin, (row, column, xyz): from the base up the lips' side, over, down behind."""
    front, back = profile(margin, margin.facial, 1, floor), profile(margin, margin.lingual, -1, floor)
    offset, height = np.concatenate([front, back[-2::-1]]).transpose(1, 0, 2)
    place, normal = curve.at(lengths)
    flat = place[None] + normal[None] * offset[..., None]
    return np.concatenate([flat, height[..., None]], axis=-1)


def profile(margin: Margin, edge: Numbers, towards: int, floor: float) -> Numbers:
    """One side from the base to the middle of the top: (row, (offset, height), column)."""
    calm, flat = blurred(edge, 4.5), blurred(margin.height, 2.2)
    rows = []
    for share in (1 - np.linspace(0, 1, WALL)) ** 1.35:
        z = (margin.height - margin.rim) * (1 - share) + floor * share
        below = margin.height - z
        # Under a papilla's peak no crease may run down to the base.
        below += (flat - margin.height) * np.clip(below / 4, 0, 1)
        swell = 0.45 * np.clip(below / 3, 0, 1) - 0.4 * (1 - margin.bulge) * np.exp(-(((below - 4) / 3.5) ** 2))
        foot = 0.09 * np.clip(below, 0, 12) - 1.6 * np.clip((share - 0.86) / 0.14, 0, 1) ** 2
        calming = np.clip(below / 5, 0, 1)
        base = edge * (1 - calming) + (calm + 0.25 * towards) * calming
        rows.append((base + towards * (swell + foot), z))
    for turn in np.linspace(0, np.pi / 2, RIM)[1:]:
        inset = margin.rim * (1 - np.cos(turn))
        rows.append((edge - towards * inset, margin.height - margin.rim * (1 - np.sin(turn))))
    inner, middle = edge - towards * margin.rim, (margin.facial + margin.lingual) / 2
    rows.extend(
        (inner + (middle - inner) * share, margin.height - 0.25 * share) for share in np.linspace(0, 1, TOP + 1)[1:]
    )
    return np.array(rows)


def fade(points: Numbers, lengths: Numbers, ends: Sequence[float], curve: Curve, floor: float) -> None:
    """Round the skin off behind the last tooth on either side."""
    beyond = np.maximum(np.maximum(-lengths - ends[0], lengths - ends[1]), 0) / TAIL
    keep = np.sqrt(np.clip(1 - beyond**2, 0.0025, 1))[None, :, None]
    place, _ = curve.at(lengths)
    points[..., :2] = place[None] + (points[..., :2] - place[None]) * keep
    points[..., 2:] = floor + (points[..., 2:] - floor) * (0.35 + 0.65 * keep)
