"""The operator's commands find the product that was started here, or explain that there is none."""

import os
import subprocess
import sys

import pytest

from tools.servers.state_files import load_environment, save_environment

pytestmark = pytest.mark.slow


def operate(data, *words):
    environ = {name: value for name, value in os.environ.items() if not name.startswith(("DATABASE_", "REDIS_"))}
    command = [sys.executable, "-m", "tools.run", "--operate", "--", *words]
    environ |= {"DATA_DIR": str(data)}
    return subprocess.run(command, env=environ, check=False, capture_output=True, text=True)


def test_the_running_products_queue_is_asked(tmp_path, database_url):
    save_environment(tmp_path, {"DATABASE_URL": database_url, "ZOHO_CLIENT_ID": "x", "SECRET_OF_A_SHELL": "hush"})
    assert load_environment(tmp_path) == {"DATABASE_URL": database_url, "ZOHO_CLIENT_ID": "x"}
    assert (tmp_path / "environment.json").stat().st_mode & 0o077 == 0
    done = operate(tmp_path, "status")
    assert done.returncode == 0, done.stderr
    assert "No rows yet." in done.stdout


def test_without_a_product_it_says_what_to_do(tmp_path):
    done = operate(tmp_path, "status")
    assert done.returncode == 1
    assert "make run" in done.stderr
