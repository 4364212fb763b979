"""Writes the files that pages show from full-size pictures: AVIF and WebP in several widths, and their manifest.

The front end's build checks their sizes, and that every picture that the content names exists.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from PIL import Image

from tools.pictures.picture import Folder

FRONT_END = Path(__file__).parents[2] / "frontend"
IMAGES = FRONT_END / "images"
# The background of the link preview: the front end's identity script writes the clinic's name on it.
CARD = "card"
CARD_FILE = FRONT_END / "scripts/identity/card.webp"
FORMATS: dict[str, dict[str, str | int]] = {
    "avif": {"quality": 68, "speed": 3, "subsampling": "4:2:0"},
    "webp": {"quality": 82, "method": 6},
}


@dataclass(frozen=True)
class Shape:
    """How a folder's pictures are cropped: full size in pixels, and the widths that pages choose from."""

    width: int
    height: int
    widths: tuple[int, ...]


# The most bytes of the widest file, others in proportion: the first screen's picture delays the first paint, and a
# poster is often all that is seen of a film.
MAX_WEIGHT: dict[Folder, int] = {"hero": 24_000, "videos": 20_900, "upright": 14_400}
# Where a picture is too heavy, its quality goes down in such steps, but no lower than this: below, blocks show.
QUALITY_STEP, MIN_QUALITY = 3, 44


SHAPES: dict[Folder, Shape] = {
    # The smallest is for the cards of phones, which are near every first screen.
    "treatments": Shape(1200, 900, (288, 480, 800, 1200)),
    "cases": Shape(900, 600, (320, 600, 900)),
    "clinic": Shape(1200, 800, (480, 800, 1200)),
    "dentists": Shape(800, 1000, (240, 480, 800)),
    "videos": Shape(1280, 720, (640, 960, 1280)),
    # The posters of films' upright cuts, for phones.
    "upright": Shape(720, 900, (480, 720)),
    "hero": Shape(1600, 1000, (800, 1200, 1600)),
}


def export(source: Path, folder: Folder, name: str, images: Path = IMAGES) -> int:
    """Write one picture's files and its entry in the manifest; returns the size of its widest AVIF in bytes.

    Other proportions are cropped evenly on both sides. Raises ValueError when the picture is too small.
    """
    shape, most = SHAPES[folder], MAX_WEIGHT.get(folder)
    with Image.open(source) as opened:
        picture = cut(opened.convert("RGB"), shape)
    (images / folder).mkdir(parents=True, exist_ok=True)
    weight = 0
    for width in shape.widths:
        copy = picture.resize((width, round(width * shape.height / shape.width)), Image.Resampling.LANCZOS)
        for ending, options in FORMATS.items():
            file = images / folder / f"{name}-{width}.{ending}"
            size = save(copy, file, options, most and most * width // shape.width)
            weight = size if ending == "avif" else weight
    enter(images / "manifest.json", folder, name, mean_colour(picture))
    return weight


def save(picture: Image.Image, file: Path, options: Mapping[str, str | int], most: int | None) -> int:
    """Write one file.

    Args:
        picture: What to write.
        file: Where; its ending decides the format.
        options: The encoder's options.
        most: The most bytes that it may have, as far as the lowest quality allows.

    Returns:
        Its size in bytes.
    """
    quality = int(options["quality"])
    while True:
        picture.save(file, None, **{**options, "quality": quality})
        size = file.stat().st_size
        if most is None or size <= most or quality - QUALITY_STEP < MIN_QUALITY:
            return size
        quality -= QUALITY_STEP


def export_card(source: Path, file: Path = CARD_FILE) -> int:
    """Write the background of the link preview's picture, 1200 by 630; returns its size in bytes."""
    with Image.open(source) as opened:
        file.parent.mkdir(parents=True, exist_ok=True)
        cut(opened.convert("RGB"), Shape(1200, 630, (1200,))).save(file, quality=92, method=6)
    return file.stat().st_size


def cut(picture: Image.Image, shape: Shape) -> Image.Image:
    """The largest centred crop in the shape's proportions, scaled to its full size."""
    wide, high = picture.size
    scale = max(shape.width / wide, shape.height / high)
    if scale > 1:
        raise ValueError(f"It measures {wide}x{high}; at least {shape.width}x{shape.height} is needed.")
    size = max(shape.width, round(wide * scale)), max(shape.height, round(high * scale))
    scaled = picture.resize(size, Image.Resampling.LANCZOS)
    left, top = (size[0] - shape.width) // 2, (size[1] - shape.height) // 2
    return scaled.crop((left, top, left + shape.width, top + shape.height))


def mean_colour(picture: Image.Image) -> str:
    """The placeholder colour that pages show until the picture has loaded, as `#rrggbb`."""
    return f"#{picture.resize((1, 1), Image.Resampling.BOX).tobytes().hex()}"


def enter(manifest: Path, folder: Folder, name: str, colour: str) -> None:
    """Set one picture's entry in the manifest (its colour, under its folder's shape); keep the others."""
    folders = json.loads(manifest.read_text()) if manifest.exists() else {}
    colours = folders.get(folder, {}).get("colours", {}) | {name: colour}
    folders[folder] = asdict(SHAPES[folder]) | {"colours": dict(sorted(colours.items()))}
    text = json.dumps(dict(sorted(folders.items())), indent=2)
    # A list of numbers on one line, as the front end's formatter writes it.
    manifest.write_text(re.sub(r"\[[\d,\s]+\]", lambda found: _one_line(found[0]), text) + "\n")


def _one_line(numbers: str) -> str:
    return json.dumps(json.loads(numbers))
