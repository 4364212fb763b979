"""What the launcher's tests share."""

from __future__ import annotations

import shutil

import pytest

from dev.servers.server_process import ROOT


@pytest.fixture
def clone(tmp_path):
    """A folder with the Makefile and the launcher alone: no packages, no pages, no `.env`."""
    folder = tmp_path / "clone"
    for name in ("Makefile", "dev/__init__.py", "dev/run", "dev/servers", "sandbox"):
        source, target = ROOT / name, folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copytree(source, target) if source.is_dir() else shutil.copy(source, target)
    return folder
