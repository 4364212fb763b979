"""What the resources of one application share: where rows go, the bell, and who counts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from flask import current_app

if TYPE_CHECKING:
    from collections.abc import Callable

    from flask import Flask
    from sqlalchemy import Engine

    from api.doorbell import Doorbell

_EXTENSION = "intake"


@dataclass(frozen=True, slots=True)
class Intake:
    """`count(kind, result)` hears of each stored row: "lead", "click", "complaint"; "accepted", "repeated", "held".

    `acknowledge`: whoever sends an enquiry is owed an e-mail.
    """

    engine: Engine
    doorbell: Doorbell
    count: Callable[[str, str], None]
    acknowledge: bool = False

    def attach(self, app: Flask) -> None:
        """Make this the intake of `app`'s resources."""
        app.extensions[_EXTENSION] = self


def current_intake() -> Intake:
    """The intake of the application that handles the request."""
    return cast("Intake", current_app.extensions[_EXTENSION])
