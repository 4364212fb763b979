"""The record of how each picture was rendered, renders.json: how finely, and what it costs to render it again.

Only the process that renders writes it. A photograph that replaces a render takes its line away.
"""

import json
from pathlib import Path

from tools.pictures.picture import Picture

RECORD = Path(__file__).parent / "renders.json"


def enter(picture: Picture, seconds: float, record: Path = RECORD) -> None:
    """Set one picture's line: its size, the light paths per pixel, and the seconds of processor time."""
    lines = read(record)
    lines[picture.name] = {
        "width": picture.width,
        "height": picture.height,
        "samples": picture.samples,
        "seconds": round(seconds),
    }
    write(lines, record)


def leave(name: str, record: Path = RECORD) -> None:
    """Take a picture's line away."""
    lines = read(record)
    if lines.pop(name, None):
        write(lines, record)


def read(record: Path = RECORD) -> dict[str, dict[str, int]]:
    """The lines by the pictures' names."""
    return json.loads(record.read_text()) if record.exists() else {}


def write(lines: dict[str, dict[str, int]], record: Path) -> None:
    """Write all lines, one a picture, sorted."""
    rows = [f"  {json.dumps(name)}: {json.dumps(lines[name])}" for name in sorted(lines)]
    record.write_text("{\n" + ",\n".join(rows) + "\n}\n")
