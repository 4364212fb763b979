"""The script that makes a deployment's secrets: long, different, kept when they exist."""

import os
import subprocess
from pathlib import Path

import pytest
import yaml

from leads.settings import read_settings
from web.__main__ import NEEDED as NEEDED_BY_SITE
from worker.context import NEEDED as NEEDED_BY_WORKERS

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / "deploy" / "make-secrets.sh"
SERVICES = yaml.safe_load((ROOT / "docker-compose.yml").read_text())["services"]
NUMBERS = {"CLINIC_PHONE": "+90 212 555 01 02", "WHATSAPP_NUMBER": "905325550102"}  # of .env


def make(folder, *words):
    command = ["sh", str(SCRIPT), *words]
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
    settings = read_settings({"CREDENTIALS_DIRECTORY": str(folder)})
    assert settings.database_url.endswith(secrets["database_url"].removeprefix("postgresql"))
    assert (settings.redis_url, settings.erasure_key) == (secrets["redis_url"], secrets["erasure_key"])
    assert (settings.zoho_client_secret, settings.smtp_url) == ("", "")


@pytest.mark.parametrize(
    ("service", "needed"),
    [("migrate", ()), ("web", NEEDED_BY_SITE), ("worker", NEEDED_BY_WORKERS), ("flower", ())],
)
def test_every_service_starts_in_production_with_what_compose_gives_it(tmp_path, service, needed):
    made, given = make(tmp_path / "secrets"), tmp_path / "given"
    given.mkdir()
    for secret in SERVICES[service]["secrets"]:
        names = secret if isinstance(secret, dict) else {"source": secret, "target": secret}
        (given / names["target"]).write_text(made[names["source"]])
    environment = SERVICES[service]["environment"]
    assert environment["CREDENTIALS_DIRECTORY"] == "/run/secrets"
    settings = read_settings({**NUMBERS, **environment, "CREDENTIALS_DIRECTORY": str(given)}, needed=needed)
    assert settings.environment == "production"
    assert "@postgres:5432/clinic" in settings.database_url
