"""The files of earlier builds, for pages that were opened before a deployment: served for 30 days.

All processes of the site share the folder, and look into it at each request: those of the build before have the
files of the next one too.
"""

from __future__ import annotations

import logging
import os
import re
import shutil
import time
from pathlib import Path

log = logging.getLogger(__name__)

KEPT_SECONDS = 30 * 86_400
IN_USE = 4_000_000_000  # the time of a file of the newest build; that of another is when it was replaced
HASHED = ("/assets/", "/arrival-")  # names with a hash of the content; the second is the pages' first script
_ADDRESS = re.compile(rf"(?:{'|'.join(HASHED)})[\w-][\w.-]{{0,199}}", re.ASCII)


def find_kept(folder: Path | None, address: str) -> Path | None:
    """Return the kept file of an address; None without one."""
    file = folder / address[1:] if folder and _ADDRESS.fullmatch(address) else None
    return file if file and file.is_file() else None


def keep_files(build: Path, folder: Path) -> None:
    """Keep the hashed files of the build that is about to be served, and delete those that no page needs any more.

    Where the folder cannot be written, what is in it is served all the same.
    """
    own = {path.relative_to(build).as_posix() for path in build.rglob("*") if path.is_file()}
    try:
        for name in (name for name in own if _ADDRESS.fullmatch(f"/{name}") and not (folder / name).is_file()):
            beside = folder / f"{name}.{os.getpid()}~"  # no address: nobody gets half of it
            beside.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(build / name, beside)
            beside.replace(folder / name)
        for file in (path for path in folder.rglob("*") if path.is_file()):
            since = file.stat().st_mtime
            if file.relative_to(folder).as_posix() in own:
                os.utime(file, (IN_USE, IN_USE))
            elif since == IN_USE:
                os.utime(file)
            elif since < time.time() - KEPT_SECONDS:
                file.unlink(missing_ok=True)
    except OSError as error:
        reason = os.strerror(error.errno or 0)
        log.warning("cannot keep this build's files in %s (%s): pages open now miss them", folder, reason)
