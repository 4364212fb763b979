"""The product as the proofs set it up: its settings, its migrations, the environment of its processes."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from dev.run.plan import read_procfile
from dev.servers.server_process import ROOT
from sandbox import credentials

PROGRAMS = Path(sys.executable).parent
# The short set's value, instead of the product's own 60 seconds.
COMPRESSED = {"CRM_LEASE_SECONDS": "4"}
# Settings of this machine must not reach a process that is measured or judged.
_OURS = ("ZOHO_", "CRM_", "SMTP_", "MAIL_", "STAFF_", "WEB_", "DATABASE_", "REDIS_", "METRICS_", "ENVIRONMENT")


def settings(database_url: str, redis_url: str, crm_url: str) -> dict[str, str]:
    """The product's settings: the addresses."""
    addresses = {"DATABASE_URL": database_url, "REDIS_URL": redis_url}
    return {**addresses, **credentials.settings(crm_url)}


def environment(given: Mapping[str, str]) -> dict[str, str]:
    """A child's whole environment: this process's without the product's settings, then what is given."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(_OURS)}
    path = f"{PROGRAMS}{os.pathsep}{os.environ.get('PATH', os.defpath)}"
    return {**kept, "PATH": path, "PYTHONUNBUFFERED": "1", "PYTHONWARNINGS": "ignore", **given}


def procfile(name: str, *options: str) -> str:
    """A process's command, for the shell, as in the Procfile, with further options. The site lets a crowd in."""
    return " ".join([read_procfile(crowded=True)[name], *options])


def migrate(database_url: str, revision: str = "head", *, given: Mapping[str, str] | None = None) -> None:
    """Migrate a database, as a deployment does; `given` are further variables of its environment."""
    subprocess.run(
        [sys.executable, "-m", "alembic", "upgrade", revision],
        cwd=ROOT,
        env=os.environ | {"DATABASE_URL": database_url} | dict(given or {}),
        check=True,
        capture_output=True,
        text=True,
    )
