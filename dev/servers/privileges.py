"""How root runs a program that refuses to run as root (PostgreSQL does), without changing the system.

No user is made and no folder's mode is widened: the program runs as `nobody`, and may still reach files
below private folders such as /root because it keeps the one capability for that.
"""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
from functools import cache


def owner(path: str | os.PathLike[str]) -> int:
    """The user id that such a program runs as: ours; for root the owner of `path`, or `nobody` if that is root."""
    if os.geteuid() != 0:
        return os.geteuid()
    return os.stat(path).st_uid or pwd.getpwnam("nobody").pw_uid  # noqa: PTH116 - also takes strings


@cache
def as_user(user: int) -> tuple[str, ...]:
    """The words to put before a command so that it runs as `user`; none when that is who we are."""
    if os.geteuid() == user:
        return ()
    setpriv = shutil.which("setpriv")
    if setpriv is None:
        raise RuntimeError("PostgreSQL refuses to run as root: use another user, or install setpriv")
    group = pwd.getpwuid(user).pw_gid
    plain = (setpriv, f"--reuid={user}", f"--regid={group}", "--clear-groups")
    reaching = (*plain, "--inh-caps=+dac_override", "--ambient-caps=+dac_override")
    # A container may have given that capability away; then the folders must be reachable as they are.
    works = subprocess.run((*reaching, "true"), capture_output=True, check=False).returncode == 0
    return reaching if works else plain
