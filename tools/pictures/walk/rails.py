"""The rails of the walk: one shot a room, its camera level at eye height, cut hard to the next. Metres and seconds.

The camera sets off from rest at the door, keeps its pace from room to room, and comes to rest at the window.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

from tools.pictures.scenes import hero, rooms
from tools.pictures.walk.door import behind_a_door

# A place in the plan: x to the right, y away from the door.
Plan = tuple[float, float]

RATE = 24
# The lens of a glance, as a share of the shot's.
GLANCE = 0.72
# How long the camera takes to gain its pace at the door, and to lose it at the window.
SET_OFF, COME_TO_REST = 1.2, 2.0


@dataclass(frozen=True)
class Shot:
    """One room of the walk.

    `start` and `end` are the rail in the plan, `looks` the point that it looks at from either end. `rise` shifts
    the picture upwards without tilting the camera, in picture widths. `phone` is the middle of the upright cut at
    either end, as a share of the width. `keys` are the shares of the rail where the room is rendered in full, with
    so many light paths a pixel (`samples`), `glances` those of small wide ones for what no key frame sees.
    """

    name: str
    build: Callable[[], None]
    seconds: float
    start: Plan
    end: Plan
    looks: tuple[Plan, Plan]
    eye: float = 1.4
    lens: float = 28
    rise: float = 0.0
    phone: tuple[float, float] = (0.5, 0.5)
    samples: int = 10
    keys: tuple[float, ...] = (0.0, 1.0)
    glances: tuple[float, ...] = ()


@dataclass(frozen=True)
class Pose:
    """A level camera: its place, its heading in the plan (radians, 0 along y, clockwise), its lens and its rise."""

    at: tuple[float, float, float]
    heading: float
    lens: float
    rise: float


SHOTS = (
    Shot("reception", behind_a_door(rooms.reception), 4.1, (1.62, -2.2), (1.36, -0.7), ((-0.3, 3.7), (-0.4, 3.7)),
         lens=25, rise=-0.02, phone=(0.5, 0.5), samples=20, keys=(0.0, 0.45, 1.0), glances=(0.14, 0.3, 0.55)),
    Shot("treatment-room", rooms.treatment_room, 3.0, (1.45, -0.95), (1.05, -0.4), ((0.0, 2.4), (-0.05, 2.4)),
         rise=-0.105, phone=(0.5, 0.6)),
    Shot("scanner", rooms.scanner, 3.0, (0.9, -0.8), (0.5, -0.2), ((0.1, 3.4), (0.0, 3.4)),
         rise=-0.06, phone=(0.46, 0.48)),
    Shot("laboratory", rooms.laboratory, 3.0, (0.85, -0.7), (0.45, -0.1), ((0.0, 3.0), (-0.1, 3.0)),
         eye=1.45, lens=29, rise=-0.12, phone=(0.5, 0.56)),
    Shot("window", hero.hero, 4.1, (0.75, -2.45), (0.72, -1.5), ((1.15, 3.0), (1.2, 3.0)),
         lens=30, rise=-0.06, phone=(0.49, 0.47), keys=(0.0, 0.5, 1.0), glances=(0.35, 0.7)),
)  # fmt: skip


def pace(shot: Shot) -> tuple[float, float]:
    """For how many seconds the camera gains its pace at the shot's start and loses it at its end."""
    return (SET_OFF if shot is SHOTS[0] else 0.0), (COME_TO_REST if shot is SHOTS[-1] else 0.0)


def travelled(seconds: float, whole: float, gaining: float, losing: float) -> float:
    """The share of a rail behind the camera at a time: its speed rises as a raised cosine, stays, and falls so."""
    at, steady = min(max(seconds, 0.0), whole), whole - gaining / 2 - losing / 2
    if at < gaining:
        way = _ramp(at, gaining)
    elif at <= whole - losing:
        way = at - gaining / 2
    else:
        way = steady - _ramp(whole - at, losing)
    return way / steady


def _ramp(at: float, long: float) -> float:
    """The way gone `at` seconds into a rise from rest to speed 1 that takes `long` seconds."""
    return at / 2 - long / (2 * math.pi) * math.sin(math.pi * at / long)


def share_at(shot: Shot, frame: int) -> float:
    """The share (0..1) of the shot's rail behind the camera at one of its frames."""
    return travelled(frame / RATE, (frames(shot) - 1) / RATE, *pace(shot))


def between(start: float, end: float, share: float) -> float:
    """A share of the way from one number to another."""
    return start + (end - start) * share


def pose(shot: Shot, share: float) -> Pose:
    """The camera at a share (0..1) of the shot's rail."""
    x, y = (between(a, b, share) for a, b in zip(shot.start, shot.end, strict=True))
    there = [between(a, b, share) for a, b in zip(*shot.looks, strict=True)]
    return Pose((x, y, shot.eye), math.atan2(there[0] - x, there[1] - y), shot.lens, shot.rise)


def key_poses(shot: Shot) -> list[Pose]:
    """The cameras of the shot's key frames, then of its glances, whose lens is shorter."""
    short = [replace(there, lens=there.lens * GLANCE) for there in (pose(shot, share) for share in shot.glances)]
    return [pose(shot, share) for share in shot.keys] + short


def frames(shot: Shot) -> int:
    """How many frames the shot has."""
    return round(shot.seconds * RATE)


def film() -> list[tuple[Shot, int]]:
    """The shot and its frame behind every frame of the film."""
    return [(shot, frame) for shot in SHOTS for frame in range(frames(shot))]
