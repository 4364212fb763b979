"""Where servers keep data that may be lost: in memory, where the files of a database cost less to make and drop."""

import shutil
from pathlib import Path

import psutil

MEMORY = Path("/dev/shm")  # noqa: S108 - each folder in it is made for its owner alone
# Four clusters run side by side, each with up to a GB of write-ahead log and some databases.
ROOM = 6 << 30


def scratch() -> Path | None:
    """The folder for temporary folders; None, the usual one, where there is no such file system or little room."""
    try:
        room = shutil.disk_usage(MEMORY).free
    except OSError:
        return None
    return MEMORY if min(room, psutil.virtual_memory().available) > ROOM else None
