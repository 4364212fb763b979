"""What people leave about: a suitcase, a coat over a chair, and the treatment plan with a pen on it."""

import math

from tools.pictures.mesh import solid
from tools.pictures.rooms import finishes as of
from tools.pictures.rooms.solids import Point, ball, box, cylinder, place, tube


def suitcase(at: Point, turn: float = 0.0, tone: str = of.INK) -> None:
    """A ribbed cabin suitcase on four wheels with its handle drawn out; its broad side looks to -y."""
    shell, ink, steel = of.lacquer(tone), of.lacquer(of.INK), of.steel()
    parts = [
        box((0.40, 0.118, 0.52), (0, -0.062, 0.055), shell, bevel=0.055),
        box((0.40, 0.118, 0.52), (0, 0.062, 0.055), shell, bevel=0.055),
        box((0.385, 0.012, 0.50), (0, 0, 0.065), ink, bevel=0.004),
        box((0.15, 0.03, 0.022), (0, 0, 0.575), ink, bevel=0.01),
        box((0.19, 0.03, 0.028), (0, 0.06, 0.93), ink, bevel=0.012),
        box((0.05, 0.008, 0.018), (0, -0.124, 0.50), of.brass(), bevel=0.003),
    ]
    for number in range(7):
        x = -0.138 + 0.046 * number
        parts += [box((0.018, 0.012, 0.36), (x, y, 0.115), shell, bevel=0.0055) for y in (-0.121, 0.121)]
    for side in (-1, 1):
        parts.append(tube([(side * 0.075, 0.06, 0.5), (side * 0.075, 0.06, 0.95)], 0.008, steel, bent=False))
        for y in (-0.075, 0.075):
            wheel = cylinder(0.027, 0.022, (side * 0.15 - 0.011, y, 0.027), ink)
            wheel.rotation_euler.y = math.radians(90)
            parts += [wheel, box((0.05, 0.04, 0.03), (side * 0.15, y, 0.035), ink, bevel=0.008)]
    place(parts, at, turn)


def coat(at: Point, turn: float = 0.0, tone: str = "#98795A") -> None:
    """A wool coat thrown over the right side of an armchair's back; `at` and `turn` are the chair's."""
    wool, points, rows, columns = of.linen(tone), [], 30, 48
    for row in range(rows + 1):
        # The way from inside the back over its crest, a half circle of `over`, and down outside (metres).
        way, over = -0.28 + 0.78 * row / rows, 0.058
        for column in range(columns + 1):
            share = column / columns
            angle = math.radians(84 + 100 * share + 5 * math.sin(5 * way))
            crest = 0.30 + 0.78 * (0.40 + 0.26 * math.sin(math.pi * (math.degrees(angle) + 28) / 236) ** 1.5)
            bend = max(-math.pi / 2, min(math.pi / 2, way / over))
            hanging = max(0.0, abs(way) - over * math.pi / 2) * (1.06 + 0.14 * math.sin(7 * share + 1))
            fold = math.sin(16 * share + 3 * way) * (0.008 + 0.07 * max(0.0, way)) + 0.10 * max(0.0, way) ** 2
            reach = 0.375 + over * math.sin(bend) + fold
            points.append(
                (
                    reach * math.cos(angle),
                    0.02 + 0.95 * reach * math.sin(angle),
                    crest + over * math.cos(bend) - 0.03 - hanging,
                )
            )
    faces = [
        (a, a + 1, a + columns + 2, a + columns + 1)
        for a in (row * (columns + 1) + column for row in range(rows) for column in range(columns))
    ]
    cloth = solid("Coat", points, faces, wool)
    thick = cloth.modifiers.new("Thickness", "SOLIDIFY")
    thick.thickness, thick.offset = 0.014, 0.0
    sleeve = tube([(-0.33, 0.26, 0.80), (-0.45, 0.25, 0.70), (-0.49, 0.22, 0.50), (-0.47, 0.18, 0.26)], 0.055, wool)
    place([cloth, sleeve], at, turn)


def open_plan(at: Point, turn: float = 0.0) -> None:
    """The open folder: a drawn arch of teeth on the left sheet, lines and a sum on the right one."""
    teal, paper, ink = of.linen("#0C5F63"), of.plaster("#FDFBF6"), of.lacquer("#5B6C78")
    parts = [box((0.47, 0.315, 0.003), (0, 0, 0), teal, bevel=0.001)]
    parts += [box((0.212, 0.296, 0.003), (x, 0, 0.003), paper, bevel=0.0006) for x in (-0.114, 0.114)]
    for number in range(13):
        share = number / 6 - 1
        place_ = (-0.114 + 0.062 * math.sin(1.45 * share), 0.055 - 0.12 * math.cos(1.45 * share), 0.0062)
        parts.append(ball(0.0085, place_, ink, squash=(1, 1, 0.06)))
    for row, wide in enumerate((0.12, 0.15, 0.14, 0.15, 0.10)):
        parts.append(box((wide, 0.006, 0.0003), (0.03 + wide / 2, 0.10 - 0.032 * row, 0.006), ink, bevel=0.0001))
    parts.append(box((0.07, 0.013, 0.0003), (0.165, -0.105, 0.006), of.lacquer(of.TEAL), bevel=0.0001))
    for size, x, tone in ((0.13, 0.0, of.lacquer(of.INK)), (0.012, 0.07, of.brass()), (0.01, -0.07, of.brass())):
        part = box((size, 0.01, 0.01), (0.1 + 0.8 * x, -0.05 + 0.6 * x, 0.006), tone, bevel=0.004)
        part.rotation_euler.z = math.atan2(0.6, 0.8)
        parts.append(part)
    place(parts, at, turn)
