"""The number of the release."""

import tomllib
from functools import cache
from pathlib import Path


@cache
def read_version() -> str:
    """Return the version that pyproject.toml says; every deployment has that file beside the code."""
    project = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text("utf-8"))["project"]
    return str(project["version"])
