"""A picture: its name, the folder the pages load it from, its size, and the function that builds its scene."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

Folder = Literal["treatments", "cases", "clinic", "dentists", "videos", "upright", "hero"]


@dataclass(frozen=True)
class Picture:
    """A picture to render; sizes in pixels, `samples` in light paths per pixel.

    `build` sets up the whole scene, camera included; it begins with `studio.clear()`.
    """

    name: str
    folder: Folder
    width: int
    height: int
    samples: int
    build: Callable[[], None]
