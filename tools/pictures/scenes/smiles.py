"""The treatments whose subject is teeth themselves: veneers beside a shade guide, and zirconia crowns."""

import math
from dataclasses import replace

import bpy

from tools.pictures import materials, studio
from tools.pictures.materials import BRIGHT, Shade
from tools.pictures.mesh import group, lathe, pebble
from tools.pictures.picture import Picture
from tools.pictures.teeth.arch import UPPER, half
from tools.pictures.teeth.crown import crown
from tools.pictures.teeth.model import study_model

PLINTH = 0.24
# From the shade of many natural teeth to the brightest veneers: neck, body, edge.
SHADES = (
    Shade("#CDB284", "#DDC9A2", "#D2C4A4"),
    Shade("#D9C094", "#E6D4AF", "#DCD0B2"),
    Shade("#E2D0AC", "#EDE0C6", "#E2DAC6"),
    Shade("#EADDC4", "#F2E9D8", "#E8E4D8"),
    BRIGHT,
)
# The fan of the guide: degrees from one tab to the next, and how far the teeth are from its pivot (cm).
FAN, REACH = 5.6, 12.5


def hollywood_smile() -> None:
    """A study model with bright, even veneers; a shade guide before it, from natural to brightest."""
    studio.clear()
    bright = materials.tooth("Veneer", replace(BRIGHT, depth=0.0))
    model = study_model(half(UPPER, bright, 3), half(UPPER, bright, 4), materials.dental_stone())
    model.location, model.rotation_euler.z = (0.1, 1.5, 0), math.radians(-10)
    guide = group("Shade guide", [tab(shade, number) for number, shade in enumerate(SHADES)])
    guide.location = (-0.4, -14.6, 0.0)
    studio.backdrop(14, material=materials.backdrop_sand())
    studio.light((0, 0, 1.6), 4.8, fill=0.9, key=0.85)
    studio.camera((0, -18.2, 14.2), (0, 1.0, 0.9), lens=84)


def tab(shade: Shade, number: int) -> bpy.types.Object:
    """One tab of the guide: a tooth lying on its back, held by a slim white grip, turned round the fan's pivot."""
    tooth = crown("central", materials.tooth(f"Shade {number}", replace(shade, depth=0.0)))
    neck = lathe("Neck", [(0.0, -0.5), (0.1, -0.5), (0.12, -0.1), (0.2, 0.02), (0.0, 0.05)], materials.lacquered())
    grip = pebble("Grip", (0.3, 0.1, 1.35), (0.0, 0.05, -1.8), materials.lacquered(), 7)
    made = group("Tab", (tooth, neck, grip))
    lying = group("Lying", (made,))
    made.rotation_euler.x = math.radians(-90)
    made.location = (0, REACH, 0.42)
    lying.rotation_euler.z = math.radians(FAN * (len(SHADES) / 2 - 0.5 - number))
    return lying


def zirconia_crowns() -> None:
    """Three crowns on a low stand: as milled, translucent, glazed."""
    studio.clear()
    # A crown that leans back on its neck shows its fissures.
    stand = (
        (crown("molar", materials.milled_zirconia()), (-1.0, 0.1), 24, 26),
        (crown("central", materials.translucent_zirconia()), (0.06, -0.85), -10, 0),
        (crown("premolar", materials.zirconia()), (1.0, 0.05), -24, 26),
    )
    for made, (x, y), turn, lean in stand:
        high = PLINTH + 0.38 * math.sin(math.radians(lean))
        made.location, made.rotation_euler = (x, y, high), (math.radians(lean), 0, math.radians(turn))
    plinth()
    studio.backdrop(6, floor=0)
    studio.light((0, 0, 0.5), 2.2, key=0.62, fill=0.4)
    studio.camera((0.3, -7.6, 6.9), (0.0, 0.0, 0.34), lens=75, aperture=8)


def plinth() -> None:
    """The low round stand under the crowns."""
    bpy.ops.mesh.primitive_cylinder_add(vertices=200, radius=2.02, depth=PLINTH, location=(0, 0.15, PLINTH / 2))
    made = bpy.context.object
    bevel = made.modifiers.new("Bevel", "BEVEL")
    bevel.width, bevel.segments, bevel.limit_method = 0.04, 4, "ANGLE"
    made.data.materials.append(materials.ceramic())


PICTURES: tuple[Picture, ...] = (
    Picture("hollywood-smile", "treatments", 1200, 900, 32, hollywood_smile),
    Picture("zirconia-crowns", "treatments", 1200, 900, 32, zirconia_crowns),
)
