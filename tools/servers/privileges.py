"""How root runs a program that refuses to run as root (PostgreSQL does), without changing the system.

No user is created and no folder's mode is widened: the program runs as `nobody` and keeps the one capability that
lets it reach files below private folders such as /root. PostgreSQL looks for its own programs with access(2), which
ignores the capabilities of other users than root unless the securebit no_setuid_fixup is set.
"""

import os
import pwd
import shutil
import subprocess
from functools import cache

from tools.servers.server_process import ServerError


def owner(path: str | os.PathLike[str]) -> int:
    """The user id to run such a program with: ours; for root the owner of `path`, or `nobody` if that is root."""
    if os.geteuid() != 0:
        return os.geteuid()
    return os.stat(path).st_uid or pwd.getpwnam("nobody").pw_uid  # noqa: PTH116 - also takes strings


@cache
def as_user(user: int) -> tuple[str, ...]:
    """The prefix of a command that runs it as `user`; empty if we are that user."""
    if os.geteuid() == user:
        return ()
    setpriv = shutil.which("setpriv")
    if setpriv is None:
        raise ServerError("PostgreSQL refuses to run as root: use another user, or install setpriv")
    group = pwd.getpwuid(user).pw_gid
    plain = (setpriv, f"--reuid={user}", f"--regid={group}", "--clear-groups")
    keeping = ("--inh-caps=+dac_override", "--ambient-caps=+dac_override", "--securebits=+no_setuid_fixup")
    reaching = (*plain, *keeping)
    # A container may lack that capability; then the folders must be reachable without it.
    works = subprocess.run((*reaching, "true"), capture_output=True, check=False).returncode == 0
    return reaching if works else plain
