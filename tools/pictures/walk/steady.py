"""Whether a film is calm: within a shot no frame may differ much from the one before it."""

from collections.abc import Container
from itertools import pairwise
from pathlib import Path

import numpy as np
from PIL import Image

# The mean difference of neighbours, of 255.
MAX_STEP = 7.0
WIDE = 160


def steps(folder: Path, count: int) -> list[float]:
    """The mean difference (0..255) of each frame 0002.png onwards from the one before it."""
    shown = [_small(folder / f"{number:04d}.png") for number in range(1, count + 1)]
    return [float(np.abs(there - here).mean()) for here, there in pairwise(shown)]


def jumps(folder: Path, count: int, starts: Container[int]) -> list[int]:
    """The numbers of the frames that differ too much from the one before them; those of `starts` begin a shot."""
    numbered = enumerate(steps(folder, count), 2)
    return [number for number, step in numbered if step > MAX_STEP and number not in starts]


def _small(file: Path) -> np.ndarray:
    """A frame `WIDE` pixels wide: height by width by 3."""
    with Image.open(file) as opened:
        size = WIDE, round(WIDE * opened.height / opened.width)
        return np.asarray(opened.convert("RGB").resize(size, Image.Resampling.BOX), np.float32)
