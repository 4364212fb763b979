"""Nothing without a login but the health check, no frame may hold Flower, and nobody guesses the password."""

from __future__ import annotations

import subprocess

import pytest

from dev.run.plan import ROOT, read_procfile
from worker.flower.security import FREE_FAILURES, LOCK_SECONDS

pytestmark = pytest.mark.slow
PATHS = ("/workers", "/tasks", "/broker", "/metrics", "/api/workers", "/api/tasks", "/outbox")


def test_everything_but_the_health_check_needs_the_login(flower_environment, start_flower, tmp_path, capfd):
    login = tmp_path / "login"
    login.write_text("operator:from a file\n")
    variables = {**flower_environment, "FLOWER_BASIC_AUTH": "", "FLOWER_BASIC_AUTH_FILE": str(login)}
    with start_flower(variables) as flower:
        # The same wrong login on all paths is one guess.
        for given, expected in ((None, 401), ("operator:a wrong one", 401), ("operator:from a file", 200)):
            statuses = {path: flower.ask(path, login=given)[0].status for path in PATHS}
            assert statuses == dict.fromkeys(PATHS, expected)
            assert flower.ask("/", login=given)[0].status == (302 if expected == 200 else expected)
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


def test_after_a_few_wrong_passwords_none_is_looked_at(flower_environment, start_flower):
    with start_flower(flower_environment) as flower:
        guesses = [
            flower.ask("/outbox", login=f"operator:{number}")[0].status for number in range(FREE_FAILURES + 2)
        ]
        assert guesses == [401] * FREE_FAILURES + [429] * 2
        answer, text = flower.ask("/workers")
        assert (answer.status, int(answer.getheader("Retry-After")) <= LOCK_SECONDS) == (429, True)
        assert "Too many logins failed" in text
        assert flower.ask("/workers", login=None)[0].status == 401
        assert flower.is_ready()


def test_behind_a_proxy_that_is_trusted_the_lock_is_the_guessers_alone(flower_environment, start_flower):
    guesser, operator = ({"X-Real-IP": f"203.0.113.{number}"} for number in (66, 7))
    for option, locked in (("", True), (" --xheaders=true", False)):
        with start_flower(flower_environment, option) as flower:
            for number in range(FREE_FAILURES):
                flower.ask("/outbox", login=f"operator:{number}", headers=guesser)
            assert flower.ask("/outbox", headers=guesser)[0].status == 429
            assert (flower.ask("/outbox", headers=operator)[0].status == 429) is locked
