"""The door that the walk begins at: a wall with a white frame, between the camera and the reception."""

from collections.abc import Callable

import bpy

from tools.pictures.rooms import finishes as of
from tools.pictures.rooms.solids import box

# The wall's place along y, the opening's left, right and head, in metres.
WALL, LEFT, RIGHT, HEAD = -0.95, 0.6, 1.9, 2.12
THICK, TRIM = 0.14, 0.085


def behind_a_door(build: Callable[[], None]) -> Callable[[], None]:
    """The room with a doorway before it."""

    def built() -> None:
        build()
        doorway()

    return built


def doorway() -> None:
    """Put up the wall and the frame. It casts no shadow: the room keeps the light of its own picture."""
    before = set(bpy.context.scene.objects)
    wall, white = of.plaster(), of.lacquer()
    box((LEFT + 4.0, THICK, 2.9), ((LEFT - 4.0) / 2, WALL, 0), wall, bevel=0.002)
    box((4.0 - RIGHT, THICK, 2.9), ((RIGHT + 4.0) / 2, WALL, 0), wall, bevel=0.002)
    box((RIGHT - LEFT, THICK, 2.9 - HEAD), ((LEFT + RIGHT) / 2, WALL, HEAD), wall, bevel=0.002)
    for x in (LEFT - TRIM / 2 + 0.02, RIGHT + TRIM / 2 - 0.02):
        box((TRIM, THICK + 0.03, HEAD + TRIM), (x, WALL, 0), white, bevel=0.004)
    box((RIGHT - LEFT, THICK + 0.03, TRIM), ((LEFT + RIGHT) / 2, WALL, HEAD), white, bevel=0.004)
    for part in set(bpy.context.scene.objects) - before:
        part.visible_shadow = part.visible_diffuse = part.visible_glossy = False
