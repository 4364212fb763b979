"""The clinic's machines: the 3D scanner that turns round a standing head, the milling machine, a small furnace."""

import math

from tools.pictures.rooms import finishes as of
from tools.pictures.rooms.solids import Flat, Point, box, cushion, cylinder, place, slab, tube, turned


def _outline(left: float, right: float, low: float, high: float, radius: float) -> list[Flat]:
    """A rectangle in x and z with round corners, anticlockwise seen from -y."""
    corners = (
        (right - radius, low + radius, -90),
        (right - radius, high - radius, 0),
        (left + radius, high - radius, 90),
        (left + radius, low + radius, 180),
    )
    return [
        (x + radius * math.cos(math.radians(start + 15 * i)), z + radius * math.sin(math.radians(start + 15 * i)))
        for x, z, start in corners
        for i in range(7)
    ]


def scanner(at: Point, turn: float) -> None:
    """A panoramic and cone-beam scanner: column, overhead arm, the C with tube and detector, head support.

    The column stands at the origin, the patient before it at -y, facing the column.
    """
    white, grey, teal = of.lacquer(), of.lacquer("#D6DADB"), of.lacquer(of.TEAL)
    parts = [
        slab(_outline(-0.28, 0.28, 0, 0.03, 0.012), 0.50, (0, -0.10, 0), grey, bevel=0.006),
        box((0.26, 0.20, 2.22), (0, 0, 0.03), white, bevel=0.06),
        box((0.05, 0.01, 1.9), (0, -0.101, 0.2), grey, bevel=0.003),
        box((0.30, 0.24, 0.62), (0, -0.03, 1.38), white, bevel=0.06),
        box((0.302, 0.012, 0.012), (0, -0.148, 1.46), of.brass(), bevel=0.003),
        box((0.22, 0.66, 0.16), (0, -0.42, 1.84), white, bevel=0.06),
        cylinder(0.17, 0.06, (0, -0.62, 1.785), teal),
        *_support(),
    ]
    ring = place(_arm(), (0, -0.62, 0), 24)
    place([*parts, ring], at, turn)


def _arm() -> list[object]:
    """What turns round the head: a bridge from which tube and detector hang opposite each other."""
    white, grey, dark = of.lacquer(), of.lacquer("#D6DADB"), of.dark_glass()
    return [
        slab(_outline(-0.62, 0.59, 1.655, 1.80, 0.07), 0.25, (0, 0, 0), white, bevel=0.05),
        slab(_outline(-0.60, -0.34, 1.18, 1.75, 0.09), 0.215, (0, 0, 0), white, bevel=0.05),
        slab(_outline(0.40, 0.57, 1.16, 1.75, 0.07), 0.215, (0, 0, 0), white, bevel=0.045),
        box((0.014, 0.20, 0.26), (0.397, 0, 1.24), dark, bevel=0.005),
        box((0.014, 0.06, 0.16), (-0.336, 0, 1.30), grey, bevel=0.005),
        box((0.18, 0.006, 0.022), (-0.47, -0.1085, 1.30), of.glow("#5CC4BE", 2.0), bevel=0.002),
    ]


def _support() -> list[object]:
    """Chin rest, temple rods and hand grips on a shelf that comes from the carriage."""
    white, steel, teal = of.lacquer(), of.steel(), of.lacquer(of.TEAL)
    parts = [
        box((0.12, 0.46, 0.07), (0, -0.34, 1.05), white, bevel=0.03),
        box((0.16, 0.10, 0.42), (0, -0.10, 1.02), white, bevel=0.04),
        cylinder(0.016, 0.10, (0, -0.53, 1.10), steel),
        cushion((0.10, 0.075, 0.035), (0, -0.545, 1.19), of.upholstery()),
        box((0.34, 0.05, 0.05), (0, -0.46, 1.06), white, bevel=0.02),
        box((0.20, 0.012, 0.13), (0.0, -0.155, 1.52), of.dark_glass(), bevel=0.004),
    ]
    for side in (-1, 1):
        rod = [(side * 0.05, -0.48, 1.11), (side * 0.10, -0.50, 1.22), (side * 0.085, -0.56, 1.40)]
        parts.append(tube(rod, 0.007, steel))
        parts.append(cylinder(0.018, 0.02, (side * 0.085, -0.56, 1.39), white))
        grip = [(side * 0.15, -0.46, 1.085), (side * 0.19, -0.47, 1.08), (side * 0.19, -0.48, 0.86)]
        parts.append(tube(grip, 0.015, teal))
    return parts


def milling_machine(at: Point, turn: float = 0.0) -> None:
    """A bench milling machine: white round-edged case, a wide window, a zirconia disc in its ring, a spindle."""
    white, grey, dark = of.lacquer(), of.lacquer("#C9CFD2"), of.lacquer("#22303A")
    wide, deep, high = 0.66, 0.62, 0.76
    parts = [
        box((wide - 0.06, deep - 0.06, 0.03), (0, 0, 0), of.lacquer(of.INK), bevel=0.006),
        box((wide - 0.02, 0.06, high - 0.02), (0, deep / 2 - 0.036, 0.04), white, bevel=0.025),
        box((wide, deep, 0.15), (0, 0, 0.03), white, bevel=0.03),
        box((wide, deep, 0.14), (0, 0, high - 0.11), white, bevel=0.035),
        box((0.09, deep - 0.012, high - 0.02), (-wide / 2 + 0.049, 0, 0.04), white, bevel=0.03),
        box((0.17, deep - 0.012, high - 0.02), (wide / 2 - 0.089, 0, 0.04), white, bevel=0.03),
        box((wide - 0.2, 0.01, 0.52), (0, 0.20, 0.15), dark, bevel=0.002),
        box((wide - 0.26, deep - 0.2, 0.01), (-0.04, 0.0, 0.178), grey, bevel=0.003),
        box((wide - 0.3, 0.10, 0.008), (-0.04, 0.0, high - 0.122), of.glow("#F1FAFF", 9.0), bevel=0.002),
        box((wide - 0.25, 0.012, 0.475), (-0.04, -deep / 2 + 0.02, 0.175), of.pane(), bevel=0.004),
        box((0.34, 0.02, 0.018), (-0.04, -deep / 2 - 0.012, 0.165), of.brass(), bevel=0.006),
        box((0.11, 0.012, 0.17), (wide / 2 - 0.085, -deep / 2 + 0.002, 0.45), of.dark_glass(), bevel=0.005),
        box(
            (0.09, 0.004, 0.012), (wide / 2 - 0.085, -deep / 2 + 0.004, 0.38), of.glow("#5CC4BE", 3.0), bevel=0.002
        ),
        *_spindle(),
    ]
    place(parts, at, turn)


def _spindle() -> list[object]:
    steel = of.steel()
    ring = [(0.125, 0), (0.15, 0), (0.15, 0.03), (0.125, 0.03), (0.125, 0)]
    blank = [(0, 0.004), (0.122, 0.004), (0.122, 0.026), (0, 0.026)]
    disc = place(
        [turned(ring, (0, 0, 0), of.lacquer("#3A4852")), turned(blank, (0, 0, 0), of.ceramic())], (-0.04, 0, 0.36)
    )
    disc.rotation_euler = (math.radians(62), 0, math.radians(-14))
    return [
        disc,
        box((0.14, 0.07, 0.09), (-0.20, 0.04, 0.33), of.lacquer("#C9CFD2"), bevel=0.01),
        cylinder(0.045, 0.14, (0.02, 0.0, 0.52), of.lacquer("#C9CFD2")),
        cylinder(0.022, 0.06, (0.02, 0.0, 0.47), steel),
        cylinder(0.004, 0.05, (0.02, 0.0, 0.425), steel),
    ]


def furnace(at: Point) -> None:
    """A small sintering furnace: a round-shouldered case with a square door and a dial."""
    parts = [
        box((0.36, 0.36, 0.46), (0, 0, 0.02), of.lacquer(), bevel=0.05),
        box((0.24, 0.02, 0.20), (-0.02, -0.183, 0.20), of.lacquer("#D6DADB"), bevel=0.02),
        box((0.14, 0.012, 0.05), (-0.04, -0.182, 0.09), of.dark_glass(), bevel=0.004),
        box((0.016, 0.02, 0.12), (0.075, -0.20, 0.24), of.brass(), bevel=0.006),
    ]
    place(parts, at)
