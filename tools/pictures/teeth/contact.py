"""Stands teeth in contact: each is moved along the arch until it touches its neighbours, and never into them."""

from collections.abc import Sequence

import numpy as np
from mathutils.bvhtree import BVHTree

from tools.pictures.teeth.crown import faces, shape
from tools.pictures.teeth.layout import Curve, Place, Station, station

# How far (mm) a tooth may be moved towards its neighbour and away from it, and how often that span is halved.
NEARER, FARTHER, HALVINGS = 0.8, 4.0, 10
# A tooth that stands out of the row can reach past its neighbour, to the one after.
NEIGHBOURS = 2


def standing(right: Sequence[Place], left: Sequence[Place], curve: Curve) -> list[Station]:
    """Both halves on the curve, from the midline outwards; the right half has positive x."""
    made = half(right, 1, curve, ())
    return [*made, *half(left, -1, curve, made[:NEIGHBOURS])]


def half(places: Sequence[Place], side: int, curve: Curve, across: Sequence[Station]) -> list[Station]:
    """One half on the curve; `across` are the teeth nearest the midline of the other, if that stands already.

    Args:
        places: The half's places, from the midline outwards.
        side: 1 or -1, the sign of x.
        curve: The curve of the arch.
        across: Teeth of the other half that the first ones may touch.

    Returns:
        A station for every place.

    Raises:
        ValueError: A tooth finds no room.
    """
    made: list[Station] = []
    end = 0.0
    for number, place in enumerate(places):
        beside = [*made[-NEIGHBOURS:], *across[: max(NEIGHBOURS - number, 0)]]
        made.append(touching(place, side, end, curve, [tree(each) for each in beside]))
        end = made[-1].end
    return made


def touching(place: Place, side: int, begin: float, curve: Curve, beside: Sequence[BVHTree]) -> Station:
    """A place on the curve as near to `begin` as its neighbours allow.

    Args:
        place: The place.
        side: 1 or -1, the sign of x.
        begin: Where on the curve it would begin (mm of its length).
        curve: The curve of the arch.
        beside: The neighbours' meshes.

    Returns:
        The place on its curve.

    Raises:
        ValueError: There is no room within 4 mm.
    """
    if not beside:
        return station(place, side, begin, curve)
    near, far = begin - NEARER, begin + FARTHER
    if meets(station(place, side, far, curve), beside):
        raise ValueError(f"There is no room for the {place.tooth} at {begin:.1f} mm.")
    for _ in range(HALVINGS):
        middle = (near + far) / 2
        if meets(station(place, side, middle, curve), beside):
            near = middle
        else:
            far = middle
    return station(place, side, far, curve)


def meets(tooth: Station, others: Sequence[BVHTree]) -> bool:
    """Whether a tooth's surface cuts through another's."""
    own = tree(tooth)
    return any(own.overlap(other) for other in others)


def tree(tooth: Station) -> BVHTree:
    """A tooth's mesh where it stands, ready to be compared with others."""
    rings, _ = shape(tooth.place.tooth, tooth.place.detail, mirrored=tooth.side > 0)
    matrix = np.array(tooth.matrix)
    points = rings.reshape(-1, 3) @ matrix[:3, :3].T + matrix[:3, 3]
    return BVHTree.FromPolygons(points.tolist(), faces(len(rings), turned=tooth.side > 0))
