"""Every picture of the site, collected from the groups in tools/pictures/scenes."""

from collections.abc import Iterable

from tools.pictures.picture import Picture
from tools.pictures.scenes import hero, implants, rooms, smiles


def every_picture() -> dict[str, Picture]:
    """All pictures by name; raises ValueError when two have the same name."""
    found: dict[str, Picture] = {}
    for group in (hero, smiles, implants, rooms):
        for picture in group.PICTURES:
            if picture.name in found:
                raise ValueError(f"Two pictures are called {picture.name}.")
            found[picture.name] = picture
    return found


def chosen(names: Iterable[str]) -> list[Picture]:
    """The named pictures, or all if no name is given; raises LookupError for unknown names."""
    pictures = every_picture()
    asked = list(names) or list(pictures)
    if unknown := [name for name in asked if name not in pictures]:
        raise LookupError(f"No picture is called {', '.join(unknown)}. There are: {', '.join(sorted(pictures))}.")
    return [pictures[name] for name in asked]
