"""An arch of teeth in its gum, ready to be set into a scene. layout.py places the teeth, gum.py makes the gum."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import bpy
from mathutils import Matrix

from pictures.teeth.crown import MILLIMETRE, crown
from pictures.teeth.gum import gum_round
from pictures.teeth.layout import Curve, Place, Station, stations

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pictures.teeth.forms import Tooth

UPPER: tuple[Tooth, ...] = ("central", "lateral", "canine", "premolar", "second premolar", "molar", "second molar")
LOWER_FRONT: tuple[Tooth, ...] = ("lower incisor", "lower incisor", "lower canine")
LOWER: tuple[Tooth, ...] = (*LOWER_FRONT, "lower premolar", "lower premolar", "lower molar", "lower molar")

# How far the lower teeth stand behind the upper ones (mm): a normal overjet.
BEHIND = 2.4


def half(teeth: Sequence[Tooth], material: bpy.types.Material | None, seed: int = 1) -> tuple[Place, ...]:
    """Places for one half in a row, from the midline outwards, every tooth with an unevenness of its own."""
    return tuple(
        Place(tooth, material, detail=replace(Place(tooth, None).detail, seed=seed * 100 + number))
        for number, tooth in enumerate(teeth)
    )


def arch(
    right: Sequence[Place],
    left: Sequence[Place],
    gum: bpy.types.Material | None,
    *,
    upper: bool = True,
    gum_height: float = 9.0,
) -> bpy.types.Object:
    """Teeth and gum under one empty: origin at the midline on the plane of the edges, lips at -Y, centimetres.

    `right` is the patient's right: the viewer's left. An upper arch is turned over, edges down. `gum_height` is how
    much gum shows beyond the necks (mm); without a `gum` material there is none.
    """
    curve = Curve(0 if upper else BEHIND)
    side = 1 if upper else -1
    standing = [*stations(right, side, curve), *stations(left, -side, curve)]
    parent = bpy.data.objects.new("Arch", None)
    bpy.context.scene.collection.objects.link(parent)
    for station in standing:
        if station.place.material is not None:
            put(station, parent)
    if gum is not None:
        gum_round(standing, curve, gum_height, gum).parent = parent
    if upper:
        parent.matrix_basis = Matrix.Rotation(math.pi, 4, "Y")
    return parent


def put(station: Station, parent: bpy.types.Object) -> None:
    """Make a station's crown and set it into the arch."""
    place = station.place
    made = crown(place.tooth, place.material, place.detail, mirrored=station.side > 0)
    made.parent = parent
    made.matrix_basis = Matrix.Scale(MILLIMETRE, 4) @ station.matrix @ Matrix.Scale(1 / MILLIMETRE, 4)
