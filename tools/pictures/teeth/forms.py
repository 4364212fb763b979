"""The forms of teeth in numbers: outlines, depths and cusps by tooth type, in millimetres.

Crown sizes follow the usual tables of dental anatomy (Wheeler); the profiles are drawn by eye over those.
"""

from dataclasses import dataclass, replace
from typing import Literal

Tooth = Literal[
    "central", "lateral", "canine", "premolar", "second premolar", "molar", "second molar", "lower incisor",
    "lower canine", "lower premolar", "lower molar",
]  # fmt: skip
Profile = tuple[tuple[float, float], ...]


@dataclass(frozen=True)
class Cusp:
    """A cone of the bite: place, height over the neck, slope; `narrow` under 1 draws it out to a ridge.

    `blunt` is how round its tip is (mm).
    """

    x: float
    y: float
    height: float
    slope: float = 0.75
    narrow: tuple[float, float] = (1.0, 1.0)
    blunt: float = 0.6


@dataclass(frozen=True)
class Form:
    """A crown: how far it reaches to each side at a share of its height (0 neck, 1 biting edge).

    x points to the middle of the arch (mesial), -y to the lips (facial). `roundness` are the exponents of the cross
    section (2 ellipse, more: squarer) facial and lingual; `edge` is the radius of the rim.
    """

    height: float
    mesial: Profile
    distal: Profile
    facial: Profile
    lingual: Profile
    cusps: tuple[Cusp, ...] = ()
    roundness: tuple[float, float] = (2.5, 2.2)
    edge: float = 0.35
    lobes: float = 0.0
    mamelons: float = 0.0

    @property
    def width(self) -> float:
        """The widest mesio-distal measure: what the tooth takes up in the arch."""
        return max(reach for _, reach in self.mesial) + max(reach for _, reach in self.distal)


CENTRAL = Form(
    height=10.6,
    mesial=((0, 3.1), (0.2, 3.5), (0.45, 3.98), (0.68, 4.23), (0.82, 4.25), (0.9, 4.12), (0.96, 3.84), (1, 3.4)),
    distal=((0, 3.0), (0.2, 3.5), (0.45, 4.04), (0.64, 4.25), (0.77, 4.2), (0.87, 3.96), (0.94, 3.52), (1, 2.8)),
    facial=((0, 3.0), (0.1, 3.36), (0.25, 3.6), (0.45, 3.5), (0.65, 3.1), (0.85, 2.4), (1, 1.7)),
    lingual=((0, 3.2), (0.12, 3.5), (0.25, 3.3), (0.4, 2.3), (0.6, 1.0), (0.8, 0.1), (1, -0.4)),
    roundness=(2.6, 2.2),
    edge=0.5,
    lobes=0.055,
    mamelons=0.08,
)
LATERAL = Form(
    height=9.3,
    mesial=((0, 2.35), (0.2, 2.7), (0.45, 3.1), (0.66, 3.3), (0.79, 3.28), (0.89, 3.08), (0.95, 2.78), (1, 2.25)),
    distal=((0, 2.3), (0.2, 2.7), (0.45, 3.15), (0.6, 3.3), (0.73, 3.22), (0.84, 2.95), (0.93, 2.42), (1, 1.6)),
    facial=((0, 2.75), (0.1, 3.0), (0.25, 3.2), (0.45, 3.1), (0.65, 2.75), (0.85, 2.1), (1, 1.45)),
    lingual=((0, 2.9), (0.12, 3.15), (0.25, 2.9), (0.4, 2.0), (0.6, 0.9), (0.8, 0.1), (1, -0.35)),
    roundness=(2.4, 2.2),
    edge=0.5,
    lobes=0.04,
    mamelons=0.05,
)
CANINE = Form(
    height=10.4,
    mesial=((0, 2.8), (0.2, 3.15), (0.45, 3.55), (0.68, 3.8), (0.82, 3.75), (0.93, 3.4), (1, 2.9)),
    distal=((0, 2.75), (0.2, 3.15), (0.45, 3.6), (0.64, 3.8), (0.79, 3.7), (0.91, 3.25), (1, 2.65)),
    facial=((0, 3.7), (0.1, 4.1), (0.25, 4.4), (0.45, 4.3), (0.65, 3.8), (0.85, 2.9), (1, 2.0)),
    lingual=((0, 3.6), (0.12, 3.95), (0.25, 3.8), (0.4, 2.9), (0.6, 1.7), (0.8, 0.6), (1, -0.2)),
    cusps=(Cusp(0.25, -0.9, 10.4, 0.52, (1.0, 0.45), blunt=1.2),),
    roundness=(2.15, 2.1),
    edge=0.5,
    lobes=0.05,
)
PREMOLAR = Form(
    height=8.7,
    mesial=((0, 2.5), (0.25, 2.95), (0.5, 3.35), (0.72, 3.5), (0.88, 3.36), (1, 2.85)),
    distal=((0, 2.5), (0.25, 2.95), (0.5, 3.4), (0.7, 3.5), (0.87, 3.32), (1, 2.75)),
    facial=((0, 4.0), (0.15, 4.4), (0.35, 4.6), (0.6, 4.4), (0.82, 3.9), (1, 3.2)),
    lingual=((0, 4.0), (0.2, 4.4), (0.45, 4.6), (0.7, 4.3), (0.88, 3.8), (1, 3.2)),
    cusps=(
        Cusp(0.1, -2.4, 8.7, 0.5, (1.0, 1.3)),
        Cusp(0.4, 2.2, 7.9, 0.55, (1.0, 1.2)),
        Cusp(2.6, 0, 7.3, 0.7, (1.0, 0.3)),
        Cusp(-2.6, 0, 7.2, 0.7, (1.0, 0.3)),
    ),
    roundness=(2.4, 2.15),
    edge=0.5,
    lobes=0.04,
)
MOLAR = Form(
    height=7.7,
    mesial=((0, 4.0), (0.25, 4.5), (0.5, 4.95), (0.72, 5.15), (0.88, 4.95), (1, 4.4)),
    distal=((0, 3.9), (0.25, 4.4), (0.5, 4.95), (0.7, 5.1), (0.87, 4.85), (1, 4.2)),
    facial=((0, 4.9), (0.15, 5.3), (0.35, 5.5), (0.6, 5.3), (0.82, 4.8), (1, 4.2)),
    lingual=((0, 4.9), (0.2, 5.3), (0.45, 5.5), (0.7, 5.2), (0.88, 4.7), (1, 4.1)),
    cusps=(
        Cusp(2.3, -2.9, 7.7, 0.7),
        Cusp(-2.3, -2.8, 7.5, 0.7),
        Cusp(1.7, 2.6, 7.6, 0.64),
        Cusp(-2.9, 2.7, 6.9, 0.7),
        Cusp(4.1, 0, 6.7, 0.7, (1.0, 0.35)),
        Cusp(-4.0, 0, 6.5, 0.7, (1.0, 0.35)),
    ),
    roundness=(2.7, 2.6),
    edge=0.5,
)

LOWER_MOLAR = Form(
    height=7.4,
    mesial=((0, 4.4), (0.25, 4.85), (0.5, 5.3), (0.72, 5.5), (0.88, 5.3), (1, 4.7)),
    distal=((0, 4.2), (0.25, 4.75), (0.5, 5.25), (0.7, 5.4), (0.87, 5.1), (1, 4.3)),
    facial=((0, 4.7), (0.15, 5.2), (0.33, 5.35), (0.6, 4.9), (0.82, 4.3), (1, 3.6)),
    lingual=((0, 4.5), (0.2, 4.85), (0.45, 5.1), (0.7, 4.95), (0.88, 4.5), (1, 3.9)),
    cusps=(
        Cusp(3.0, -2.5, 7.0, 0.66),
        Cusp(-0.7, -2.8, 6.9, 0.66),
        Cusp(-3.9, -1.5, 6.4, 0.66),
        Cusp(2.5, 2.6, 7.4, 0.7),
        Cusp(-2.0, 2.6, 7.2, 0.7),
        Cusp(4.5, 0.1, 6.3, 0.7, (1.0, 0.35)),
        Cusp(-4.5, 0.9, 6.0, 0.7, (1.0, 0.35)),
    ),
    roundness=(2.6, 2.7),
    edge=0.5,
)


def scaled(form: Form, across: float, deep: float, tall: float) -> Form:
    """The same form in another size."""

    def times(profile: Profile, factor: float) -> Profile:
        return tuple((at, reach * factor) for at, reach in profile)

    cusps = tuple(
        replace(cusp, x=cusp.x * across, y=cusp.y * deep, height=cusp.height * tall) for cusp in form.cusps
    )
    return replace(
        form,
        height=form.height * tall,
        mesial=times(form.mesial, across),
        distal=times(form.distal, across),
        facial=times(form.facial, deep),
        lingual=times(form.lingual, deep),
        cusps=cusps,
    )


FORMS: dict[Tooth, Form] = {
    "central": CENTRAL,
    "lateral": LATERAL,
    "canine": CANINE,
    "premolar": PREMOLAR,
    "second premolar": scaled(PREMOLAR, 0.96, 0.98, 0.93),
    "molar": MOLAR,
    "second molar": scaled(MOLAR, 0.93, 0.96, 0.92),
    "lower incisor": scaled(CENTRAL, 0.65, 0.86, 0.86),
    "lower canine": scaled(CANINE, 0.88, 0.9, 0.91),
    "lower premolar": scaled(PREMOLAR, 1.0, 0.86, 0.98),
    "lower molar": LOWER_MOLAR,
}
