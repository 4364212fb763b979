"""Before and after: one arch seen close, as dentists photograph it; each pair in one light from one camera.

Drawn, not patients; what each pair shows is said on the page.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pictures import materials, studio
from pictures.materials import Shade
from pictures.picture import Picture
from pictures.teeth.arch import LOWER, UPPER, arch, half
from pictures.teeth.crown import Detail

if TYPE_CHECKING:
    from collections.abc import Callable

    import bpy

    from pictures.teeth.layout import Place

Half = tuple["Place", ...]

LIVED_IN = Shade("#DCC294", "#E8D9BA", "#D8D5CA", roughness=0.26, coat=0.25)
STAINED = Shade("#B0824A", "#DCC292", "#CFC0A0", roughness=0.3, coat=0.2, stain="#8A5A2C", stained=0.6)
FAILING = Shade("#B58E5C", "#DDC59A", "#CFC3A8", roughness=0.32, coat=0.15, stain="#96693C", stained=0.6)
# No two people leave with the same teeth: crowns in a natural shade, whitened teeth, a bridge in the brightest.
RELAID = Shade("#E6D6B8", "#EFE4D0", "#E2E2DC", roughness=0.19, coat=0.4)
WHITENED = Shade("#EDE4D2", "#F3EDE2", "#E8EAE8", roughness=0.2, coat=0.35)
VENEERED = Shade("#EBDFC8", "#F2EADB", "#E6E7E4", roughness=0.17, coat=0.45)
STRAIGHTENED = Shade("#DFCBA4", "#EBDEC4", "#DCDAD0", roughness=0.23, coat=0.3)
BRIDGED = Shade("#EEE6D6", "#F4EEE4", "#EAEBE8", roughness=0.16, coat=0.5)
SORE = "#CE7A70"


def photograph(right: Half, left: Half, gum: bpy.types.Material, lower_shade: Shade) -> None:
    """Put up the arch, the lower one a little apart from it, and look at the front teeth."""
    arch(right, left, gum, gum_height=16)
    enamel = materials.tooth("Lower enamel", lower_shade)
    lower = arch(half(LOWER, enamel, 7), half(LOWER, enamel, 8), materials.gum(), upper=False, gum_height=14)
    lower.location = (0, 0, -0.22)
    studio.backdrop(7, floor=-4, material=materials.backdrop_dark())
    studio.light((0, -0.4, 0.3), 2.6, fill=1.2, key=1.0)
    # The flash at the lens: no margin and no papilla lies in a shadow.
    studio.soft_box("Flash", (0.0, -12.0, -1.0), (0, 0, 0), 4.5, 560)
    studio.camera((0, -15.5, 0.1), (0, 0, 0.22), lens=102)


def changed(places: Half, changes: dict[int, dict[str, object]]) -> Half:
    """The places with some of them changed, by their number from the midline."""
    return tuple(replace(place, **changes.get(number, {})) for number, place in enumerate(places))  # type: ignore[arg-type]


def teeth(shade: Shade, patient: int) -> tuple[Half, Half]:
    """Both halves of a whole upper arch in one shade: right, left. `patient` seeds the teeth's own small marks."""
    material = materials.tooth("Enamel", shade)
    right, left = half(UPPER, material, 3 + 10 * patient), half(UPPER, material, 4 + 10 * patient)
    return (
        changed(right, {0: {"turn": 1.0}, 1: {"turn": -2.0, "tip": -1.0}, 2: {"turn": 1.5}}),
        changed(left, {0: {"down": 0.1}, 1: {"turn": 2.0, "down": 0.12}, 2: {"tip": 1.0}}),
    )


def one_missing(*, restored: bool) -> None:
    """A lateral incisor is missing; then an implant's crown stands there."""
    studio.clear()
    right, left = teeth(LIVED_IN, 0)
    crown = materials.tooth("Crown", replace(LIVED_IN, roughness=0.2, coat=0.35)) if restored else None
    photograph(changed(right, {1: {"material": crown}}), left, materials.gum(), LIVED_IN)


def worn_edges(*, restored: bool) -> None:
    """The front teeth are ground short and ragged; then they have their length again."""
    studio.clear()
    right, left = teeth(RELAID if restored else LIVED_IN, 1)
    if not restored:
        right, left = worn(right, (2.9, 2.3, 1.9, 0.8), 0.05), worn(left, (2.6, 2.5, 1.6, 0.7), -0.04)
    photograph(right, left, materials.gum(), RELAID if restored else LIVED_IN)


def worn(places: Half, lost: tuple[float, ...], slant: float) -> Half:
    """Places from the midline with so many millimetres of the edge lost, each in its own way."""
    return changed(
        places,
        {
            number: {
                "detail": Detail(
                    root=4, lost=depth, ragged=0.55, slant=slant * (1 - number * 0.6), seed=31 + number
                )
            }
            for number, depth in enumerate(lost)
        },
    )


def staining(*, restored: bool) -> None:
    """Tea, tobacco and years; then even, brighter teeth."""
    studio.clear()
    right, left = teeth(WHITENED if restored else STAINED, 2)
    gum = materials.gum() if restored else materials.gum("Sore gum", SORE)
    photograph(right, left, gum, WHITENED if restored else STAINED)


def gaps(*, restored: bool) -> None:
    """Small teeth stand apart; then wider ones touch. The arch keeps its length."""
    studio.clear()
    right, left = teeth(VENEERED if restored else LIVED_IN, 3)
    if not restored:
        right, left = spaced(right, 1.9), spaced(left, 1.9)
    photograph(right, left, materials.gum(), VENEERED if restored else LIVED_IN)


def spaced(places: Half, midline: float) -> Half:
    """The front teeth narrower, with gaps of what that frees; `midline` (mm) is the one between the halves."""
    narrow = (0.9, 0.84, 0.9)
    freed = sum(place.form.width * (1 - by) for place, by in zip(places, narrow, strict=False))
    rest = (freed - midline / 2) / 3
    gap = (midline, rest, rest * 1.2, rest * 0.8)
    changes: dict[int, dict[str, object]] = {
        number: {"gap": gap[number], "wide": (*narrow, 1.0)[number]} for number in range(4)
    }
    return changed(places, changes)


def crowding(*, restored: bool) -> None:
    """Too little room: teeth turned and pushed out of the row; then they stand in line."""
    studio.clear()
    right, left = teeth(STRAIGHTENED if restored else LIVED_IN, 4)
    if not restored:
        right = changed(
            right,
            {
                0: {"turn": -14.0, "out": 0.5},
                1: {"turn": 14.0, "out": -1.6, "gap": -1.2, "down": 0.3, "tip": 3.0},
                2: {"out": 1.3, "gap": -1.4, "down": -0.1, "tip": 2.0, "turn": -5.0},
            },
        )
        left = changed(
            left,
            {
                0: {"turn": 10.0, "out": -0.3},
                1: {"turn": -26.0, "out": 0.7, "gap": -0.9, "down": 0.6, "tip": -4.0},
                2: {"out": 2.0, "gap": -2.4, "down": 1.5, "tip": 2.0},
            },
        )
    photograph(right, left, materials.gum(), STRAIGHTENED if restored else LIVED_IN)


def full_arch(*, restored: bool) -> None:
    """Few, failing teeth are left; then a whole arch stands on implants."""
    studio.clear()
    right, left = teeth(BRIDGED if restored else FAILING, 5)
    if not restored:
        right, left = worn(right, (2.2, 0, 1.4), 0.08), worn(left, (0, 1.8, 1.2), -0.06)
        gone: dict[str, object] = {"material": None}
        right = changed(right, {1: gone, 3: gone, 4: gone})
        left = changed(left, {0: gone, 2: {"down": -0.5, "tip": -3.0}, 3: gone, 5: gone})
    gum = materials.gum() if restored else materials.gum("Sore gum", SORE)
    photograph(right, left, gum, BRIDGED if restored else LIVED_IN)


def pair(name: str, scene: Callable[..., None]) -> tuple[Picture, Picture]:
    """The two pictures of a case."""

    def before() -> None:
        scene(restored=False)

    def after() -> None:
        scene(restored=True)

    return (
        Picture(f"{name}-before", "cases", 900, 600, 8, before),
        Picture(f"{name}-after", "cases", 900, 600, 8, after),
    )


PICTURES: tuple[Picture, ...] = (
    *pair("one-missing-tooth", one_missing),
    *pair("worn-edges", worn_edges),
    *pair("staining", staining),
    *pair("gaps", gaps),
    *pair("crowding", crowding),
    *pair("full-arch", full_arch),
)
