"""What `python -m tools.pictures walk` does: render, encode, cut the posters, and note what it took."""

import json
import sys
import time
from pathlib import Path

from tools.pictures import renders
from tools.pictures.encode import encode
from tools.pictures.export import IMAGES, export
from tools.pictures.picture import Folder, Picture
from tools.pictures.walk import keys, steady
from tools.pictures.walk.film import POSTER_SECONDS, UPRIGHT, WIDE, Cut, render_walk
from tools.pictures.walk.rails import RATE, SHOTS, film

NAME = "walk"
# The most bytes of a file.
MAX_WEIGHT = 2_200_000
# Of each cut: the ending of its files' names, and the folder of its poster.
CUTS: tuple[tuple[Cut, str, Folder], ...] = ((WIDE, "", "videos"), (UPRIGHT, "-upright", "upright"))


def make_walk(folder: Path, threads: int) -> list[str]:
    """Make the film in both cuts and formats, and its posters; `folder` keeps what was rendered.

    Returns the weights, a line a file. Raises ValueError when a film jumps, or is too heavy.
    """
    spent = Spent(folder)
    count = render_walk(folder, threads, spent.note)
    starts = [number for number, (_, frame) in enumerate(film(), 1) if frame == 0]
    weights = []
    for cut, ending, posters in CUTS:
        if found := steady.jumps(folder / cut.name, count, starts):
            raise ValueError(f"The film jumps in its {cut.name} cut: frames {found}.")
        poster = folder / cut.name / f"{round(POSTER_SECONDS * RATE):04d}.png"
        weights.append(f"poster {cut.name}: {export(poster, posters, NAME) / 1000:.0f} kB")
        for form in ("webm", "mp4"):
            file = IMAGES / f"videos/{NAME}{ending}.{form}"
            weight = encode(folder / cut.name, count, RATE, file, MAX_WEIGHT)
            if weight > MAX_WEIGHT:
                raise ValueError(f"{file.name} has {weight} bytes, more than {MAX_WEIGHT}.")
            weights.append(f"{file.name}: {weight / 1000:.0f} kB")
            spent.note(file.name)
    renders.enter(recorded(), spent.seconds)
    return weights


def recorded() -> Picture:
    """The film's line of the record: the size and the light paths of its key frames."""
    return Picture(NAME, "videos", keys.WIDTH, keys.HEIGHT, min(shot.samples for shot in SHOTS), lambda: None)


class Spent:
    """Processor time so far, kept in a file over interruptions."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.file = folder / "seconds.json"
        self.before: float = json.loads(self.file.read_text()) if self.file.exists() else 0.0
        self.began = time.process_time()

    @property
    def seconds(self) -> float:
        """Of all runs into this folder."""
        return self.before + time.process_time() - self.began

    def note(self, done: str) -> None:
        """Keep the time, and say what is done."""
        self.file.write_text(json.dumps(round(self.seconds, 1)))
        print(f"{done} ({self.seconds:.0f} s of processor time)", file=sys.stderr, flush=True)
