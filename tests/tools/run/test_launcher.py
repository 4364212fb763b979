"""The launcher with the whole product: starts, says where everything is, stops in order, leaves nothing behind."""

import os
import signal
import socket
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import psutil
import pytest

from tools.servers.server_process import ROOT
from tools.servers.state_files import free_port
from tools.servers.waiting import wait_until

pytestmark = [pytest.mark.slow, pytest.mark.process]

RUN = [sys.executable, "-m", "tools.run", "--env-file"]
CLEAN = {name: value for name, value in os.environ.items() if not name.startswith(("ZOHO_", "DATABASE_", "REDIS_"))}


@dataclass
class Running:
    process: subprocess.Popen
    data: Path
    screen: Path
    environ: dict[str, str]

    def printed(self, words: str, seconds: float = 240.0) -> bool:
        return wait_until(lambda: words in self.screen.read_text() or self.process.poll() is not None, seconds)

    def descendants(self) -> list[psutil.Process]:
        return psutil.Process(self.process.pid).children(recursive=True)

    def end(self, how: signal.Signals = signal.SIGTERM) -> int:
        self.process.send_signal(how)
        return self.process.wait(120)


def launch(folder: Path, env_file: str | Path = os.devnull, **variables: str) -> Running:
    ports = {name: str(free_port()) for name in ("PORT", "FLOWER_PORT", "SANDBOX_PORT")}
    environ = CLEAN | ports | {"DATA_DIR": str(folder / "data")} | variables
    folder.mkdir(exist_ok=True)
    screen = folder / "screen.txt"
    with screen.open("w") as output:
        process = subprocess.Popen([*RUN, env_file], cwd=ROOT, env=environ, stdout=output, stderr=subprocess.STDOUT)
    return Running(process, folder / "data", screen, environ)


def test_after_a_kill_the_next_start_ends_what_was_left_and_stops_in_order_without_leaving_anything(tmp_path):
    killed = launch(tmp_path)
    assert killed.printed("The product runs"), killed.screen.read_text()
    left = killed.descendants()
    killed.process.kill()
    killed.process.wait()
    again = launch(tmp_path, **{name: killed.environ[name] for name in ("PORT", "FLOWER_PORT", "SANDBOX_PORT")})
    assert again.printed("The product runs"), again.screen.read_text()
    assert psutil.wait_procs(left, timeout=20)[1] == []
    says_where_everything_is(again)
    refuses_a_second(again)
    family = again.descendants()
    assert again.end(signal.SIGINT) == 0
    assert psutil.wait_procs(family, timeout=20)[1] == []
    stopped = again.screen.read_text()
    assert stopped.index("the site has stopped") < stopped.index("Warm shutdown") < stopped.index("Everything has")


def says_where_everything_is(running):
    login = f"login ops:{(running.data / 'flower.password').read_text().strip()}"
    for words in ("/api/openapi.json", login, "the sandbox (no Zoho credentials set)", str(running.data)):
        assert words in running.screen.read_text()
    assert (running.data / "flower.password").stat().st_mode & 0o077 == 0


def refuses_a_second(running):
    second = subprocess.run(
        [*RUN, os.devnull], cwd=ROOT, env=running.environ, capture_output=True, text=True, check=False
    )
    assert (second.returncode, "already runs on" in second.stderr) == (1, True)


def test_a_part_that_dies_ends_the_product_with_its_last_lines(tmp_path):
    running = launch(tmp_path, CELERY_WORKER_MAX_TASKS_PER_CHILD="none")  # a worker that never starts
    assert running.process.wait(120) == 1
    assert "worker has died. Its last lines:" in running.screen.read_text()
    assert "none" in (running.data / "logs" / "worker.log").read_text()


def test_a_port_that_is_taken_is_named_before_anything_is_started(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as other:
        running = launch(tmp_path, PORT=str(other.getsockname()[1]))
        assert running.process.wait(120) == 1
    assert "Address already in use; set PORT=…" in running.screen.read_text()
    assert not (running.data / "postgres").exists()


def test_around_a_command_it_gives_the_addresses_and_the_exit_code_whatever_form_logs_have():
    words = "BASE_URL SANDBOX_URL FLOWER_URL DATABASE_URL REDIS_URL DATA_DIR"
    script = f"import os; print([os.environ[n] for n in '{words}'.split()]); raise SystemExit(7)"
    command = [sys.executable, "-m", "tools.run", "--ephemeral", "--", sys.executable, "-c", script]
    done = subprocess.run(
        command, cwd=ROOT, env=CLEAN | {"LOG_FORMAT": "json"}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 7, done.stdout
    line = next(line for line in done.stdout.splitlines() if line.startswith("['http"))
    folder = Path(line.split("'")[-2])
    assert not folder.exists()
