"""A city by the water as three hazy cut-outs behind a window: domes, slender towers, a round tower, roofs."""

import math
import random
from collections.abc import Sequence

import bpy

from tools.pictures.rooms import finishes as of
from tools.pictures.rooms.solids import Flat, Point, box, slab

HAZE = ("#A9BBC2", "#C2CFD2", "#D6DEDD")


def city(
    distance: float, horizon: float, *, seed: int = 4, haze: tuple[str, str, str] = HAZE, landmarks: str = "#B3C3C8"
) -> None:
    """Set the city behind y = `distance`, the great dome to the right.

    Args:
        distance: How far the near shore of the city is, in metres.
        horizon: The height of its waterline.
        seed: Chooses the roofs.
        haze: The tones of the three rows of roofs, the nearest first.
        landmarks: The tone of the great dome and of the round tower.
    """
    chance, before = random.Random(seed), set(bpy.context.scene.objects)
    for layer in (2, 1, 0):
        y = distance + 6.0 * layer
        base = horizon + 0.5 * layer
        tone = of.glow(haze[layer], 1.0)
        _roofs(y, base, tone, chance, rise=0.5 + 0.45 * layer)
    _mosque((9.2, distance + 5.5, horizon + 0.9), 1.25, of.glow(landmarks, 1.0))
    _mosque((-11.5, distance + 11.5, horizon + 1.7), 0.95, of.glow("#CBD5D6", 1.0))
    _round_tower((-5.2, distance + 5.5, horizon + 0.6), of.glow(landmarks, 1.0))
    box((120, 0.1, 8.0), (0, distance - 1.0, horizon - 8.0), of.glow("#CEDCDD", 1.0), bevel=0.001)
    box((240, 0.1, 90.0), (0, distance + 30, horizon - 20), of.glow("#F4F1E8", 1.9), bevel=0.001)
    for cutout in set(bpy.context.scene.objects) - before:
        cutout.visible_shadow = cutout.visible_diffuse = False


def ferry(at: Point, size: float = 1.0) -> None:
    """A ferry that sails to the left, with its wake: cut-outs on the water, `at` its waterline amidships."""
    x, y, z = at
    before = set(bpy.context.scene.objects)
    hull = [(-1.5, 0.0), (1.35, 0.0), (1.45, 0.22), (-1.75, 0.26)]
    cabin = [(-0.95, 0.22), (1.1, 0.22), (1.05, 0.5), (-0.8, 0.5)]
    bridge = [(-0.6, 0.5), (0.3, 0.5), (0.25, 0.7), (-0.5, 0.7)]
    funnel = [(0.35, 0.5), (0.6, 0.5), (0.58, 0.88), (0.38, 0.88)]
    wake = [(1.3, -0.05), (7.5, -0.16), (7.5, -0.1), (1.3, 0.03)]
    parts = (
        (hull, "#F2EFE8"), (cabin, "#FBF9F4"), (bridge, "#F4F1EA"), (funnel, "#7F8F96"), (wake, "#E6EDEC")
    )  # fmt: skip
    for number, (outline, tone) in enumerate(parts):
        scaled = [(a * size, b * size) for a, b in outline]
        slab(scaled, 0.01, (x, y + 0.02 * number, z), of.glow(tone, 1.0), bevel=0.0)
    for cutout in set(bpy.context.scene.objects) - before:
        cutout.visible_shadow = cutout.visible_diffuse = False


def _roofs(y: float, base: float, tone: object, chance: random.Random, *, rise: float) -> None:
    """One row of houses on a gentle hill: a single outline of steps."""
    line: list[Flat] = []
    x = -40.0
    while x < 40.0:
        wide = chance.uniform(0.25, 0.8)
        hill = rise * (1.0 + 0.5 * math.sin(x * 0.13 + rise * 5) + 0.25 * math.sin(x * 0.31))
        top = base + hill + chance.uniform(0.0, 0.35)
        line += [(x, top), (x + wide, top)]
        x += wide
    outline = [(-40.0, base - 3), (line[-1][0], base - 3), *reversed(line)]
    slab(outline, 0.05, (0, y, 0), tone, bevel=0.0)


def _dome(x: float, z: float, radius: float, rise: float = 1.0) -> list[Flat]:
    """The upper half of a dome with its small finial, anticlockwise."""
    bow = [
        (x + radius * math.cos(math.pi * i / 20), z + rise * radius * math.sin(math.pi * i / 20)) for i in range(21)
    ]
    top = z + rise * radius
    return [
        *bow[:10],
        (x + 0.03, top),
        (x + 0.02, top + 0.3 * radius),
        (x - 0.02, top + 0.3 * radius),
        (x - 0.03, top),
        *bow[11:],
    ]


def _mosque(at: Point, size: float, tone: object) -> None:
    """A great dome on half domes, small domes at its foot, four slender towers."""
    x, y, z = at
    parts = (
        (0, 1.25, 1.0, 0.85),
        (-0.95, 0.85, 0.62, 0.8),
        (0.95, 0.85, 0.62, 0.8),
        (-1.7, 0.45, 0.4, 0.8),
        (1.7, 0.45, 0.4, 0.8),
    )
    for along, high, radius, rise in parts:
        left, right, low = x + (along - radius) * size, x + (along + radius) * size, z - 2.5
        dome = _dome(x + along * size, z + high * size, radius * size, rise)
        slab([(left, low), (right, low), *dome], 0.05, (0, y, 0), tone, bevel=0.0)
    low, high, half = z - 2.5, z + 0.5 * size, 2.3 * size
    slab([(x - half, low), (x + half, low), (x + half, high), (x - half, high)], 0.05, (0, y, 0), tone, bevel=0.0)
    for along, tall in ((-2.6, 3.6), (-1.35, 3.9), (1.35, 3.9), (2.6, 3.6)):
        _minaret((x + along * size, y, z - 2.5), 2.5 + tall * size, 0.085 * size, tone)


def _minaret(at: Point, tall: float, half: float, tone: object) -> None:
    """A slender tower with one gallery; `half` is half its width."""
    top, gallery = tall, tall * 0.80
    neck = 0.8 * half
    right = (
        (half, 0.0),
        (half, gallery - 0.05),
        (1.9 * half, gallery),
        (1.9 * half, gallery + 0.09),
        (neck, gallery + 0.09),
        (neck, 0.9 * top),
    )
    _mirrored(at, right, top, tone)


def _round_tower(at: Point, tone: object) -> None:
    """A stout round tower under a pointed roof."""
    right = ((0.42, -2.0), (0.40, 1.9), (0.50, 1.95), (0.50, 2.1), (0.36, 2.15), (0.36, 2.5), (0.44, 2.55))
    _mirrored(at, right, 3.6, tone)


def _mirrored(at: Point, right: Sequence[Flat], top: float, tone: object) -> None:
    """Cut out a tower from its right half, from the foot up, that ends in a point at height `top`."""
    left = [(-x, z) for x, z in reversed(right)]
    slab([*right, (0.0, top), *left], 0.05, at, tone, bevel=0.0)
