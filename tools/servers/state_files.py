"""Values saved in a file: the port of an embedded server, a generated password, the product's environment.

Nothing here starts or stops anything.
"""

import json
import random
import secrets
import socket
from collections.abc import Mapping
from pathlib import Path

# Below the kernel's ephemeral range (32768 on Linux, 49152 on macOS): while our server is down, any outgoing
# connection can take a port of that range, and a client that retries can even connect to itself.
_CHOICE = range(15_000, 32_000)


def refusal(port: int, host: str = "127.0.0.1") -> OSError | None:
    """Why no server could listen on `port` now; None if one could."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            return error
    return None


def free_port() -> int:
    """A port on loopback that is free at this moment."""
    chooser = random.SystemRandom()
    for _ in range(200):
        port = chooser.choice(_CHOICE)
        if refusal(port) is None:
            return port
    raise RuntimeError(f"no free port between {_CHOICE.start} and {_CHOICE.stop}")


def saved_port(file: Path) -> int:
    """The port saved in `file` if it is still free, else a new one, saved there."""
    if file.exists():
        port = int(file.read_text())
        if refusal(port) is None:
            return port
    port = free_port()
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f"{port}\n")
    return port


def saved_password(file: Path) -> str:
    """The password saved in `file` (mode 600), generated if there is none."""
    if not file.exists():
        file.parent.mkdir(parents=True, exist_ok=True)
        file.touch(mode=0o600)
    password = file.read_text().strip()
    if not password:
        password = secrets.token_urlsafe(18)
        file.write_text(f"{password}\n")
    return password


# What the operator's commands read; nothing else of the environment is saved.
_OPERATOR_SETTINGS = (
    "DATABASE_URL",
    "REDIS_URL",
    "ZOHO_",
    "CRM_",
    "ENVIRONMENT",
    "ERASURE_",
    "SMTP_",
    "MAIL_",
    "RETENTION_",
    "ADDRESS_",
)


def save_environment(data: Path, environ: Mapping[str, str]) -> None:
    """Save the part of the product's environment that operators need (mode 600: it contains passwords)."""
    file = data / "environment.json"
    file.touch(mode=0o600)
    file.write_text(
        json.dumps({name: environ[name] for name in environ if name.startswith(_OPERATOR_SETTINGS)}, indent=2)
    )


def load_environment(data: Path) -> dict[str, str]:
    """What `save_environment` saved there last; empty if nothing was."""
    file = data / "environment.json"
    return dict(json.loads(file.read_text())) if file.exists() else {}
