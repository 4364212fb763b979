"""The clinic's rooms, one scene each: reception, treatment room, scanner, laboratory."""

from tools.pictures import studio
from tools.pictures.picture import Picture
from tools.pictures.rooms import dental, fitted, furniture, light, machines, shell, workbench
from tools.pictures.rooms import finishes as of
from tools.pictures.rooms.shell import Opening


def reception() -> None:
    """A long desk before oak slats; daylight from two tall windows; two chairs and a table for who waits."""
    studio.clear()
    shell.room(6.6, 5.2, 2.9, (Opening(-2.6, -0.6, 0.12, 2.5), Opening(0.5, 3.6, 0.12, 2.5)))
    shell.slats(-1.9, 2.5, 5.2, 2.9)
    shell.curtain((-3.16, 0.62, 0), 0.7, 2.62)
    shell.curtain((-3.16, 3.95, 0), 0.9, 2.62)
    shell.rail(-3.16, -0.2, 4.6, 2.63)
    furniture.reception_desk((0.55, 3.7, 0), 3.3)
    for x in (-0.45, 0.5, 1.45):
        furniture.pendant((x, 3.65, 1.85), 2.9)
    furniture.plant((-2.6, 4.65, 0), 1.75)
    furniture.armchair((-1.55, 1.75, 0), 28)
    furniture.armchair((-2.35, 2.6, 0), 62, of.linen(of.TEAL))
    furniture.coffee_table((-1.3, 2.65, 0))
    furniture.cup((-1.4, 2.6, 0.40), 40)
    furniture.books((-1.2, 2.72, 0.40), 20)
    furniture.plant((1.95, 3.7, 1.05), 1.0, seed=8, stems=6).scale = (0.48, 0.48, 0.48)
    fitted.tooth_sign((-0.47, 5.13, 1.78), 0.6, 0.016, of.lacquer())
    light.daylight(sun=9)
    light.soft((-3.6, 2.0, 1.4), (0, 2.4, 0.9), (3.0, 2.3), 110)
    light.soft((0.5, -3.0, 2.6), (0, 3, 1.0), (5.0, 2.4), 95)
    light.level((1.5, -0.75, 1.35), (-0.4, 3.7), lens=25, rise=-0.02)


def treatment_room() -> None:
    """The chair with its lamp in the middle of a plain bright room; cupboards and a screen on the back wall."""
    studio.clear()
    shell.room(5.4, 4.4, 2.8, (Opening(-0.4, 3.3, 0.85, 2.4),))
    fitted.base_units((-1.3, 4.4, 0), 6)
    fitted.washbasin((1.55, 4.08, 0.90))
    fitted.wall_units((0.5, 4.4, 1.5), 3)
    furniture.frame((-1.4, 4.4, 1.2), (0.6, 0.8))
    fitted.bottles((0.62, 4.2, 0.90))
    fitted.ceiling_panel((0.0, 2.2, 2.79), (1.8, 0.5))
    dental.dental_unit((0.15, 2.3, 0), 28)
    dental.stool((-1.0, 1.62, 0), 200)
    furniture.plant((-2.2, 3.9, 0), 1.5, seed=5)
    light.daylight(sun=9)
    light.soft((-2.9, 1.4, 1.6), (0, 2.2, 0.9), (3.4, 1.6), 90)
    light.soft((0.5, -2.6, 2.5), (0, 3, 0.8), (4.5, 2.2), 90)
    light.level((1.1, -0.6, 1.4), (-0.05, 2.4), lens=28, rise=-0.09)


def scanner() -> None:
    """The 3D scanner alone before a quiet wall; a window to the control room, a screen with the last picture."""
    studio.clear()
    shell.room(5.0, 3.9, 2.8, (Opening(-0.6, 2.4, 0.85, 2.35),))
    fitted.niche_arch((0.15, 3.9, 0.0), 1.9, 2.4, "#BFD8D4")
    fitted.door((1.78, 3.9, 0), 0.85)
    machines.scanner((0.15, 3.25, 0), -16)
    fitted.base_units((-2.48, 3.9, 0), 2, deep=0.45)
    fitted.screen((-1.85, 3.9, 1.30), 0.72)
    fitted.bottles((-2.2, 3.72, 0.90))
    fitted.round_light((0.15, 2.2, 2.8))
    furniture.plant((-1.95, 1.9, 0), 1.3, seed=12)
    light.daylight(sun=9)
    light.soft((-2.7, 0.9, 1.6), (0, 2.2, 0.9), (3.0, 1.5), 90)
    light.soft((0.5, -2.6, 2.5), (0, 3, 0.8), (4.5, 2.2), 80)
    light.level((0.65, -0.35, 1.4), (0.0, 3.4), lens=28, rise=-0.055)


def laboratory() -> None:
    """The technician's oak bench with the milling machine; shelves of casts above, daylight from the left."""
    studio.clear()
    shell.room(4.8, 3.4, 2.8, (Opening(-0.2, 2.5, 0.95, 2.4),), back="#BCD5D0")
    fitted.base_units((-2.38, 3.4, 0), 7, deep=0.66)
    _bench()
    for height in (1.52, 1.93):
        fitted.shelf((-0.85, 3.4, height), 1.9)
    for number in range(7):
        workbench.cast((-1.62 + 0.2 * number, 3.28, 1.548), 10 * (-1) ** number)
    fitted.bottles((-1.62, 3.28, 1.958), ("#F4F1EA", of.TEAL, "#E7D9BC", "#F4F1EA"))
    workbench.boxes((-0.75, 3.29, 1.958), 3)
    dental.stool((-0.5, 2.36, 0), 160, 0.62)
    fitted.ceiling_panel((0.2, 1.9, 2.79), (2.2, 0.4))
    light.daylight(sun=9)
    light.soft((-2.6, 1.2, 1.7), (0, 2.2, 0.9), (2.7, 1.4), 90)
    light.soft((0.5, -2.6, 2.5), (0, 3, 0.8), (4.5, 2.2), 80)
    light.level((0.6, -0.25, 1.45), (-0.15, 3.0), lens=29, rise=-0.12)


def _bench() -> None:
    machines.milling_machine((0.5, 3.06, 0.90))
    machines.furnace((1.28, 3.12, 0.90))
    workbench.articulator((-0.42, 2.96, 0.90), 15)
    workbench.bench_lamp((-1.5, 3.12, 0.90), -8)
    workbench.tray((-1.0, 2.92, 0.90), 8)
    workbench.blanks((0.0, 2.98, 0.90), 5)
    workbench.tools((-0.15, 3.2, 0.90))


PICTURES = (
    Picture("reception", "clinic", 1200, 800, 64, reception),
    Picture("treatment-room", "clinic", 1200, 800, 64, treatment_room),
    Picture("scanner", "clinic", 1200, 800, 64, scanner),
    Picture("laboratory", "clinic", 1200, 800, 64, laboratory),
)
