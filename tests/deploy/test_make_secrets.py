"""The script that makes a deployment's secrets: long, different, kept when they exist."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from leads.settings import read_settings

SCRIPT = Path(__file__).parents[2] / "deploy" / "make-secrets.sh"


def make(folder):
    command = ["sh", str(SCRIPT)]
    subprocess.run(
        command, env=os.environ | {"SECRETS_DIR": str(folder)}, check=True, capture_output=True, timeout=20
    )
    return {path.name: path.read_text().strip() for path in folder.iterdir()}


def test_secrets_are_made_once(tmp_path):
    folder = tmp_path / "secrets"
    first = make(folder)
    assert make(folder) == first
    generated = [first[name] for name in first if name.endswith("password") or name == "erasure_key"]
    assert len(set(generated)) == len(generated) == 5
    assert all(len(text) == 48 for text in generated)
    assert folder.stat().st_mode & 0o777 == 0o700


def test_the_product_reads_them_as_files(tmp_path):
    folder = tmp_path / "secrets"
    secrets = make(folder)
    names = ("database_url", "redis_url", "erasure_key", "zoho_client_secret", "smtp_url")
    settings = read_settings({f"{name.upper()}_FILE": str(folder / name) for name in names})
    assert settings.database_url.endswith(secrets["database_url"].removeprefix("postgresql"))
    assert (settings.redis_url, settings.erasure_key) == (secrets["redis_url"], secrets["erasure_key"])
    assert (settings.zoho_client_secret, settings.smtp_url) == ("", "")
