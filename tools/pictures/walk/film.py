"""The walk's frames, from key frames to the two cuts that the pages show: wide, and upright for phones.

Every step keeps its files in a folder and does only what is missing there; delete the folder to begin again.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from PIL import Image

from tools.pictures.walk import keys, overrides
from tools.pictures.walk.rails import RATE, SHOTS, Shot, between, film, frames, key_poses, pose, share_at

# Places within a pixel that a frame looks at.
FRAME_SAMPLES = 3
SIZE = keys.WIDTH, keys.HEIGHT
# The frame of each cut's poster: the window, as the reception's own picture stands below.
POSTER_SECONDS = 16.6


@dataclass(frozen=True)
class Cut:
    """A part of the frames in the shape of a screen, in pixels."""

    name: str
    width: int
    height: int


WIDE, UPRIGHT = Cut("wide", 1280, 720), Cut("upright", 720, 900)

Progress = Callable[[str], None]


def render_walk(folder: Path, threads: int, progress: Progress) -> int:
    """Render what is missing of the walk into `folder`, and write both cuts' frames; returns how many.

    Args:
        folder: Keeps the key frames and the frames. Each cut has a folder in it, with 0001.png and so on.
        threads: How many of the processor's threads to use.
        progress: Is told what has just been done.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for shot in SHOTS:
        keys.render_keys(shot, folder, threads, progress)
        render_frames(shot, folder, threads, progress)
    for cut in (WIDE, UPRIGHT):
        (folder / cut.name).mkdir(exist_ok=True)
        for number, (shot, frame) in enumerate(film(), 1):
            cropped(shot, frame, cut, folder).save(folder / cut.name / f"{number:04d}.png", compress_level=1)
        progress(cut.name)
    return len(film())


def frame_file(folder: Path, shot: Shot, frame: int) -> Path:
    """Where one frame of a shot is."""
    return folder / "frames" / f"{shot.name}-{frame:03d}.png"


def render_frames(shot: Shot, folder: Path, threads: int, progress: Progress) -> None:
    """Make the frames of a shot that are not there yet from its key frames."""
    (folder / "frames").mkdir(exist_ok=True)
    wanted = [frame for frame in range(frames(shot)) if not frame_file(folder, shot, frame).exists()]
    if not wanted:
        return
    keys.stage(shot, threads)
    weights = overrides.show_keys(key_poses(shot), keys.files(folder, shot), SIZE)
    for frame in wanted:
        share = share_at(shot, frame)
        keys.take(pose(shot, share))
        overrides.weigh(weights, shot.keys, share)
        part = folder / "frames" / "part.png"
        overrides.shoot_frame(part, SIZE, FRAME_SAMPLES)
        part.rename(frame_file(folder, shot, frame))
        if frame % RATE == 0:
            progress(f"{shot.name} {frame}/{frames(shot)}")


def place(shot: Shot, frame: int, cut: Cut) -> tuple[float, float]:
    """The left and upper edge of a cut in the shot's frame, in pixels; the upright one glides to what matters."""
    if cut is WIDE:
        return 0.0, (SIZE[1] - cut.height) / 2
    middle = between(*shot.phone, share_at(shot, frame)) * SIZE[0]
    return min(max(middle - cut.width / 2, 0.0), float(SIZE[0] - cut.width)), 0.0


def cropped(shot: Shot, frame: int, cut: Cut, folder: Path) -> Image.Image:
    """A shot's frame in the shape of a cut."""
    left, top = place(shot, frame, cut)
    with Image.open(frame_file(folder, shot, frame)) as opened:
        box = (left, top, left + cut.width, top + cut.height)
        return opened.convert("RGB").resize((cut.width, cut.height), Image.Resampling.BICUBIC, box)
