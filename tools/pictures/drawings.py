"""`python -m tools.pictures.drawings` draws the cases: teeth from the front, in ink, with teal for what was done.

Line drawings, so that nobody takes them for patients. Teeth have their numbers in the two-digit notation: the first
digit is the quadrant, the second counts from the midline. Units are those of the view box, 13.5 to a millimetre.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import pairwise

from tools.pictures.export import IMAGES

FOLDER = IMAGES / "drawings"
WIDTH, HEIGHT = 900, 600
PAPER, INK, GUM, MOUTH, STAINED = "#fbfaf7", "#10263a", "#f4e9e2", "#c8d1d6", "#efe3c9"
TEAL, TINT = "#0b6a6b", "#d3eae7"
# Crowns of the viewer's right, seen from the front: middle at x = 0, edge at y = 0, neck upwards.
FORMS = {
    "central": "M-43-118C-41-137-22-143 3-143C26-143 41-137 44-117C48-92 57-66 57-40C57-14 51-2 35-1C12 3-18 3-43 1"
    "C-54 0-57-8-57-24C-57-60-46-92-43-118Z",
    "lateral": "M-30-104C-28-119-13-124 2-124C18-124 28-119 31-102C35-80 42-60 42-42C42-18 34-4 20-2C2 3-14 3-28 0"
    "C-39-2-42-14-42-30C-42-62-33-82-30-104Z",
    "canine": "M-28-116C-26-134-11-140 2-140C17-140 27-134 29-114C32-92 40-70 40-52C40-38 34-29 24-20C12-9 3 0-5 0"
    "C-13 0-24-11-32-22C-38-30-40-38-40-47C-40-71-31-94-28-116Z",
    "premolar": "M-23-97C-21-112-9-117 1-117C13-117 21-112 23-96C26-78 33-60 33-45C33-33 28-25 20-17C11-8 4 0-2 0"
    "C-9 0-17-8-24-17C-31-25-33-33-33-42C-33-61-26-78-23-97Z",
    "incisor": "M-22-99C-20-112-9-117 0-117C10-117 20-112 22-98C25-74 35-44 35-24C35-7 31-1 23 0C8 2-9 2-24 1"
    "C-32 0-35-6-35-20C-35-44-25-76-22-99Z",
    "worn": "M-43-118C-41-137-22-143 3-143C26-143 41-137 44-117C47-98 54-80 56-64C57-54 52-47 42-49C32-44 24-52"
    " 14-46C4-41-6-49-18-43C-30-38-38-45-48-41C-56-40-57-50-56-60C-53-84-46-100-43-118Z",
    "worn canine": "M-28-116C-26-134-11-140 2-140C17-140 27-134 29-114C32-92 39-70 40-56C40-42 32-36 22-34C12-28"
    " 4-36-8-31C-20-27-30-32-37-40C-41-48-39-60-37-70C-34-88-30-102-28-116Z",
}
# Of each tooth from the midline outwards: form, its width and height in it, how far its edge stays short.
Stance = tuple[str, float, float, int]
UPPER: tuple[Stance, ...] = (
    ("central", 1, 1, 0),
    ("lateral", 1, 1, 9),
    ("canine", 1, 1, 1),
    ("premolar", 1, 1, 10),
    ("premolar", 0.86, 0.94, 17),
)
LOWER: tuple[Stance, ...] = (
    ("incisor", 1, 1, 0),
    ("incisor", 1.08, 1.02, 0),
    ("canine", 0.95, 0.93, -4),
    ("premolar", 1, 0.93, 2),
    ("premolar", 0.88, 0.88, 6),
)
HALF_WIDTHS = {name: 40 if "canine" in name else 57 for name in FORMS} | {
    "lateral": 42,
    "premolar": 33,
    "incisor": 35,
}
LINES = {
    "central": "M-21-12v-24M13-14v-28M-24-128q4 10 2 20M26-126q-5 9-3 18",
    "lateral": "M-12-11v-18M8-12v-20M-14-112q3 8 2 14",
    "canine": "M-5-12v-34M-14-126q4 9 3 18",
    "premolar": "M-2-12v-26",
    "incisor": "M-10-10v-14M9-10v-16",
}
STAIN = (
    "M-33-112q9 9 21 7M-34-98q14 12 34 9M36-112q-8 8-18 8M38-96q-12 10-26 9M-34-84q9 7 20 6M36-80q-9 7-18 6"
    "M-44-44q6 5 12 4M46-40q-6 5-13 4M-6-58q7 5 15 3M-18-32q7 4 14 3M12-24q7 4 14 2"
)
IMPLANT = "M-19 0h38l2-12-8-104c-2-13-24-13-26 0l-8 104z"
THREADS = "M-21-16l41-9M-20-32l39-9M-19-48l37-9M-18-64l35-9M-16-80l32-9M-15-96l29-8"
# How far the papillae reach down between teeth that touch, and where the ridge heals when a tooth is gone.
PAPILLA, RIDGE = 44, 104
UPPER_GUM, LOWER_GUM = 306, 222
UPPER_EDGE, LOWER_EDGE = 334, 318


@dataclass(frozen=True)
class Look:
    """How a tooth differs from a sound one: `form` instead of its own; `wide` and `tall` scale it.

    `bare` is how far beyond the usual the gum has to stay back, where an edge is worn.
    """

    form: str | None = None
    wide: float = 1.0
    tall: float = 1.0
    bare: int = 0
    done: bool = False
    stained: bool = False


# An implant: its place from the midline, its lean in degrees, its size.
Screw = tuple[int, int, float]


@dataclass(frozen=True)
class State:
    """Teeth that are not sound and untouched (None: missing), and implants in the upper and the lower jaw."""

    teeth: Mapping[int, Look | None] = field(default_factory=dict)
    upper: tuple[Screw, ...] = ()
    lower: tuple[Screw, ...] = ()


@dataclass(frozen=True)
class Spot:
    """A place in a jaw's row: from `left` to `right`; `look` is None where the tooth is missing."""

    left: float
    right: float
    side: int
    stance: Stance
    look: Look | None


def row(state: State, quadrants: tuple[int, int], stances: tuple[Stance, ...]) -> list[Spot]:
    """The places of one jaw from the viewer's left; `quadrants`: the one at the left, then the one at the right."""
    made = []
    for side, quadrant in zip((-1, 1), quadrants, strict=True):
        far = 0.0
        for number, stance in enumerate(stances, 1):
            width = 2 * HALF_WIDTHS[stance[0]] * stance[1]
            left, right = sorted((side * far, side * (far + width)))
            made.append(Spot(left, right, side, stance, state.teeth.get(quadrant * 10 + number, Look())))
            far += width
    return sorted(made, key=lambda spot: spot.left)


def tooth(spot: Spot) -> str:
    """One tooth, as its form put in its place."""
    if spot.look is None:
        return ""
    form, wide, tall, short = spot.stance
    look = spot.look
    put = f"translate({(spot.left + spot.right) / 2:.0f} {-short})"
    size = f"scale({spot.side * wide * look.wide:.3g} {tall * look.tall:.3g})".replace("scale(1 1)", "")
    colours = f' stroke="{TEAL}" fill="{TINT}"' if look.done else f' fill="{STAINED}"' if look.stained else ""
    used = f'<use href="#{(look.form or form).replace(" ", "-")}" transform="{put}{size}"{colours}/>'
    if look.stained:
        used += f'<use href="#stain" transform="{put}scale({(spot.right - spot.left) / 115:.2g} .9)"/>'
    return used


def papilla(left: Spot, right: Spot) -> float:
    """How far above the edges the gum ends between two places, at least one of which has a tooth."""
    looks = (left.look, right.look)
    if None in looks:
        return PAPILLA + 12
    gap = sum((spot.right - spot.left) * (1 - spot.look.wide) / 2 for spot in (left, right) if spot.look)
    return PAPILLA + max(look.bare for look in looks if look) + gap * 1.6


def gum(spots: list[Spot], height: int) -> str:
    """The gum of one jaw as a path: its far border, then back along the papillae and, without teeth, the ridge."""
    end = spots[-1].right
    low = RIDGE if spots[-1].look is None else PAPILLA
    wide, shoulder, crown = round(end + 36), round(height * 0.8), round(height * 0.96)
    path = (
        f"M{-end:.0f}-{low}C{-wide}-{low + 24} {-wide}-{height * 0.6:.0f} {-end * 0.76:.0f}-{shoulder}"
        f"C{-end * 0.5:.0f}-{crown} {-end * 0.2:.0f}-{height} 0-{height}"
        f"S{end * 0.5:.0f}-{crown} {end * 0.76:.0f}-{shoulder}S{wide}-{low + 24} {end:.0f}-{low}"
    )
    here = end
    for left, right in reversed(list(pairwise(spots))):
        if right.look is None and left.look is None:
            continue
        bare = papilla(left, right)
        path += ridge(here, right.left, bare) if right.look is None else f"L{right.left:.0f}-{bare:.0f}"
        here = right.left
    return path + (ridge(here, -end, low) if spots[0].look is None else "") + "Z"


def ridge(right: float, left: float, bare: float) -> str:
    """The healed ridge between two places, from the viewer's right; it ends `bare` above the edges."""
    deep = RIDGE - round((right - left) / 50)
    down = f"C{right - 6:.0f}-{RIDGE + 6} {right - 20:.0f}-{deep} {(left + right) / 2:.0f}-{deep}"
    return f"{down}S{left + 6:.0f}-{RIDGE + 6} {left:.0f}-{bare:.0f}"


def jaw(spots: list[Spot], height: int, screws: Iterable[Screw], put: str) -> str:
    """One jaw: gum, implants and teeth, moved to its place by the transformation `put`."""
    implants = "".join(
        f'<use href="#implant" transform="translate({x} -110)rotate({lean})scale({size})"/>'
        for x, lean, size in screws
    )
    line = f'<path d="{gum(spots, height)}" fill="{GUM}"/>'
    return f'<g transform="{put}">{line}{implants}{"".join(map(tooth, spots))}</g>'


def drawing(state: State) -> str:
    """The SVG document of one state."""
    upper, lower = row(state, (1, 2), UPPER), row(state, (4, 3), LOWER)
    body = jaw(lower, LOWER_GUM, state.lower, f"translate(450 {LOWER_EDGE})scale(1-1)") + jaw(
        upper, UPPER_GUM, state.upper, f"translate(450 {UPPER_EDGE})"
    )
    used = set(re.findall(r'href="#([a-z-]+)"', body))
    defs = "".join(shape(name) for name in sorted(used))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}">'
        f"<title>Drawing, not a patient</title><defs>{defs}</defs>"
        f'<path d="M0 0h{WIDTH}v{HEIGHT}H0z" fill="{PAPER}"/>'
        f'<g stroke="{INK}" stroke-width="3.4" stroke-linejoin="round" stroke-linecap="round" fill="#fff">'
        f'<rect x="84" y="220" width="732" height="214" rx="84" fill="{MOUTH}" stroke="none"/>{body}</g></svg>\n'
    )


def shape(name: str) -> str:
    """One form, the implant or the stains, for `use`."""
    thin = 'fill="none" stroke-width="2"'
    if name == "implant":
        return (
            f'<g id="implant" stroke="{TEAL}" fill="{TINT}"><path d="{IMPLANT}"/><path d="{THREADS}" {thin}/></g>'
        )
    if name == "stain":
        return f'<path id="stain" d="{STAIN}" {thin} opacity=".5"/>'
    form = name.replace("-", " ")
    lines = f'<path d="{LINES[form]}" {thin} opacity=".45"/>' if form in LINES else ""
    return f'<g id="{name}"><path d="{FORMS[form]}"/>{lines}</g>'


FRONT = (11, 12, 13, 21, 22, 23)
UPPER_TEETH = tuple(10 * quadrant + number for quadrant in (1, 2) for number in range(1, 6))
LOWER_TEETH = tuple(10 * quadrant + number for quadrant in (3, 4) for number in range(1, 6))
DONE = Look(done=True)
ALL_ON_4 = ((-268, 32, 1), (-92, 0, 1), (92, 0, 1), (268, -32, 1))
UPPER_SCREWS = ((-258, 8, 0.86), (-157, 3, 0.92), (-58, 0, 0.96), (58, 0, 0.96), (157, -3, 0.92), (258, -8, 0.86))
LOWER_SCREWS = ((-204, 6, 0.64), (-132, 3, 0.7), (-46, 0, 0.74), (46, 0, 0.74), (132, -3, 0.7), (204, -6, 0.64))


def every(teeth: Iterable[int], look: Look | None) -> dict[int, Look | None]:
    """The same look for several teeth."""
    return dict.fromkeys(teeth, look)


CASES: dict[str, tuple[State, State]] = {
    "one-missing-tooth": (State({22: None}), State({22: DONE}, ((157, 0, 1),))),
    "worn-edges": (
        State(
            every((11, 21), Look("worn", bare=34))
            | every((12, 22), Look("worn", wide=0.73, tall=0.87, bare=34))
            | every((13, 23), Look("worn canine", bare=10))
        ),
        State(every(FRONT, DONE)),
    ),
    "staining": (State(every(FRONT, Look(stained=True))), State(every(FRONT, DONE))),
    "gaps": (
        State(every((11, 21), Look(wide=0.84)) | every((12, 22), Look(wide=0.76))),
        State(every((11, 12, 21, 22), DONE)),
    ),
    "upper-jaw": (State(every(UPPER_TEETH, None)), State(every(UPPER_TEETH, DONE), ALL_ON_4)),
    "full-mouth": (
        State(every((*UPPER_TEETH, *LOWER_TEETH), None) | every((13, 24, 33, 43), Look(stained=True))),
        State(every((*UPPER_TEETH, *LOWER_TEETH), DONE), UPPER_SCREWS, LOWER_SCREWS),
    ),
}


def main() -> None:
    """Write each case's two drawings."""
    FOLDER.mkdir(exist_ok=True)
    for name, states in CASES.items():
        for state, when in zip(states, ("before", "after"), strict=True):
            (FOLDER / f"{name}-{when}.svg").write_text(drawing(state))


if __name__ == "__main__":
    main()
