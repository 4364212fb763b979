"""The treatment place: chair with backrest and legs, delivery arm with instruments, water unit, lamp, stools.

The patient lies along x with the head at -x; the dentist sits at -x, -y. Built round the chair's pedestal.
"""

import math

import bpy

from tools.pictures.rooms import finishes as of
from tools.pictures.rooms.solids import Point, ball, box, cushion, cylinder, place, slab, tube, turned


def dental_unit(at: Point, turn: float) -> None:
    """Everything that is fixed to the floor at the treatment place."""
    place([*_chair(), *_pillar(), *_lamp(), *_delivery()], at, turn)


def _chair() -> list[bpy.types.Object]:
    soft, white, steel = of.upholstery(), of.lacquer(), of.steel()
    foot = slab(_rounded_plate(0.98, 0.045), 0.54, (0.02, 0, 0), white, bevel=0.02)
    column = [(-0.20, 0.03), (0.26, 0.03), (0.17, 0.20), (0.20, 0.40), (-0.22, 0.40), (-0.12, 0.20)]
    parts = [
        foot,
        slab(column, 0.26, (0, 0, 0), white, bevel=0.05),
        slab([(-0.30, 0.385), (0.36, 0.385), (0.40, 0.46), (-0.34, 0.46)], 0.42, (0, 0, 0), white, bevel=0.025),
        cushion((0.62, 0.54, 0.12), (0.04, 0, 0.455), soft, taper=0.94, turn=(0, -3, 0)),
        cushion((0.74, 0.50, 0.10), (0.70, 0, 0.445), soft, taper=0.78, turn=(0, 7, 0)),
        slab([(0.36, 0.40), (1.02, 0.345), (1.04, 0.39), (0.36, 0.46)], 0.34, (0, 0, 0), white, bevel=0.015),
        cushion((0.80, 0.46, 0.105), (-0.545, 0, 0.675), soft, taper=1.16, turn=(0, 34, 0)),
        slab([(-0.86, 0.845), (-0.24, 0.425), (-0.20, 0.475), (-0.83, 0.905)], 0.36, (0, 0, 0), white, bevel=0.018),
        cushion((0.30, 0.26, 0.085), (-0.965, 0, 0.94), soft, taper=1.1, turn=(0, 27, 0)),
    ]
    parts += [tube([(-0.80, y, 0.86), (-0.98, y, 0.965)], 0.009, steel, bent=False) for y in (-0.04, 0.04)]
    for side in (-1, 1):
        y = side * 0.325
        bar = [(-0.28, y * 0.8, 0.46), (-0.30, y, 0.60), (-0.20, y, 0.69), (0.10, y, 0.69)]
        parts.append(tube(bar, 0.014, steel))
        parts.append(cushion((0.36, 0.065, 0.045), (-0.02, y, 0.69), soft))
    return parts


def _rounded_plate(length: float, high: float) -> list[tuple[float, float]]:
    half = length / 2
    return [(-half, 0), (half, 0), (half - 0.02, high), (-half + 0.02, high)]


def _pillar() -> list[bpy.types.Object]:
    """The water unit beside the chair: a slim tower with a bowl and a tap; the arms turn on its post."""
    white, bowl, x, y = of.lacquer(), of.ceramic(), -0.10, 0.58
    basin = [
        (0, 0),
        (0.05, 0.0),
        (0.10, 0.03),
        (0.125, 0.075),
        (0.118, 0.078),
        (0.09, 0.035),
        (0.04, 0.012),
        (0, 0.01),
    ]
    return [
        box((0.34, 0.24, 0.80), (x, y, 0.02), white, bevel=0.05),
        box((0.28, 0.20, 0.03), (x, y, 0), of.lacquer(of.INK), bevel=0.006),
        turned(basin, (x - 0.02, y - 0.02, 0.815), bowl),
        tube(
            [(x - 0.13, y + 0.06, 0.8), (x - 0.13, y + 0.06, 0.98), (x - 0.09, y + 0.02, 1.0), (x - 0.06, y, 0.96)],
            0.008,
            of.steel(),
        ),
        box((0.20, 0.006, 0.012), (x, y - 0.121, 0.66), of.brass(), bevel=0.002),
        box((0.30, 0.18, 0.10), (0.02, 0.40, 0.33), white, bevel=0.03),
    ]


def _lamp() -> list[bpy.types.Object]:
    """The operating lamp: post, two arms with a knee, a bow and a long head that shines down at the headrest."""
    white, steel = of.lacquer(), of.steel()
    post, knee, drop = (0.02, 0.60), (-0.10, 0.42), (-0.72, 0.0)
    parts = [
        cylinder(0.024, 1.18, (*post, 0.75), steel),
        cylinder(0.042, 0.10, (*post, 1.87), white),
        tube([(*post, 1.92), (*knee, 1.96)], 0.020, white, bent=False),
        cylinder(0.036, 0.11, (*knee, 1.90), white),
        tube([(*knee, 1.96), (*drop, 2.02)], 0.018, white, bent=False),
        cylinder(0.032, 0.08, (*drop, 1.96), white),
        tube([(*drop, 1.98), (drop[0], drop[1], 1.86)], 0.013, steel, bent=False),
        tube(
            [
                (drop[0], -0.11, 1.72),
                (drop[0], -0.10, 1.81),
                (drop[0], 0.0, 1.87),
                (drop[0], 0.10, 1.81),
                (drop[0], 0.11, 1.72),
            ],
            0.012,
            white,
        ),
    ]
    head = place(_lamp_head(), (drop[0], drop[1], 1.70))
    head.scale = (1.25, 1.25, 1.25)
    head.rotation_euler = (0, math.radians(24), 0)
    return [*parts, head]


def _lamp_head() -> list[bpy.types.Object]:
    white, shine = of.lacquer(), of.glow("#FFF6E6", 9.0)
    parts = [
        box((0.22, 0.36, 0.08), (0, 0, -0.03), white, bevel=0.035),
        box((0.18, 0.31, 0.01), (0, 0, -0.034), of.lacquer("#D9DEE0"), bevel=0.004),
    ]
    parts += [
        box((0.065, 0.12, 0.006), (x, y, -0.037), shine, bevel=0.002)
        for x in (-0.035, 0.035)
        for y in (-0.06, 0.06)
    ]
    for side in (-1, 1):
        grip = [(0, side * 0.175, 0), (0, side * 0.235, 0.0), (0, side * 0.25, -0.03), (0, side * 0.25, -0.12)]
        parts.append(tube(grip, 0.012, of.lacquer(of.TEAL)))
    return parts


def _delivery() -> list[bpy.types.Object]:
    """The arm over the patient's chest with the doctor's table: handpieces in a row, hoses, a tray."""
    white = of.lacquer()
    post, knee, table = (0.02, 0.60), (0.62, 0.30), (0.38, -0.14)
    parts = [
        cylinder(0.05, 0.09, (*post, 0.86), white),
        tube([(*post, 0.91), (*knee, 0.93)], 0.028, white, bent=False),
        cylinder(0.046, 0.13, (*knee, 0.86), white),
        tube([(*knee, 0.95), (*table, 0.90)], 0.026, white, bent=False),
        cylinder(0.042, 0.10, (*table, 0.85), white),
    ]
    parts += _table(table)
    return parts


def _table(middle: tuple[float, float]) -> list[bpy.types.Object]:
    white, steel = of.lacquer(), of.steel()
    x, y = middle
    parts = [
        box((0.50, 0.30, 0.055), (x, y - 0.05, 0.93), white, bevel=0.024),
        box((0.40, 0.22, 0.008), (x, y - 0.02, 0.985), steel, bevel=0.004),
        box((0.46, 0.05, 0.03), (x, y - 0.20, 0.955), of.lacquer("#D9DEE0"), bevel=0.012),
        tube(
            [
                (x + 0.22, y - 0.19, 0.95),
                (x + 0.31, y - 0.19, 0.955),
                (x + 0.31, y + 0.07, 0.955),
                (x + 0.22, y + 0.07, 0.95),
            ],
            0.011,
            of.lacquer(of.TEAL),
        ),
    ]
    parts += [part for number in range(5) for part in _handpiece(x - 0.18 + 0.09 * number, y, 0.03 * (number % 2))]
    for along in (-0.13, -0.095, -0.06, -0.025):
        rod = [(x + along, y - 0.09, 0.998), (x + along, y + 0.06, 0.998)]
        parts.append(tube(rod, 0.0035, steel, bent=False))
    parts.append(ball(0.022, (x + 0.12, y + 0.02, 0.995), of.ceramic(), squash=(1, 1, 0.8)))
    return parts


def _handpiece(x: float, y: float, sag: float) -> list[bpy.types.Object]:
    """One instrument in its holder, its hose hanging down and back under the table; `sag` shortens the hang."""
    low = y - 0.225
    hang = [
        (x, low, 0.945),
        (x, low - 0.05, 0.80),
        (x + 0.02, low - 0.01, 0.56 + sag),
        (x + 0.01, y - 0.07, 0.72),
        (x, y - 0.06, 0.935),
    ]
    return [
        tube([(x, low, 0.985), (x, low - 0.02, 1.06), (x, low - 0.028, 1.10)], 0.009, of.steel()),
        cylinder(0.014, 0.05, (x, low, 0.945), of.lacquer()),
        tube(hang, 0.0065, of.lacquer("#9AA5AB")),
    ]


def stool(at: Point, turn: float = 0.0, height: float = 0.52, *, back: bool = True) -> None:
    """A dentist's stool: star foot on castors, gas spring, round seat, a small bent back."""
    soft, steel = of.upholstery(), of.steel()
    seat = [(0, 0), (0.15, 0), (0.185, 0.025), (0.19, 0.05), (0.17, 0.078), (0.10, 0.085), (0, 0.082)]
    parts = [
        turned(seat, (0, 0, height - 0.085), soft),
        cylinder(0.10, 0.02, (0, 0, height - 0.105), of.lacquer("#D9DEE0")),
        cylinder(0.026, height - 0.20, (0, 0, 0.10), steel),
        turned([(0, 0), (0.05, 0), (0.045, 0.05), (0.03, 0.09), (0, 0.09)], (0, 0, 0.065), steel),
    ]
    for number in range(5):
        angle = math.tau * number / 5 + 0.3
        x, y = math.cos(angle), math.sin(angle)
        parts.append(tube([(0.03 * x, 0.03 * y, 0.10), (0.26 * x, 0.26 * y, 0.065)], 0.016, steel, bent=False))
        parts.append(ball(0.028, (0.26 * x, 0.26 * y, 0.028), of.lacquer(of.INK), squash=(0.8, 0.8, 1)))
    if back:
        parts.append(
            tube([(0, 0.08, height - 0.10), (0, 0.26, height - 0.08), (0, 0.27, height + 0.22)], 0.012, steel)
        )
        pad = cushion((0.36, 0.20, 0.06), (0, 0.25, height + 0.20), soft, turn=(90, 0, 0))
        parts.append(pad)
    place(parts, at, turn)
