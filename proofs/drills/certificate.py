"""Certificates for servers on this machine, made with openssl."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Certificate:
    """A certificate for the name localhost, signed by itself, and its key."""

    certificate: Path
    key: Path

    @classmethod
    def make(cls, folder: Path, name: str) -> Certificate:
        """Make one, valid for a day."""
        made = cls(folder / f"{name}.pem", folder / f"{name}.key")
        words = [
            "req",
            "-x509",
            "-newkey",
            "ec",
            "-pkeyopt",
            "ec_paramgen_curve:prime256v1",
            "-nodes",
            "-days",
            "1",
        ]
        words += ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"]
        words += ["-out", str(made.certificate), "-keyout", str(made.key)]
        subprocess.run(["openssl", *words], check=True, capture_output=True)
        made.key.chmod(0o644)  # it lives for a day, on this machine
        return made
