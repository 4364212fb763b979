"""A study model, as dentists keep one of every jaw: teeth in dental stone, on a base with trimmed sides.

Centimetres; the model stands on z = 0, its midline at x = 0, its front towards the camera (-Y).
"""

from collections.abc import Sequence

import bpy

from tools.pictures.mesh import group, rounded, skin
from tools.pictures.teeth.arch import arch
from tools.pictures.teeth.layout import Place

# The base's outline, right half from the back's middle to the front's: (x, y) in cm. Trimmed as the rule for upper
# models says: a pointed front, straight sides, bevelled heels.
OUTLINE = ((0.0, 5.3), (2.6, 5.3), (3.9, 4.1), (3.75, 2.4), (2.62, -0.1), (0.0, -1.15))
BASE, EDGE, CORNER = 1.05, 0.06, 0.32
# How high the plane of the edges is over the table, and how much stone stands below the necks (mm).
HEIGHT, BELOW = 2.7, 7.5


def study_model(right: Sequence[Place], left: Sequence[Place], stone: bpy.types.Material) -> bpy.types.Object:
    """An upper model that lies on its base, edges up: the patient's right is at the viewer's right."""
    made = arch(right, left, stone, BELOW)
    made.location.z = HEIGHT
    return group("Study model", (made, base(stone)))


def base(stone: bpy.types.Material) -> bpy.types.Object:
    """The trimmed base with softly broken edges."""
    mirrored = [(-x, y) for x, y in reversed(OUTLINE[:-1])]
    outline = rounded([*OUTLINE, *mirrored], CORNER, 8)[:-1]
    middle = (0.0, 2.2)
    rings = []
    for z, inset in ((0.0, EDGE), (EDGE, 0.0), (BASE - EDGE, 0.0), (BASE, EDGE)):
        # The sides of a trimmed base are upright; about 3 cm from the middle, this share is the inset.
        share = 1 - inset / 3
        rings.append(
            [(middle[0] + (x - middle[0]) * share, middle[1] + (y - middle[1]) * share, z) for x, y in outline]
        )
    return skin("Base", rings, stone, caps=True)
