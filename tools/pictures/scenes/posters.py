"""The testimonials' posters: quiet still lives without people. The middle stays empty for the play button."""

from tools.pictures import studio
from tools.pictures.picture import Picture
from tools.pictures.rooms import finishes as of
from tools.pictures.rooms import furniture, keepsakes, light, shell, skyline
from tools.pictures.rooms.shell import Opening
from tools.pictures.rooms.solids import box


def two_chairs() -> None:
    """Two chairs turned to each other; the sun draws a window on the wall between them."""
    studio.clear()
    shell.room(5.6, 3.0, 2.8, (Opening(-1.3, 1.3, 0.5, 2.35),))
    furniture.armchair((-1.12, 2.15, 0), 52)
    furniture.armchair((1.12, 2.15, 0), -52, of.linen(of.TEAL))
    furniture.coffee_table((0.0, 2.25, 0), 0.30, 0.38)
    furniture.cup((-0.1, 2.2, 0.38), 160)
    furniture.books((0.1, 2.28, 0.38), 15, (of.INK, "#D8CDB9"))
    furniture.plant((1.95, 2.68, 0), 1.45, seed=5)
    light.daylight(sun=11, towards=(0.72, 0.62, -0.30))
    light.soft((-2.9, 0.0, 1.5), (0, 2.2, 0.9), (2.6, 1.8), 70)
    light.soft((0.5, -2.6, 2.4), (0, 3, 0.8), (4.5, 2.2), 75)
    light.level((0.0, -1.35, 1.15), (0.0, 3.0), lens=33, rise=-0.06)


def cup_and_folder() -> None:
    """A folder with the plan, a pen and a cup of tea on an oak table by a window."""
    studio.clear()
    box((1.7, 0.95, 0.04), (0, 0, 0.71), of.oak("x", "#BFA788"), bevel=0.012)
    box((7, 0.1, 3.2), (0, 1.6, 0), of.plaster(), bevel=0.001)
    box((7, 5, 0.1), (0, 0, -0.1), of.oak_floor(), bevel=0.001)
    keepsakes.folder((-0.30, -0.06, 0.75), 14)
    keepsakes.pen((-0.06, -0.24, 0.75), 62)
    furniture.cup((0.33, -0.02, 0.75), -38)
    furniture.plant((0.56, 0.27, 0.75), 0.9, seed=8, stems=6).scale = (0.34, 0.34, 0.34)
    _panes()
    light.daylight(sun=6.5, towards=(0.78, 0.22, -0.62), sky=0.75)
    light.soft((-2.2, -0.3, 1.9), (0, 0, 0.75), (1.6, 1.4), 26)
    light.level((0.0, -1.05, 1.42), (0.0, 0.0), lens=42)
    studio.aim(light.held(), (0.0, 0.02, 0.80))
    light.focus(1.2, 5.6)


def _panes() -> None:
    """A window frame outside the picture, only there for its shadow."""
    frame = of.lacquer()
    for y in (-1.15, -0.62, 0.3):
        box((0.05, 0.05, 2.6), (-1.6, y, 0.8), frame)
    for z in (1.62, 2.55):
        box((0.05, 2.6, 0.05), (-1.6, 0, z), frame)
    box((0.05, 6, 1.3), (-1.6, 0, 0), frame)


def by_the_window() -> None:
    """A suitcase, passport and boarding pass by a window with the city far away in the haze."""
    studio.clear()
    shell.window_wall(5.6, 2.6, 2.9, (-1.75, 1.75, 0.55, 2.55))
    skyline.city(24.0, 0.55)
    shell.bench((0.0, 2.37, 0.50), 3.7)
    keepsakes.suitcase((-1.02, 1.62, 0), 24)
    furniture.plant((1.42, 2.42, 0.54), 1.0, seed=8, stems=6).scale = (0.5, 0.5, 0.5)
    keepsakes.boarding_pass((1.20, 2.315, 0.582), 0).rotation_euler = (1.15, 0, -0.08)
    keepsakes.passport((1.27, 2.34, 0.60), 0).rotation_euler = (1.15, 0, 0.06)
    furniture.cup((0.98, 2.30, 0.54), 20)
    light.daylight(sun=7, towards=(0.66, -0.45, -0.50))
    light.soft((0, 2.75, 1.6), (0, 0.5, 0.8), (3.4, 1.9), 60)
    light.soft((0.0, -2.4, 2.3), (0, 2.4, 0.8), (4.5, 2.2), 95)
    light.level((0.0, -1.45, 1.12), (0.0, 3.0), lens=34, rise=-0.088)
    light.focus(3.3, 0.9)


PICTURES = (
    Picture("testimonial-1", "videos", 1280, 720, 14, two_chairs),
    Picture("testimonial-2", "videos", 1280, 720, 20, cup_and_folder),
    Picture("testimonial-3", "videos", 1280, 720, 36, by_the_window),
)
