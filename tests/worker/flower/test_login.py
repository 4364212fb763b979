"""Nothing without a login but the health check, and no frame may hold Flower."""

from __future__ import annotations

import subprocess

import pytest

from dev.run.plan import read_procfile
from dev.servers.server_process import ROOT

pytestmark = pytest.mark.slow
PATHS = ("/workers", "/tasks", "/broker", "/metrics", "/api/workers", "/api/tasks", "/outbox")


def test_everything_but_the_health_check_needs_the_login(flower_environment, start_flower, tmp_path, capfd):
    login = tmp_path / "login"
    login.write_text("operator:from a file\n")
    variables = {**flower_environment, "FLOWER_BASIC_AUTH": "", "FLOWER_BASIC_AUTH_FILE": str(login)}
    with start_flower(variables) as flower:
        for given, expected in ((None, 401), ("operator:a wrong one", 401), ("operator:from a file", 200)):
            statuses = {path: flower.ask(path, login=given)[0].status for path in PATHS}
            assert statuses == dict.fromkeys(PATHS, expected)
        answer, _ = flower.ask("/workers", login="operator:from a file")
        assert answer.getheader("X-Frame-Options") == "DENY"
        assert answer.getheader("Content-Security-Policy") == "frame-ancestors 'none'"
        assert answer.getheader("Server") is None
    assert "celery.chord" not in "".join(capfd.readouterr())  # Flower's own start lists every task


@pytest.mark.parametrize(
    ("given", "words"),
    [
        *(
            ({"FLOWER_BASIC_AUTH": login}, "must be user:password")
            for login in ("", "operator", "operator:", ":password")
        ),
        (
            {"FLOWER_BASIC_AUTH": "", "FLOWER_BASIC_AUTH_FILE": "/no/such/file"},
            "cannot be read from the file that FLOWER_BASIC_AUTH_FILE names",
        ),
    ],
)
def test_flower_does_not_start_without_a_login_and_says_so_in_one_line(flower_environment, given, words):
    variables = {**flower_environment, **given}
    command = ["sh", "-c", read_procfile()["flower"]]
    ended = subprocess.run(
        command, cwd=ROOT, env=variables, check=False, capture_output=True, text=True, timeout=60
    )
    assert ended.returncode == 1
    assert f"FLOWER_BASIC_AUTH {words}" in ended.stderr
    assert "Traceback" not in ended.stderr
