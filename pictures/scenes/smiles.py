"""The treatments whose subject is teeth themselves: a bright smile, and zirconia crowns from the laboratory."""

from __future__ import annotations

import math

import bpy

from pictures import materials, studio
from pictures.picture import Picture
from pictures.teeth.arch import LOWER, UPPER, arch, half
from pictures.teeth.crown import crown

PLINTH = 0.24


def hollywood_smile() -> None:
    """Both arches, bright and even, as dentists photograph them."""
    studio.clear()
    bright = materials.zirconia()
    arch(half(UPPER, bright, 3), half(UPPER, bright, 4), materials.gum(), gum_height=19)
    lower = arch(half(LOWER, bright, 7), half(LOWER, bright, 8), materials.gum(), upper=False, gum_height=18)
    lower.location = (0, 0, 0.1)
    studio.backdrop(7, floor=-4, material=materials.backdrop_dark())
    studio.light((0, -0.4, 0.3), 2.6, fill=1.2, key=1.2)
    # The flash at the lens: no margin and no papilla lies in a shadow.
    studio.soft_box("Flash", (0.3, -12.0, -1.0), (0, 0, 0), 4.5, 700)
    studio.camera((1.2, -15.6, 0.2), (0.03, 0, 0.16), lens=122)


def zirconia_crowns() -> None:
    """Three crowns on a low stand: as milled, translucent, glazed."""
    studio.clear()
    stand = (
        (crown("molar", materials.milled_zirconia()), (-0.98, -0.12), 24),
        (crown("central", materials.translucent_zirconia()), (0.06, -0.95), -12),
        (crown("premolar", materials.zirconia()), (0.98, -0.14), -30),
    )
    for made, (x, y), turn in stand:
        made.location, made.rotation_euler = (x, y, PLINTH), (0, 0, math.radians(turn))
    plinth()
    studio.backdrop(6, floor=0)
    studio.light((0, 0, 0.5), 2.2, key=0.8, fill=0.7)
    studio.camera((0.3, -8.6, 5.3), (0.0, 0.05, 0.34), lens=80, aperture=8)


def plinth() -> None:
    """The low round stand under the crowns."""
    bpy.ops.mesh.primitive_cylinder_add(vertices=200, radius=2.02, depth=PLINTH, location=(0, 0.15, PLINTH / 2))
    made = bpy.context.object
    bevel = made.modifiers.new("Bevel", "BEVEL")
    bevel.width, bevel.segments, bevel.limit_method = 0.04, 4, "ANGLE"
    made.data.materials.append(materials.ceramic())


PICTURES: tuple[Picture, ...] = (
    Picture("hollywood-smile", "treatments", 1200, 900, 20, hollywood_smile),
    Picture("zirconia-crowns", "treatments", 1200, 900, 16, zirconia_crowns),
)
