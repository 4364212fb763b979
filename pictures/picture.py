"""What one picture of the set is: its name, its place on the pages, its size and how its scene is built."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Callable

Folder = Literal["treatments", "cases", "clinic", "videos", "hero"]


@dataclass(frozen=True)
class Picture:
    """A picture to render; sizes in pixels, `samples` light paths a pixel.

    `build` sets up the whole scene, camera included; it begins with `studio.clear()`.
    """

    name: str
    folder: Folder
    width: int
    height: int
    samples: int
    build: Callable[[], None]
