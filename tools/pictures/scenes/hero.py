"""The first screen's picture: where a consultation happens, over the Bosphorus in the morning."""

from tools.pictures import studio
from tools.pictures.picture import Picture
from tools.pictures.rooms import finishes as of
from tools.pictures.rooms import furniture, keepsakes, light, shell, skyline
from tools.pictures.rooms.solids import box

WINDOW = (-0.95, 3.85, 0.0, 2.62)
DEPTH = 3.0


def hero() -> None:
    """Two chairs and a table with the plan before a tall window; the left third is calm wall.

    Pages crop it from the left, and lay a small picture over the floor left of the chairs.
    """
    studio.clear()
    shell.window_wall(8.4, DEPTH, 2.95, WINDOW)
    skyline.city()
    skyline.ferry((-1.6, 22.8, 0.36), 0.95)
    furniture.rug((0.98, 1.7, 0), 1.2)
    furniture.armchair((0.38, 1.95, 0), 50)
    furniture.armchair((1.6, 1.75, 0), -44, of.linen(of.TEAL))
    furniture.coffee_table((1.0, 1.42, 0), 0.36, 0.46)
    keepsakes.open_plan((0.94, 1.38, 0.46), 12)
    furniture.tulip_glass((1.22, 1.56, 0.46))
    furniture.tulip_glass((0.78, 1.6, 0.46), drunk=True)
    keepsakes.coat((0.38, 1.95, 0), 50)
    box((9.0, 1.3, 0.3), (1.4, 4.0, -0.32), of.plaster("#E9E2D5"), bevel=0.02)
    keepsakes.suitcase((1.06, 2.66, 0), -16)
    furniture.plant((-0.98, 2.62, 0), 1.55, seed=5)
    light.daylight(sun=8, towards=(-0.42, -0.62, -0.42))
    light.soft((1.2, 2.9, 1.5), (0.5, 0, 0.8), (4.0, 2.4), 85)
    light.soft((-0.8, -2.6, 2.3), (0.4, 2.4, 0.8), (4.5, 2.4), 100)
    light.level((0.0, -2.6, 1.35), (0.0, 3.0), lens=35, rise=-0.06)
    light.focus(4.3, 1.2)


PICTURES = (Picture("hero", "hero", 1600, 1000, 64, hero),)
