"""Before and after as study models: dental stone with teeth in their own colours; each pair in one light.

Models, not patients; what each pair shows is said on the page.
"""

from collections.abc import Callable
from dataclasses import replace

from tools.pictures import materials, studio
from tools.pictures.materials import Shade
from tools.pictures.picture import Picture
from tools.pictures.teeth.arch import UPPER, half
from tools.pictures.teeth.crown import Detail
from tools.pictures.teeth.layout import Place
from tools.pictures.teeth.model import study_model

Half = tuple["Place", ...]
Halves = tuple[Half, Half]

LIVED_IN = Shade("#DCC294", "#E8D9BA", "#DCD1B6", roughness=0.3, coat=0.25)
STAINED = Shade("#B48C56", "#DCC497", "#D0BE98", roughness=0.35, coat=0.2, stain="#94703F", stained=0.55)
AGED = Shade("#C6A673", "#DDC9A0", "#D0C3A6", roughness=0.33, coat=0.2, stain="#A9814F", stained=0.25)
# No two people leave with the same teeth: crowns in a natural shade, whitened teeth, a bridge in the brightest.
RELAID = Shade("#E6D6B8", "#EFE4D0", "#E6E0D2", roughness=0.25, coat=0.4)
WHITENED = Shade("#EDE4D2", "#F3EDE2", "#E8EAE8", roughness=0.25, coat=0.35)
VENEERED = Shade("#EBDFC8", "#F2EADB", "#E6E7E4", roughness=0.22, coat=0.45)
STRAIGHTENED = Shade("#DFCBA4", "#EBDEC4", "#E1D8C4", roughness=0.28, coat=0.3)
BRIDGED = Shade("#EEE6D6", "#F4EEE4", "#EAEBE8", roughness=0.22, coat=0.5)

# Light paths per pixel.
SAMPLES = 24


def photograph(right: Half, left: Half) -> None:
    """Stand the model on paper and look down at its front teeth."""
    study_model(right, left, materials.dental_stone())
    studio.backdrop(14, material=materials.backdrop_sand())
    studio.light((0, 0.6, 1.6), 4.6, fill=0.9, key=0.85)
    studio.camera((0, -19.0, 10.6), (0, 0.85, 1.42), lens=90)


def changed(places: Half, changes: dict[int, dict[str, object]]) -> Half:
    """The places with some of them changed, by their number from the midline."""
    return tuple(replace(place, **changes.get(number, {})) for number, place in enumerate(places))  # type: ignore[arg-type]


def teeth(shade: Shade, patient: int) -> Halves:
    """Both halves of a whole upper arch in one shade: right, left. `patient` seeds the teeth's own small marks."""
    material = materials.tooth("Enamel", replace(shade, depth=0.0))
    right, left = half(UPPER, material, 3 + 10 * patient), half(UPPER, material, 4 + 10 * patient)
    return (
        changed(right, {0: {"turn": 1.0}, 1: {"turn": -2.0, "tip": -1.0}, 2: {"turn": 1.5}}),
        changed(left, {0: {"down": 0.1}, 1: {"turn": 2.0, "down": 0.12}, 2: {"tip": 1.0}}),
    )


def one_missing(*, restored: bool) -> Halves:
    """A lateral incisor is missing; then an implant's crown stands there."""
    right, left = teeth(LIVED_IN, 0)
    crown = materials.tooth("Crown", replace(LIVED_IN, roughness=0.2, coat=0.35, depth=0.0)) if restored else None
    return changed(right, {1: {"material": crown}}), left


def worn_edges(*, restored: bool) -> Halves:
    """The front teeth are ground short and ragged; then they have their length again."""
    right, left = teeth(RELAID if restored else LIVED_IN, 1)
    if not restored:
        right, left = worn(right, (2.9, 2.3, 1.9, 0.8), 0.05), worn(left, (2.6, 2.5, 1.6, 0.7), -0.04)
    return right, left


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


def staining(*, restored: bool) -> Halves:
    """Tea, tobacco and years; then even, brighter teeth."""
    return teeth(WHITENED if restored else STAINED, 2)


def gaps(*, restored: bool) -> Halves:
    """Small teeth stand apart; then wider ones touch. The arch keeps its length."""
    right, left = teeth(VENEERED if restored else LIVED_IN, 3)
    if not restored:
        right, left = spaced(right, 1.9), spaced(left, 1.9)
    return right, left


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


def crowding(*, restored: bool) -> Halves:
    """Too little room: teeth turned and pushed out of the row; then they stand in line."""
    right, left = teeth(STRAIGHTENED if restored else LIVED_IN, 4)
    if not restored:
        right = changed(
            right,
            {
                0: {"turn": -16.0, "out": 0.5},
                1: {"turn": 25.0, "out": -2.0, "gap": -2.6, "down": 0.4},
                2: {"turn": 8.0, "out": 0.9, "gap": -2.0, "tip": 3.0},
            },
        )
        left = changed(
            left,
            {
                0: {"turn": 16.0, "out": -0.4},
                1: {"turn": -25.0, "out": -1.6, "gap": -2.0, "down": 0.5, "tip": -3.0},
                2: {"turn": 8.0, "out": 0.9, "gap": -2.6, "down": 0.4, "tip": 3.0},
            },
        )
    return right, left


def full_arch(*, restored: bool) -> Halves:
    """Few teeth are left, the ridge between them healed; then a whole arch stands on implants."""
    right, left = teeth(BRIDGED if restored else AGED, 5)
    if not restored:
        gone: dict[str, object] = {"material": None}
        right = changed(right, dict.fromkeys((1, 3, 4, 6), gone))
        left = changed(left, dict.fromkeys((0, 1, 3, 4, 6), gone))
    return right, left


CASES: dict[str, Callable[..., Halves]] = {
    "one-missing-tooth": one_missing,
    "worn-edges": worn_edges,
    "staining": staining,
    "gaps": gaps,
    "crowding": crowding,
    "full-arch": full_arch,
}


def picture(name: str, state: str) -> Picture:
    """One picture of a case; `state` is before or after."""

    def build() -> None:
        studio.clear()
        photograph(*CASES[name](restored=state == "after"))

    return Picture(f"{name}-{state}", "cases", 900, 600, SAMPLES, build)


PICTURES: tuple[Picture, ...] = tuple(picture(name, state) for name in CASES for state in ("before", "after"))
