"""Where teeth stand: the curve of the arch, and each tooth's place, heading and inclination on it. Millimetres.

The frame is the bite's: z = 0 is the plane of the edges, necks are below it, lips at -y, the arch opens to +y.
"""

import math
from dataclasses import dataclass

import bpy
import numpy as np
from mathutils import Matrix, Vector
from numpy.typing import NDArray

from tools.pictures.teeth.crown import Detail, spline
from tools.pictures.teeth.forms import FORMS, Form, Tooth

HALF_WIDTH = 28.5
DEPTH = 40.0
SQUARENESS = 2.4

# Per type: how far the edge stays short of the plane (mm); degrees the edge leans to the middle, and to the lips.
STANCE: dict[Tooth, tuple[float, float, float]] = {
    "central": (0.0, 1.5, 8.0),
    "lateral": (0.6, 3.5, 7.0),
    "canine": (0.1, 5.0, 1.0),
    "premolar": (0.6, 3.0, -4.0),
    "second premolar": (0.9, 2.0, -6.0),
    "molar": (1.1, 2.0, -8.0),
    "second molar": (1.6, 0.0, -8.0),
}


@dataclass(frozen=True)
class Place:
    """One tooth of a row, from the midline outwards."""

    tooth: Tooth
    material: bpy.types.Material
    detail: Detail

    @property
    def form(self) -> Form:
        """The tooth's form in numbers."""
        return FORMS[self.tooth]


@dataclass(frozen=True)
class Station:
    """A place on its arch: from where to where on the curve (mm of its length, signed by side), and its matrix."""

    place: Place
    side: int
    begin: float
    end: float
    matrix: Matrix


class Curve:
    """The line through the teeth's contacts, by its length from the midline; x has the sign of the length."""

    def __init__(self) -> None:
        """Sample half of the superellipse."""
        angle = np.linspace(0, math.pi / 2, 4000)
        self.x = HALF_WIDTH * np.sin(angle) ** (2 / SQUARENESS)
        self.y = DEPTH * (1 - np.cos(angle) ** (2 / SQUARENESS))
        self.length = np.concatenate([[0.0], np.cumsum(np.hypot(np.diff(self.x), np.diff(self.y)))])

    def at(self, length: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Points on the curve and the unit normals towards the lips, both (n, 2)."""
        side, far = np.where(length < 0, -1, 1), np.abs(length)
        here = np.stack([np.interp(far, self.length, self.x), np.interp(far, self.length, self.y)], axis=-1)
        step = 1.0
        before, after = np.maximum(far - step, 0), np.minimum(far + step, self.length[-1])
        tangent = np.stack(
            [
                np.interp(after, self.length, line) - np.interp(before, self.length, line)
                for line in (self.x, self.y)
            ],
            axis=-1,
        )
        tangent[far < step, 1] *= far[far < step] / step
        tangent[:, 0] = np.maximum(tangent[:, 0], 1e-9)
        tangent /= np.linalg.norm(tangent, axis=-1, keepdims=True)
        normal = np.stack([tangent[:, 1] * side, -tangent[:, 0]], axis=-1)
        return here * np.stack([side, np.ones_like(side)], axis=-1), normal


def station(place: Place, side: int, begin: float, curve: Curve) -> Station:
    """A place that begins at `begin` on the curve (mm of its length); `side` is 1 or -1, the sign of x."""
    end = begin + place.form.width
    return Station(place, side, begin, end, stand(place, side, (begin + end) / 2, curve))


def stand(place: Place, side: int, middle: float, curve: Curve) -> Matrix:
    """The crown's matrix in the bite's frame (mm): its contacts on the curve, turned and inclined."""
    (point,), (normal,) = curve.at(np.array([middle * side]))
    short, tip, lean = STANCE[place.tooth]
    form = place.form
    share = np.array([0.75])
    centre = float((spline(form.lingual, share) - spline(form.facial, share))[0]) / 2
    pivot = Vector((0, centre, form.height))
    x, y = point
    heading = math.atan2(normal[0], -normal[1])
    return (
        Matrix.Translation((x, y, -short))
        @ Matrix.Rotation(heading, 4, "Z")
        @ Matrix.Rotation(math.radians(-tip * side), 4, "Y")
        @ Matrix.Rotation(math.radians(lean), 4, "X")
        @ Matrix.Translation(-pivot)
    )
