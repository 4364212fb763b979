"""What a patient carries: suitcase, boarding pass, passport, the folder with the treatment plan, a pen."""

import math

import bpy

from tools.pictures.rooms import finishes as of
from tools.pictures.rooms.fitted import tooth_sign
from tools.pictures.rooms.solids import Point, ball, box, cylinder, place, tube


def suitcase(at: Point, turn: float = 0.0, tone: str = of.TEAL) -> None:
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


def boarding_pass(at: Point, turn: float = 0.0) -> bpy.types.Object:
    """A card with a coloured head, a stub beyond a row of holes, lines where words would be, and a bar code."""
    card, ink, teal = of.plaster("#FDFBF6"), of.lacquer("#4A5B68"), of.lacquer(of.TEAL)
    parts = [box((0.200, 0.084, 0.0008), (0, 0, 0), card, bevel=0.0003)]
    top = 0.0009

    def line(left: float, right: float, y: float, high: float) -> None:
        middle = ((left + right) / 2, y, top)
        parts.append(box((right - left, high, 0.0002), middle, ink, bevel=0.0001))

    parts.append(box((0.200, 0.016, 0.0002), (0, 0.034, top), teal, bevel=0.0001))
    for row, (left, right, high) in enumerate(
        ((-0.09, -0.045, 0.007), (-0.09, -0.02, 0.003), (-0.09, -0.035, 0.003))
    ):
        line(left, right, 0.014 - 0.014 * row, high)
    for row, (left, right) in enumerate(((0.0, 0.035), (0.0, 0.028), (0.0, 0.032))):
        line(left, right, 0.014 - 0.014 * row, 0.004)
    holes = [(0.046, 0.022 - 0.0046 * number, top) for number in range(14)]
    parts += [box((0.0008, 0.0022, 0.0002), hole, ink, bevel=0.0001) for hole in holes]
    for number in range(16):
        line(0.056 + 0.0024 * number, 0.0568 + 0.0024 * number + 0.0006 * (number % 3 == 0), -0.008, 0.045)
    return place(parts, at, turn)


def passport(at: Point, turn: float = 0.0) -> bpy.types.Object:
    """A small dark booklet with a round brass emblem and no country's name."""
    parts = [
        box((0.088, 0.125, 0.0055), (0, 0, 0), of.linen("#1B3A52"), bevel=0.0015),
        cylinder(0.019, 0.0004, (0, 0.012, 0.0056), of.brass()),
        cylinder(0.0155, 0.0005, (0, 0.012, 0.0057), of.linen("#1B3A52")),
        box((0.05, 0.004, 0.0004), (0, 0.045, 0.0056), of.brass(), bevel=0.0001),
        box((0.03, 0.003, 0.0004), (0, -0.035, 0.0056), of.brass(), bevel=0.0001),
    ]
    return place(parts, at, turn)


def folder(at: Point, turn: float = 0.0) -> None:
    """The treatment plan's folder: sheets between two teal covers, a tooth in brass, a band at the side."""
    teal, paper = of.linen("#0C5F63"), of.plaster("#FDFBF6")
    parts = [
        box((0.235, 0.315, 0.002), (0, 0, 0), teal, bevel=0.0008),
        box((0.212, 0.299, 0.006), (0.010, -0.006, 0.002), paper, bevel=0.0006),
        box((0.209, 0.296, 0.0008), (0.016, -0.012, 0.008), paper, bevel=0.0003, turn=(0, 0, -1.5)),
        box((0.235, 0.315, 0.002), (0, 0, 0.009), teal, bevel=0.0008),
        box((0.010, 0.317, 0.013), (-0.095, 0, 0), of.lacquer(of.INK), bevel=0.001),
    ]
    sign = tooth_sign((0.012, 0.03, 0.0118), 0.09, 0.0016)
    sign.rotation_euler.x = math.radians(-90)
    parts.append(sign)
    place(parts, at, turn)


def open_plan(at: Point, turn: float = 0.0) -> None:
    """The same folder open: a drawn arch of teeth on the left sheet, lines and a sum on the right one."""
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
    place(parts, at, turn)


def pen(at: Point, turn: float = 0.0) -> None:
    """A brass and ink ball pen that lies along x."""
    ink, brass = of.lacquer(of.INK), of.brass()
    parts = [
        tube([(-0.065, 0, 0.0055), (0.02, 0, 0.0055)], 0.0055, ink, bent=False),
        tube([(0.02, 0, 0.0055), (0.058, 0, 0.0055)], 0.0056, brass, bent=False),
        tube([(0.058, 0, 0.0055), (0.072, 0, 0.0055)], 0.0028, brass, bent=False),
        ball(0.0055, (-0.065, 0, 0.0055), brass),
        tube([(-0.06, 0, 0.0125), (-0.02, 0, 0.0125)], 0.0014, brass, bent=False),
    ]
    place(parts, at, turn)
