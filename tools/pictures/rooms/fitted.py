"""What is built in along a wall: cupboards with worktop, drawers, washbasin, shelves, a screen, a ceiling light."""

import math

import bpy

from tools.pictures.rooms import finishes as of
from tools.pictures.rooms.solids import Point, ball, box, cylinder, place, slab, tube, turned


def base_units(at: Point, count: int, *, wide: float = 0.6, deep: float = 0.56, turn: float = 0.0) -> None:
    """A row of white cupboards under an oak worktop 0.90 m high; `at` is its left rear corner on the floor."""
    white, parts = of.lacquer(), []
    length = count * wide
    parts.append(
        box((length, deep - 0.06, 0.10), (length / 2, -deep / 2 + 0.03, 0), of.lacquer("#CFC9BE"), bevel=0.003)
    )
    parts.append(box((length, deep - 0.02, 0.76), (length / 2, -deep / 2 + 0.01, 0.10), white, bevel=0.004))
    parts.append(
        box((length + 0.04, deep + 0.03, 0.04), (length / 2, -deep / 2 - 0.005, 0.86), of.oak("x"), bevel=0.006)
    )
    for number in range(count):
        middle = wide * (number + 0.5)
        rows = ((0.105, 0.745),) if number % 2 else ((0.105, 0.36), (0.475, 0.185), (0.67, 0.18))
        for low, high in rows:
            parts.append(box((wide - 0.008, 0.022, high), (middle, -deep + 0.005, low), white, bevel=0.004))
            parts.append(
                box((0.16, 0.012, 0.008), (middle, -deep - 0.014, low + high - 0.045), of.brass(), bevel=0.003)
            )
    place(parts, at, turn)


def wall_units(at: Point, count: int, *, wide: float = 0.6, high: float = 0.7) -> None:
    """A row of plain white cupboards on the back wall; `at` is the lower left corner at the wall."""
    parts = [box((count * wide, 0.30, high), (count * wide / 2, -0.15, 0), of.lacquer(), bevel=0.004)]
    front = (wide - 0.008, 0.020, high - 0.008)
    middles = [wide * (number + 0.5) for number in range(count)]
    parts += [box(front, (x, -0.305, 0.004), of.lacquer(), bevel=0.004) for x in middles]
    parts.append(
        box(
            (count * wide - 0.04, 0.02, 0.008),
            (count * wide / 2, -0.16, -0.007),
            of.glow("#FFF1DC", 5.0),
            bevel=0.001,
        )
    )
    place(parts, at)


def washbasin(at: Point) -> None:
    """A round basin that stands on the worktop with a tall tap behind it."""
    bowl = [(0, 0), (0.13, 0), (0.19, 0.06), (0.20, 0.12), (0.19, 0.12), (0.175, 0.06), (0.11, 0.02), (0, 0.02)]
    tap = [(0, 0.24, 0), (0, 0.24, 0.26), (0, 0.17, 0.31), (0, 0.10, 0.27)]
    place([turned(bowl, (0, 0, 0), of.ceramic()), tube(tap, 0.011, of.brass())], at)


def shelf(at: Point, length: float, deep: float = 0.22) -> None:
    """An oak board on the back wall, on two small brass brackets; `at` is its middle at the wall."""
    parts = [box((length, deep, 0.028), (0, -deep / 2, 0), of.oak("x"), bevel=0.004)]
    arm, ends = (0.012, deep * 0.8, 0.012), (-0.38 * length, 0.38 * length)
    parts += [box(arm, (x, -deep * 0.4, -0.012), of.brass(), bevel=0.002) for x in ends]
    place(parts, at)


def bottles(at: Point, tones: tuple[str, ...] = ("#F4F1EA", of.TEAL, "#E7D9BC")) -> None:
    """A few plain bottles and jars in a row along x."""
    parts: list[bpy.types.Object] = []
    for number, tone in enumerate(tones):
        high = 0.17 - 0.03 * (number % 3)
        profile = [
            (0, 0),
            (0.032, 0),
            (0.035, 0.004),
            (0.035, high * 0.72),
            (0.014, high * 0.84),
            (0.014, high),
            (0, high),
        ]
        parts.append(turned(profile, (0.10 * number, 0, 0), of.lacquer(tone)))
    place(parts, at)


def screen(at: Point, wide: float = 0.62, *, picture: bool = True) -> None:
    """A flat screen on the back wall; lit, it shows the curve of two rows of teeth as a panoramic X-ray does."""
    high = wide * 0.58
    parts = [
        box((wide, 0.035, high), (0, -0.03, 0), of.lacquer("#1B2730"), bevel=0.008),
        box(
            (wide - 0.03, 0.004, high - 0.03),
            (0, -0.049, 0.015),
            of.glow("#15242E", 0.7) if picture else of.dark_glass(),
            bevel=0.002,
        ),
    ]
    if picture:
        parts += _panorama(wide, high)
    place(parts, at)


def _panorama(wide: float, high: float) -> list[bpy.types.Object]:
    """Both rows of teeth with their roots, and the jaw's lower edge, as greys on the dark screen."""
    made: list[bpy.types.Object] = []
    crown, root, bone = of.glow("#C9D8DD", 0.75), of.glow("#6F8B96", 0.5), of.glow("#2C434F", 0.5)
    half = (0.6, 0.62, 0.72, 0.75, 0.8, 1.15, 1.15)
    total, along = sum(half), 0.0
    for width in half:
        share = (along + width / 2) / total
        along += width
        radius = wide * 0.38 * width / total / 2
        for x in (-share * wide * 0.38, share * wide * 0.38):
            for sign in (-1, 1):
                z = high * (0.47 + 0.07 * share**2 + sign * 0.062)
                reach = z + sign * 0.075 * high
                made.append(ball(radius, (x, -0.052, z), crown, squash=(0.94, 0.04, 0.058 * high / radius)))
                made.append(ball(radius * 0.72, (x, -0.0512, reach), root, squash=(1, 0.03, 0.105 * high / radius)))
    edge = [(i / 12 * wide * 0.43, -0.0505, high * (0.17 + 0.5 * abs(i / 12) ** 3)) for i in range(-12, 13)]
    made.append(tube(edge, 0.011, bone, bent=False))
    return made


def ceiling_panel(at: Point, size: tuple[float, float], strength: float = 4.0) -> None:
    """A flat lit panel in the ceiling; `at` is the middle of its underside."""
    wide, deep = size
    place(
        [
            box((wide + 0.05, deep + 0.05, 0.04), (0, 0, 0), of.lacquer(), bevel=0.004),
            box((wide, deep, 0.006), (0, 0, -0.003), of.glow("#FFF6EA", strength), bevel=0.001),
        ],
        at,
    )


def round_light(at: Point, radius: float = 0.42, strength: float = 5.0) -> None:
    """A round flat light on the ceiling."""
    place(
        [
            cylinder(radius, 0.06, (0, 0, -0.06), of.lacquer()),
            cylinder(radius - 0.02, 0.004, (0, 0, -0.063), of.glow("#FFF6EA", strength)),
        ],
        at,
    )


def door(at: Point, wide: float = 0.95, high: float = 2.1) -> None:
    """A plain white door with a slim frame in the back wall; `at` is the middle of its threshold."""
    white = of.lacquer("#EFECE4")
    parts = [box((wide, 0.03, high), (0, -0.005, 0.005), white, bevel=0.004)]
    post, aside = (0.06, 0.05, high + 0.02), wide / 2 + 0.03
    parts += [box(post, (x, -0.01, 0), of.lacquer(), bevel=0.005) for x in (-aside, aside)]
    parts.append(box((wide + 0.13, 0.056, 0.06), (0, -0.01, high + 0.008), of.lacquer(), bevel=0.005))
    lever = [(wide / 2 - 0.08, -0.02, 1.02), (wide / 2 - 0.08, -0.07, 1.02), (wide / 2 - 0.20, -0.07, 1.02)]
    parts.append(tube(lever, 0.009, of.brass(), bent=False))
    place(parts, at)


def niche_arch(at: Point, wide: float, high: float, tone: str) -> None:
    """A painted arch on the back wall: colour that frames what stands before it."""
    radius = wide / 2
    bow = [
        (radius * math.cos(math.pi * i / 40), high - radius + radius * math.sin(math.pi * i / 40))
        for i in range(41)
    ]
    slab([(-radius, 0.0), (radius, 0.0), *bow], 0.006, (at[0], at[1] - 0.004, at[2]), of.plaster(tone), bevel=0.001)


def tooth_sign(
    at: Point, high: float = 0.5, line: float = 0.011, tone: bpy.types.Material | None = None
) -> bpy.types.Object:
    """A molar drawn as one line, brass without a `tone`, held a little off the wall; `at` is its middle."""
    half = (
        (0.0, 0.40),
        (0.13, 0.47),
        (0.29, 0.46),
        (0.39, 0.30),
        (0.36, 0.08),
        (0.29, -0.10),
        (0.27, -0.34),
        (0.20, -0.49),
        (0.11, -0.40),
        (0.08, -0.18),
        (0.0, -0.10),
    )
    path = [*half, *((-x, z) for x, z in reversed(half[1:-1])), half[0]]
    return place([tube([(x * high, 0, z * high) for x, z in path], line, tone or of.brass())], at)
