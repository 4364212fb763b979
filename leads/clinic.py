"""What the site's build tells the server of the clinic: its opening hours, its treatments, and how it signs."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from leads.call_times import Hours

CLINIC = "clinic.json"


@dataclass(frozen=True, slots=True)
class Clinic:
    """The clinic as a build knows it."""

    hours: Hours | None = None  # when it calls; None: not known
    treatments: Mapping[str, str] = field(default_factory=dict)  # their names by id
    signature: Sequence[str] = ()  # name, address and site, in lines


def read_clinic(folder: Path) -> Clinic:
    """Return what the build in `folder` says; nothing of it without a build."""
    file = folder / CLINIC
    if not file.is_file():
        return Clinic()
    clinic = json.loads(file.read_text())
    return Clinic(Hours.read(clinic["hours"]), clinic["treatments"], clinic.get("signature", ()))
