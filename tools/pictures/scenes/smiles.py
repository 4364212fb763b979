"""The treatments whose subject is teeth themselves: veneers beside a shade guide, and zirconia crowns."""

import math
from dataclasses import replace

import bpy

from tools.pictures import materials, studio
from tools.pictures.materials import BRIGHT, Shade
from tools.pictures.mesh import Point, group, lathe, pebble, skin
from tools.pictures.picture import Picture
from tools.pictures.teeth.arch import UPPER, half
from tools.pictures.teeth.crown import MILLIMETRE, Detail, crown, shape
from tools.pictures.teeth.forms import Tooth
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
    """Three crowns on a low stand: on its die, of the most translucent grade, glazed."""
    studio.clear()
    # A crown that leans back on its neck shows its fissures.
    stand = (
        (group("On its die", (crown("molar", materials.zirconia()), die("molar"))), (-0.8, 0.3), 24, 16, 0.78),
        (translucent("central"), (0.1, -0.8), -14, 0, 0.0),
        (crown("premolar", materials.zirconia()), (1.05, 0.2), -24, 30, 0.19),
    )
    for made, (x, y), turn, lean, high in stand:
        made.location = (x, y, PLINTH + high)
        made.rotation_euler = (math.radians(lean), 0, math.radians(turn))
    plinth()
    studio.backdrop(6, floor=0)
    studio.light((0, 0, 0.5), 2.2, key=0.62, fill=0.4)
    studio.camera((0.3, -8.7, 5.1), (0.02, 0.0, 0.62), lens=78, aperture=8)


def die(tooth: Tooth) -> bpy.types.Object:
    """The plaster that a crown stands on by its neck at z = 0: cut in below the margin, which is marked in red."""
    neck, _ = shape(tooth, Detail(), mirrored=False)

    def ring(size: float, high: float) -> list[Point]:
        return [(size * MILLIMETRE * x, size * MILLIMETRE * y, high) for x, y, _ in neck[0]]

    body = ((1.0, 0.0), (0.99, -0.03), (0.86, -0.10), (0.88, -0.17), (1.0, -0.42), (1.1, -1.0))
    red = materials.surface("Margin", materials.linear("#B5483A"), Roughness=0.6)
    return group(
        "Die",
        (
            skin("Die", [ring(*at) for at in body], materials.plaster(), caps=True),
            skin("Margin", [ring(1.015, 0.0), ring(1.02, -0.02), ring(1.0, -0.04)], red),
        ),
    )


def translucent(tooth: Tooth) -> bpy.types.Object:
    """A crown of the most translucent grade over its denser core."""
    core = crown(tooth, materials.tooth("Core", Shade("#E8D3B0", "#EEDFC4", "#EADFCB", depth=0.0)))
    core.location.z, core.scale = 0.02, (0.82, 0.78, 0.8)
    return group("Translucent crown", (crown(tooth, materials.translucent_zirconia()), core))


def plinth() -> None:
    """The low round stand under the crowns."""
    bpy.ops.mesh.primitive_cylinder_add(vertices=200, radius=1.85, depth=PLINTH, location=(0, 0.15, PLINTH / 2))
    made = bpy.context.object
    bevel = made.modifiers.new("Bevel", "BEVEL")
    bevel.width, bevel.segments, bevel.limit_method = 0.04, 4, "ANGLE"
    made.data.materials.append(materials.ceramic())


PICTURES: tuple[Picture, ...] = (
    Picture("hollywood-smile", "treatments", 1200, 900, 32, hollywood_smile),
    Picture("zirconia-crowns", "treatments", 1200, 900, 32, zirconia_crowns),
)
