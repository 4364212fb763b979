"""What stands on the technician's bench: plaster casts, articulator, zirconia blanks, bench lamp, hand tools."""

import math

from tools.pictures.rooms import finishes as of
from tools.pictures.rooms.solids import Point, ball, box, cylinder, place, tube, turned


def cast(at: Point, turn: float = 0.0, *, tone: str = "#EADFC6", flip: bool = False) -> object:
    """A plaster cast of one jaw: a horseshoe base with a row of crowns; `flip` hangs it teeth down."""
    plaster, parts = of.plaster(tone), []
    parts.append(box((0.062, 0.045, 0.018), (0, 0.012, 0), plaster, bevel=0.008))
    for number in range(15):
        angle = math.radians(200 + 140 * number / 14) if number else math.radians(200)
        x, y = 0.031 * math.cos(angle), 0.048 * math.sin(angle) + 0.022
        parts.append(cylinder(0.0085, 0.026, (x, y, 0), plaster))
        size = 0.0062 if 4 < number < 10 else 0.0075
        parts.append(ball(size, (x, y, 0.029), plaster, squash=(0.85, 0.85, 1.1)))
    holder = place(parts, at, turn)
    holder.scale = (1.25, 1.25, 1.25)
    if flip:
        holder.rotation_euler.y = math.pi
    return holder


def articulator(at: Point, turn: float = 0.0) -> None:
    """Two casts held in bite: lower plate, two posts at the back, upper bow."""
    steel = of.steel()
    parts = [
        box((0.10, 0.13, 0.012), (0, 0.02, 0), of.lacquer(of.INK), bevel=0.004),
        box((0.09, 0.11, 0.010), (0, 0.025, 0.135), steel, bevel=0.003),
        cast((0, -0.005, 0.030)),
        cast((0, -0.005, 0.121), flip=True),
        cylinder(0.016, 0.02, (0, 0.01, 0.012), steel),
        cylinder(0.016, 0.02, (0, 0.01, 0.116), steel),
        cylinder(0.005, 0.14, (0, -0.055, 0.01), steel),
    ]
    parts += [cylinder(0.008, 0.13, (x, 0.075, 0.01), steel) for x in (-0.04, 0.04)]
    place(parts, at, turn)


def blanks(at: Point, count: int = 4) -> None:
    """A pile of zirconia discs, each with its dark rim."""
    place(
        [
            part
            for i in range(count)
            for part in (
                cylinder(0.049, 0.018, (0.002 * (-1) ** i, 0, 0.021 * i), of.ceramic()),
                cylinder(0.0494, 0.004, (0.002 * (-1) ** i, 0, 0.021 * i + 0.007), of.lacquer("#BFC6C9")),
            )
        ],
        at,
    )


def bench_lamp(at: Point, turn: float = 0.0) -> None:
    """A lamp with two arms and a long shade that lights the middle of the bench; it reaches to +x."""
    brass, ink = of.brass(), of.lacquer(of.TEAL)
    shade = place(
        [
            box((0.34, 0.085, 0.035), (0, 0, 0), ink, bevel=0.014),
            box((0.30, 0.055, 0.004), (0, 0, -0.003), of.glow("#FFF3DD", 8.0), bevel=0.001),
        ],
        (0.30, 0, 0.46),
        0,
    )
    shade.rotation_euler.x = math.radians(-12)
    parts = [
        turned([(0, 0), (0.085, 0), (0.085, 0.012), (0.02, 0.022), (0, 0.022)], (0, 0, 0), ink),
        tube([(0, 0, 0.02), (-0.10, 0, 0.34)], 0.008, brass, bent=False),
        tube([(-0.10, 0, 0.34), (0.26, 0, 0.50)], 0.008, brass, bent=False),
        ball(0.015, (-0.10, 0, 0.34), brass),
        shade,
    ]
    place(parts, at, turn)


def tools(at: Point) -> None:
    """Brushes and a spatula in a beaker."""
    parts = [
        turned(
            [(0, 0), (0.032, 0), (0.034, 0.09), (0.031, 0.09), (0.029, 0.006), (0, 0.006)], (0, 0, 0), of.ceramic()
        )
    ]
    for number in range(5):
        angle = math.tau * number / 5
        x, y = 0.016 * math.cos(angle), 0.016 * math.sin(angle)
        wood = of.oak("z") if number % 2 else of.lacquer(of.INK)
        parts.append(
            tube([(x * 0.4, y * 0.4, 0.01), (x * 2.0, y * 2.0, 0.19 + 0.01 * number)], 0.0034, wood, bent=False)
        )
    place(parts, at)


def tray(at: Point, turn: float = 0.0) -> None:
    """A shallow tray with four finished crowns on a dark cloth."""
    parts = [
        box((0.24, 0.16, 0.010), (0, 0, 0), of.steel(), bevel=0.004),
        box((0.21, 0.13, 0.004), (0, 0, 0.009), of.linen(of.TEAL), bevel=0.001),
    ]
    for number in range(4):
        x = -0.066 + 0.044 * number
        parts.append(cylinder(0.0058, 0.008, (x, 0, 0.013), of.ceramic()))
        parts.append(ball(0.0068, (x, 0, 0.022), of.ceramic(), squash=(1, 0.95, 0.8)))
    place(parts, at, turn)


def boxes(at: Point, count: int = 3) -> None:
    """Storage boxes with a brass label holder, side by side along x."""
    tones, parts = ("#E9E3D7", "#CFE0DC", "#F4F1EA"), []
    for number in range(count):
        x = 0.235 * number
        parts.append(box((0.22, 0.17, 0.15), (x, 0, 0), of.linen(tones[number % 3]), bevel=0.006))
        parts.append(box((0.07, 0.004, 0.035), (x, -0.086, 0.06), of.brass(), bevel=0.002))
    place(parts, at)
