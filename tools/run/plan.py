"""The product's environment, and what would stop a start: asked with Python's own library, before packages come."""

import fcntl
import re
import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import IO

from tools.servers.server_process import ROOT, ServerError
from tools.servers.state_files import free_port, refusal

PORTS = ("PORT", "FLOWER_PORT", "SANDBOX_PORT")
_DEFAULTS = {"PORT": "8000", "FLOWER_PORT": "5555", "SANDBOX_PORT": "8900", "DATA_DIR": ".data"}
_CREDENTIALS = ("ZOHO_CLIENT_ID", "ZOHO_CLIENT_SECRET", "ZOHO_REFRESH_TOKEN")
# What a product of its own must not take over from the machine: real stores, a real CRM, real mail.
_REAL = ("ZOHO_", "FLOWER_", "METRICS_", "DATABASE_URL", "REDIS_URL", "SMTP_", "MAIL_", "STAFF_", "LEAD_WEBHOOK_")


def read_procfile(*, crowded: bool = False) -> dict[str, str]:
    """The Procfile's commands by process (`release`: the migrations); `crowded`: with limits that stop no crowd."""
    lines = (ROOT / "Procfile").read_text().splitlines()
    commands = dict(line.split(": ", 1) for line in lines if ": " in line)
    return commands | {"web": commands["web"].replace("-m web", "-m tools.crowded_site")} if crowded else commands


def read_environ(environ: Mapping[str, str], env_file: Path) -> dict[str, str]:
    """The environment takes precedence over the file; an empty variable counts as unset."""
    values = {**_DEFAULTS, **_read_env_file(env_file), **{name: value for name, value in environ.items() if value}}
    missing = [name for name in _CREDENTIALS if name not in values]
    if 0 < len(missing) < len(_CREDENTIALS):
        raise ServerError(f"{', '.join(missing)} must be set too, or none of the three, for the sandbox")
    return values | {"DATA_DIR": str(ROOT / Path(values["DATA_DIR"]).expanduser())}


def ephemeral_environ(environ: Mapping[str, str], data: Path) -> dict[str, str]:
    """Free ports, every field in the CRM, and nothing touched but `data`: no `.env`, no real stores or CRM."""
    kept = {name: value for name, value in environ.items() if value and not name.startswith(_REAL)}
    ports = {free_port() for _ in range(20)}
    return kept | {name: str(ports.pop()) for name in PORTS} | {"DATA_DIR": str(data), "ZOHO_FIELDS": "all"}


def uses_sandbox(environ: Mapping[str, str]) -> bool:
    """Whether the sandbox stands in for the CRM, because no credentials are set."""
    return _CREDENTIALS[0] not in environ


def lock(data: Path) -> IO[str]:
    """The lock of a data directory, held until it is closed; `ServerError` when another launcher works there."""
    try:
        data.mkdir(parents=True, exist_ok=True)
        file = (data / "launcher.lock").open("w")
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise ServerError(f"The product already runs on {data}. Stop it, or set DATA_DIR=… and PORT=…") from None
    except OSError as error:
        raise ServerError(f"DATA_DIR {data} cannot be used: {error.strerror}; set DATA_DIR=…") from error
    return file


def check_ports(environ: Mapping[str, str]) -> None:
    """`ServerError` for the first port on which nothing can listen, naming the variable that changes it."""
    for name in PORTS if uses_sandbox(environ) else PORTS[:2]:
        port = environ[name]
        if not re.fullmatch(r"[1-9]\d{0,4}", port) or int(port) > 65_535:
            raise ServerError(f"{name} must be a port number, from 1 to 65535")
        if error := refusal(int(port)):
            raise ServerError(f"{name} {port}: {error.strerror}; set {name}=…")


def _read_env_file(file: Path) -> dict[str, str]:
    """The variables of NAME=value lines, quoted as in a shell; empty values and comments are left out."""
    values = {}
    for line in file.read_text().splitlines() if file.exists() else ():
        name, equals, text = line.partition("=")
        try:
            value = "".join(shlex.split(text, comments=True))
        except ValueError as error:
            raise ServerError(f"{file}, {name}: {error}") from error
        if equals and value and name.strip().isidentifier():
            values[name.strip()] = value
    return values
