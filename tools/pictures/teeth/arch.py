"""An upper arch of teeth in its gum. contact.py stands the teeth, gum.py makes the gum."""

from collections.abc import Sequence

import bpy
from mathutils import Matrix

from tools.pictures.teeth.contact import standing
from tools.pictures.teeth.crown import MILLIMETRE, Detail, crown
from tools.pictures.teeth.forms import Tooth
from tools.pictures.teeth.gum import gum_round
from tools.pictures.teeth.layout import Curve, Place, Station

UPPER: tuple[Tooth, ...] = ("central", "lateral", "canine", "premolar", "second premolar", "molar", "second molar")


def half(teeth: Sequence[Tooth], material: bpy.types.Material, seed: int = 1) -> tuple[Place, ...]:
    """Places for one half in a row, from the midline outwards, every tooth with an unevenness of its own."""
    return tuple(
        Place(tooth, material, Detail(root=4, seed=seed * 100 + number)) for number, tooth in enumerate(teeth)
    )


def arch(
    right: Sequence[Place], left: Sequence[Place], gum: bpy.types.Material, gum_height: float
) -> bpy.types.Object:
    """Teeth and gum under one empty: origin at the midline on the plane of the edges, lips at -Y, centimetres.

    Args:
        right: The half at positive x.
        left: The other half.
        gum: The gum's material.
        gum_height: How much gum stands below the necks (mm).

    Returns:
        The empty; edges look up.
    """
    curve = Curve()
    teeth = standing(right, left, curve)
    parent = bpy.data.objects.new("Arch", None)
    bpy.context.scene.collection.objects.link(parent)
    for tooth in teeth:
        put(tooth, parent)
    gum_round(teeth, curve, gum_height, gum).parent = parent
    return parent


def put(station: Station, parent: bpy.types.Object) -> None:
    """Make a station's crown and set it into the arch."""
    place = station.place
    made = crown(place.tooth, place.material, place.detail, mirrored=station.side > 0)
    made.parent = parent
    made.matrix_basis = Matrix.Scale(MILLIMETRE, 4) @ station.matrix @ Matrix.Scale(1 / MILLIMETRE, 4)
