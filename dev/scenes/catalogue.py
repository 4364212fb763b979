"""Every picture of the site, collected from the groups in dev/scenes/pictures."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from dev.scenes.picture import Picture

GROUPS = ("smiles", "cases", "implants", "rooms", "posters")


def every_picture() -> dict[str, Picture]:
    """The set by name; raises ValueError when two pictures want one name."""
    found: dict[str, Picture] = {}
    for group in GROUPS:
        module = f"dev.scenes.pictures.{group}"
        if find_spec(module) is None:
            continue
        pictures: Iterable[Picture] = import_module(module).PICTURES
        for picture in pictures:
            if picture.name in found:
                raise ValueError(f"Two pictures are called {picture.name}.")
            found[picture.name] = picture
    return found


def chosen(names: Iterable[str]) -> list[Picture]:
    """The named pictures, or all without a name; raises LookupError for names that no picture has."""
    pictures = every_picture()
    asked = list(names) or list(pictures)
    if unknown := [name for name in asked if name not in pictures]:
        raise LookupError(f"No picture is called {', '.join(unknown)}. There are: {', '.join(sorted(pictures))}.")
    return [pictures[name] for name in asked]
