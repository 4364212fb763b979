"""The files of earlier builds, for pages that were opened before a deployment: served for 30 days.

Only files whose name has a hash of their content are kept; all processes of the site share the folder. It is looked
into at each request, so a process of the build before also has the files of the next one.
"""

from __future__ import annotations

import logging
import os
import re
import shutil
import time
from pathlib import Path

from web.site import HASHED

log = logging.getLogger(__name__)

KEPT_SECONDS = 30 * 86_400
# Lists the files of the build that is served now. The next build renews their times, so a kept file's time is when
# its build was replaced.
PRESENT = "present"
_ENCODED = (".br", ".gz")
_ADDRESS = re.compile(rf"(?:{'|'.join(HASHED)})[\w-][\w.-]{{0,199}}", re.ASCII)


class KeptFiles:
    """The folder in which files are kept; None: no files are kept."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder

    def find(self, address: str) -> Path | None:
        """Return the kept file of an address; None without one."""
        if self._folder is None or not _ADDRESS.fullmatch(address):
            return None
        file = self._folder / address[1:]
        return file if file.is_file() else None

    def add(self, build: Path) -> None:
        """Keep the files of the build that is about to be served, and delete those that no page needs any more.

        Where the folder cannot be written, what is in it is served all the same.
        """
        if self._folder is None:
            return
        try:
            kept, removed = self._replace(build, self._folder)
            log.info("kept files of earlier builds: %d added, %d removed", kept, removed)
        except OSError as error:
            reason = os.strerror(error.errno or 0)
            log.warning("cannot keep this build's files in %s (%s): pages open now miss them", self._folder, reason)

    def _replace(self, build: Path, folder: Path) -> tuple[int, int]:
        """Add the build's files, delete old ones; return how many of each."""
        folder.mkdir(parents=True, exist_ok=True)
        present, added = folder / PRESENT, 0
        served = set(present.read_text().splitlines()) if present.is_file() else set()
        own = sorted(_files_of(build))
        for name in own:
            if not (folder / name).is_file():
                _copy(build / name, folder / name)
                added += 1
        for name in served.union(own):
            if _ADDRESS.fullmatch(f"/{name}") and (folder / name).is_file():
                os.utime(folder / name)
        _write(present, "\n".join(own))
        oldest = time.time() - KEPT_SECONDS
        gone = [name for name in _files_of(folder) if (folder / name).stat().st_mtime < oldest]
        for name in gone:
            (folder / name).unlink(missing_ok=True)
        return added, len(gone)


def _files_of(folder: Path) -> list[str]:
    """The hashed files of a build or of the kept ones, by name; without their compressed copies."""
    found = (path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())
    return [name for name in found if _ADDRESS.fullmatch(f"/{name}") and not name.endswith(_ENCODED)]


def _copy(source: Path, target: Path) -> None:
    """Copy a file at one stroke: several processes may start at once, and none may serve a part of it."""
    target.parent.mkdir(parents=True, exist_ok=True)
    beside = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        shutil.copyfile(source, beside)
        beside.replace(target)
    finally:
        beside.unlink(missing_ok=True)


def _write(file: Path, text: str) -> None:
    beside = file.with_name(f".{file.name}.{os.getpid()}")
    beside.write_text(text)
    beside.replace(file)
