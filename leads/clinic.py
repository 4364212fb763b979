"""What the site's build tells the server of the clinic: its opening hours, its treatments, and its price plan."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from leads.call_times import Hours

CLINIC = "clinic.json"


@dataclass(frozen=True, slots=True)
class Clinic:
    """The clinic as a build knows it.

    hours: when it calls; None: not known. treatments: their names by id. plan: the data of `leads.plan`; None:
    there is no price plan.
    """

    hours: Hours | None = None
    treatments: Mapping[str, str] = field(default_factory=dict)
    plan: Mapping[str, Any] | None = None


def read_clinic(folder: Path) -> Clinic:
    """Return what the build in `folder` says; nothing of it without a build."""
    file = folder / CLINIC
    if not file.is_file():
        return Clinic()
    clinic = json.loads(file.read_text())
    return Clinic(Hours.read(clinic["hours"]), clinic["treatments"], clinic.get("plan"))
