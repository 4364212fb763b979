"""`python -m tools.pictures` renders the pictures of the site and exports them for its pages (`make pictures`)."""

import argparse
import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from tools.pictures import film, renders, studio
from tools.pictures.encode import encode
from tools.pictures.export import CARD, IMAGES, export, export_card
from tools.pictures.picture import Picture
from tools.pictures.scenes import hero, implants, rooms, smiles
from tools.pictures.walk import command as walk

PICTURES = {picture.name: picture for group in (hero, smiles, implants, rooms) for picture in group.PICTURES}
DRAFT_SAMPLES = 12
DRAFT_SHARE = 3
FILM = "film"
FILMS = (FILM, walk.NAME)
EXAMPLES = """examples:
  make pictures                                    everything, then the files for the pages
  make pictures ARGS="reception scanner"           two of them
  make pictures ARGS="hero --draft"                quick: a third of the size, few samples, no export
  make pictures ARGS=film                          the presentation film, WebM and MP4
  make pictures ARGS="walk --threads 1"            the walk through the clinic; goes on where it was stopped
  make pictures ARGS=--export-only                 write the pages' files again from earlier renders
To replace a render by a photograph: .venv/bin/python -m tools.pictures.photograph clinic reception.jpg
"""


def parser() -> argparse.ArgumentParser:
    """The command line."""
    line = argparse.ArgumentParser(
        prog="python -m tools.pictures",
        description="Render the site's pictures with Blender (on the processor) and export them as AVIF and WebP.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    line.add_argument("names", nargs="*", metavar="NAME", help="pictures to render, film or walk (default: all)")
    line.add_argument("--list", action="store_true", help="list the pictures and stop")
    line.add_argument(
        "--draft", action="store_true", help="a third of the size, 12 samples, into the folder draft; no export"
    )
    line.add_argument("--size", type=int, metavar="WIDTH", help="width in pixels; the height follows")
    line.add_argument("--samples", type=int, metavar="N", help="light paths per pixel instead of the picture's own")
    line.add_argument(
        "--threads", type=int, metavar="N", default=2, help="threads that render the walk (default 2)"
    )
    only = line.add_mutually_exclusive_group()
    only.add_argument("--export-only", action="store_true", help="render nothing, export earlier renders")
    only.add_argument("--no-export", action="store_true", help="render only")
    return line


def chosen(names: list[str]) -> list[Picture]:
    """The named pictures, or all if no name is given; raises LookupError for unknown names."""
    if unknown := [name for name in names if name not in PICTURES]:
        raise LookupError(f"No picture is called {', '.join(unknown)}. There are: {', '.join(sorted(PICTURES))}.")
    return [PICTURES[name] for name in names or PICTURES]


def sized(picture: Picture, options: argparse.Namespace) -> Picture:
    """The picture at the size and with the samples that the options ask for."""
    width = options.size or (picture.width // DRAFT_SHARE if options.draft else picture.width)
    samples = options.samples or (DRAFT_SAMPLES if options.draft else picture.samples)
    return replace(picture, width=width, height=round(width * picture.height / picture.width), samples=samples)


@contextmanager
def quiet() -> Iterator[None]:
    """Discard what is written to descriptor 1: Blender logs there from C while it renders."""
    sys.stdout.flush()
    kept = os.dup(1)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    try:
        yield
    finally:
        sys.stdout.flush()
        os.dup2(kept, 1)
        os.close(nowhere)
        os.close(kept)


def render(pictures: list[Picture], folder: Path, *, record: bool) -> None:
    """Render each into `folder`/NAME.png and print how long it took; `record` enters it in renders.json."""
    folder.mkdir(parents=True, exist_ok=True)
    for number, picture in enumerate(pictures, 1):
        print(f"[{number}/{len(pictures)}] {picture.name} {picture.width}x{picture.height} … ", end="", flush=True)
        began = time.process_time()
        with quiet():
            picture.build()
            studio.settle(picture.width, picture.height, picture.samples)
            studio.shoot(folder / f"{picture.name}.png")
        spent = time.process_time() - began
        print(f"{spent:.0f} s of processor time", flush=True)
        if record:
            renders.enter(picture, spent)
    print(f"Rendered into {folder}")


def export_rendered(pictures: list[Picture], folder: Path) -> bool:
    """Write the pages' files from the renders in `folder`; False when some have not been rendered yet."""
    absent = [picture.name for picture in pictures if not (folder / f"{picture.name}.png").exists()]
    for picture in pictures:
        source = folder / f"{picture.name}.png"
        if picture.name in absent:
            continue
        weight = export_card(source) if picture.name == CARD else export(source, picture.folder, picture.name)
        print(f"{picture.folder}/{picture.name}: {weight / 1000:.0f} kB")
    if absent:
        print(f"Not rendered yet: {', '.join(absent)}", file=sys.stderr)
    return not absent


def render_film(folder: Path) -> None:
    """Render the presentation film's frames into `folder` and encode them for the pages."""
    with quiet():
        count = film.render_film(
            folder, lambda done, every: print(f"pose {done}/{every}", file=sys.stderr, flush=True)
        )
        weights = {
            form: encode(folder, count, film.RATE, IMAGES / f"videos/presentation.{form}")
            for form in ("webm", "mp4")
        }
    print(", ".join(f"presentation.{form}: {weight / 1000:.0f} kB" for form, weight in weights.items()))


def render_walk(folder: Path, threads: int) -> None:
    """Render what is missing of the walk in `folder`, and encode it for the pages."""
    with quiet():
        weights = walk.make_walk(folder, threads)
    print(", ".join(weights))


def listed(pictures: list[Picture]) -> None:
    """Print one line per picture."""
    for picture in pictures:
        size = f"{picture.width}x{picture.height}"
        print(f"{picture.name:30} {picture.folder:12} {size:10} {picture.samples} samples")
    print(f"{FILM:30} {'videos':12} {film.WIDTH}x{film.HEIGHT}    {film.SAMPLES} samples")
    line = walk.recorded()
    print(f"{line.name:30} {line.folder:12} {line.width}x{line.height}   {line.samples} samples")


def main() -> int:
    """Run the command line; returns 2 for an unknown name, 1 when a picture to export has not been rendered yet."""
    options = parser().parse_args()
    named = [name for name in options.names if name not in FILMS]
    try:
        pictures = chosen(named) if named or not options.names else []
    except LookupError as unknown:
        print(unknown.args[0], file=sys.stderr)
        return 2
    if options.list:
        listed(pictures)
        return 0
    folder = (Path(os.environ.get("DATA_DIR") or ".data") / "pictures").resolve()
    quick = options.draft or options.size or options.samples
    if pictures and not options.export_only:
        render(
            [sized(picture, options) for picture in pictures],
            folder / "draft" if quick else folder,
            record=not quick,
        )
    exported = bool(options.no_export or quick) or export_rendered(pictures, folder)
    if not (quick or options.export_only) and (FILM in options.names or not options.names):
        render_film(folder / FILM)
    if not (quick or options.export_only) and (walk.NAME in options.names or not options.names):
        render_walk(folder / walk.NAME, options.threads)
    return 0 if exported else 1


if __name__ == "__main__":
    sys.exit(main())
