"""What is to be started and where, read from the environment and `.env`. Nothing is started here.

Only Python's own library is used: the plan is checked before any package is fetched (dev/run/preflight.py).
"""

from __future__ import annotations

import os
import re
import shlex
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from dev.servers.server_process import ROOT
from sandbox import credentials

_PROCFILE_LINE = re.compile(r"([A-Za-z0-9_-]+):\s*(.+)")
_ENV_LINE = re.compile(r"\s*([A-Za-z_]\w*)\s*=(.*)")
# Any user may run the product here, root included; Celery warns of that in eight lines.
_AS_ROOT = "ignore:You're running the worker with superuser privileges"
CREDENTIALS = ("ZOHO_CLIENT_ID", "ZOHO_CLIENT_SECRET", "ZOHO_REFRESH_TOKEN")


class PlanError(Exception):
    """The product cannot be started with these settings; the message says what to change."""


@dataclass(frozen=True, kw_only=True)
class Plan:
    """Ports, addresses and the data directory. An empty address means the embedded server.

    crowded: the site's limits stop no crowd from this machine. image: the root folder of a container's image, out
    of which the product's processes run.
    """

    data: Path
    port: int
    flower_port: int
    sandbox_port: int
    metrics_port: int = 0
    database_url: str = ""
    redis_url: str = ""
    sandbox: bool = True
    crowded: bool = False
    image: Path | None = None
    environ: dict[str, str] = field(repr=False)

    @property
    def base_url(self) -> str:
        """The site's address."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def flower_url(self) -> str:
        """Flower's address."""
        return f"http://127.0.0.1:{self.flower_port}"

    @property
    def sandbox_url(self) -> str:
        """The CRM sandbox's address, whether or not it is started."""
        return f"http://127.0.0.1:{self.sandbox_port}"

    @property
    def sandbox_mail(self) -> bool:
        """Whether mail goes to the sandbox, because no server is set."""
        return self.sandbox and not self.environ.get("SMTP_URL")

    @property
    def ports(self) -> list[tuple[str, int, str]]:
        """The ports in use: the variable that sets the port, the port, what listens there."""
        listed = [("PORT", self.port, "the site"), ("FLOWER_PORT", self.flower_port, "Flower")]
        if self.sandbox:
            listed.append(("SANDBOX_PORT", self.sandbox_port, "the CRM sandbox"))
        if self.metrics_port:
            listed.append(("METRICS_PORT", self.metrics_port, "the metrics"))
        return listed


def read_procfile(*, crowded: bool = False) -> dict[str, str]:
    """The commands of the Procfile by process name (`release`: the migrations), for /bin/sh.

    crowded: with limits that stop no crowd from this machine.
    """
    lines = (ROOT / "Procfile").read_text().splitlines()
    commands = {match[1]: match[2] for line in lines if (match := _PROCFILE_LINE.match(line))}
    return commands | {"web": commands["web"].replace("-m web", "-m dev.crowded_site")} if crowded else commands


def read_env_file(file: Path) -> dict[str, str]:
    """The variables of a file of NAME=value lines, quoted as in a shell; empty values and comments are left out."""
    values: dict[str, str] = {}
    for number, line in enumerate(file.read_text().splitlines(), 1):
        if match := _ENV_LINE.match(line):
            try:
                value = "".join(shlex.split(match[2], comments=True))
            except ValueError as error:
                raise PlanError(f"{file}, line {number}: {error}") from error
            values |= {match[1]: value} if value else {}
    return values


def read_plan(environ: Mapping[str, str], env_file: Path) -> Plan:
    """The plan of `make run`; the environment takes precedence over the file, an empty variable counts as unset."""
    values = read_env_file(env_file) if env_file.exists() else {}
    values |= {name: value for name, value in environ.items() if value or name not in values}
    present = [name for name in CREDENTIALS if values.get(name)]
    if present and len(present) < len(CREDENTIALS):
        missing = ", ".join(name for name in CREDENTIALS if name not in present)
        raise PlanError(f"{missing} must be set too (or none of {', '.join(CREDENTIALS)}, for the sandbox)")
    return Plan(
        data=ROOT / Path(values.get("DATA_DIR") or ".data").expanduser(),
        port=_port(values, "PORT", 8000),
        flower_port=_port(values, "FLOWER_PORT", 5555),
        sandbox_port=_port(values, "SANDBOX_PORT", 8900),
        metrics_port=_port(values, "METRICS_PORT", 0),
        database_url=values.get("DATABASE_URL", ""),
        redis_url=values.get("REDIS_URL", ""),
        sandbox=not present,
        environ=values,
    )


def children_environ(
    plan: Plan, *, database_url: str, redis_url: str, flower_login: str, mail_port: int = 0
) -> dict[str, str]:
    """The environment of every process of the product.

    Args:
        plan: ports, data directory and settings.
        database_url: of the embedded or the given PostgreSQL.
        redis_url: of the embedded or the given Redis.
        flower_login: "user:password".
        mail_port: where the sandbox receives mail; 0: nowhere.
    """
    programs = str(Path(sys.executable).parent)
    environ = plan.environ | {
        "PATH": f"{programs}{os.pathsep}{plan.environ.get('PATH', os.defpath)}",
        "PYTHONUNBUFFERED": "1",
        "PYTHONWARNINGS": plan.environ.get("PYTHONWARNINGS", _AS_ROOT),
        "DATA_DIR": str(plan.data),
        "KEPT_FILES_DIR": plan.environ.get("KEPT_FILES_DIR") or str(plan.data / "kept"),
        "HOST": "127.0.0.1",
        "PORT": str(plan.port),
        "FLOWER_PORT": str(plan.flower_port),
        "FLOWER_BASIC_AUTH": flower_login,
        "DATABASE_URL": database_url,
        "REDIS_URL": redis_url,
    }
    if plan.sandbox:
        environ |= credentials.settings(plan.sandbox_url)
    if mail_port:
        environ["SMTP_URL"] = f"smtp://127.0.0.1:{mail_port}"
        mail = {"MAIL_FROM": "Clinic enquiries <enquiries@clinic.example>", "STAFF_MAIL_TO": "sales@clinic.example"}
        environ = mail | environ
    return environ


def _port(values: Mapping[str, str], name: str, default: int) -> int:
    text = values.get(name) or str(default)
    if not text.isdigit() or not min(default, 1) <= int(text) <= 65_535:
        raise PlanError(f"{name} must be a port number, from 1 to 65535")
    return int(text)
