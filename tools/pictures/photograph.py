"""`python -m tools.pictures.photograph FOLDER FILE…` exports a clinic's own photographs for the pages."""

import argparse
import sys
from pathlib import Path

from tools.pictures import renders
from tools.pictures.export import SHAPES, export


def main() -> int:
    """Export each file under its own name; returns 1 when one is too small or not a picture."""
    line = argparse.ArgumentParser(
        prog="python -m tools.pictures.photograph",
        description="Write photographs as the pages need them: AVIF and WebP in several widths. The file's name, "
        "without its ending, is the name that content uses; a picture of that name is replaced.",
    )
    line.add_argument("folder", choices=tuple(SHAPES), help="where pages show them")
    line.add_argument("files", nargs="+", type=Path, metavar="FILE", help="JPEG, PNG, TIFF, …")
    options = line.parse_args()
    for file in options.files:
        try:
            weight = export(file, options.folder, file.stem)
        except (OSError, ValueError) as refused:
            print(f"{file}: {refused}", file=sys.stderr)
            return 1
        renders.leave(file.stem)
        print(f"{options.folder}/{file.stem}: {weight / 1000:.0f} kB at its widest")
    return 0


if __name__ == "__main__":
    sys.exit(main())
