"""The launcher with the whole product: starts, survives, stops, leaves nothing behind."""

from __future__ import annotations

import json
import os
import signal
import smtplib
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from threading import Timer

import psutil
import pytest
import requests

from dev.servers.server_process import ROOT
from dev.servers.state_files import free_port
from dev.servers.waiting import wait_until

pytestmark = [pytest.mark.slow, pytest.mark.drill]

PARTS = ["postgres", "valkey", "sandbox", "web", "worker", "flower"]
RUN = [sys.executable, "-m", "dev.run", "--env-file"]
LAUNCHER = [*RUN, os.devnull]
CLEAN = {name: value for name, value in os.environ.items() if not name.startswith(("ZOHO_", "DATABASE_", "REDIS_"))}


@dataclass
class Running:
    process: subprocess.Popen
    data: Path
    screen: Path
    environ: dict[str, str]

    def printed(self, words: str, seconds: float = 60.0) -> bool:
        return wait_until(lambda: words in self.screen.read_text() or self.process.poll() is not None, seconds)

    def pids(self) -> dict[str, int]:
        return {name: pid for name, (pid, _) in json.loads((self.data / "processes.json").read_text()).items()}

    def descendants(self) -> list[psutil.Process]:
        return psutil.Process(self.process.pid).children(recursive=True)

    def end(self, how: signal.Signals = signal.SIGTERM) -> int:
        self.process.send_signal(how)
        return self.process.wait(60)


def launch(folder: Path, env_file: str | Path = os.devnull, **variables: str) -> Running:
    ports = {name: str(free_port()) for name in ("PORT", "FLOWER_PORT", "SANDBOX_PORT")}
    environ = CLEAN | ports | {"DATA_DIR": str(folder / "data")} | variables
    folder.mkdir(exist_ok=True)
    screen = folder / "screen.txt"
    with screen.open("w") as output:
        process = subprocess.Popen([*RUN, env_file], cwd=ROOT, env=environ, stdout=output, stderr=subprocess.STDOUT)
    return Running(process, folder / "data", screen, environ)


@pytest.fixture
def product(tmp_path):
    running = launch(tmp_path)
    assert running.printed("The product runs"), running.screen.read_text()
    yield running
    if running.process.poll() is None:
        running.end()


def test_it_says_where_everything_is_and_stops_without_leaving_anything(product):
    screen = product.screen.read_text()
    for words in (
        "/api/openapi.json",
        f"user ops, password {(product.data / 'flower.password').read_text().strip()}",
        f"(kept in {product.data / 'flower.password'})",
        "CRM       the sandbox (no Zoho credentials set)",
        str(product.data),
    ):
        assert words in screen
    assert sorted(product.pids()) == sorted(PARTS)
    family = product.descendants()
    assert product.end() == 0
    assert psutil.wait_procs(family, timeout=20)[1] == []
    stopped = product.screen.read_text()
    assert stopped.index("the site has stopped") < stopped.index("Warm shutdown")
    assert not (product.data / "processes.json").exists()


def test_flower_shows_nothing_without_its_login_and_changes_nothing_with_it(product):
    flower = f"http://127.0.0.1:{product.environ['FLOWER_PORT']}"
    file = product.data / "flower.password"
    login = ("ops", file.read_text().strip())
    assert file.stat().st_mode & 0o077 == 0
    assert requests.get(f"{flower}/workers", timeout=20).status_code == 401
    assert requests.get(f"{flower}/workers", auth=login, timeout=20).status_code == 200

    def workers():
        return list(requests.get(f"{flower}/api/workers?refresh=1", auth=login, timeout=15).json())

    assert wait_until(lambda: bool(workers()), 30)  # a worker replies to Flower only a moment after it takes tasks
    refused = requests.post(f"{flower}/api/worker/shutdown/{workers()[0]}", auth=login, timeout=20)
    assert refused.status_code == 403


def test_a_killed_worker_comes_back_and_a_second_launcher_is_refused(product):
    first = product.pids()["worker"]
    os.kill(first, signal.SIGKILL)
    assert product.printed("worker runs again", 20)
    assert product.pids()["worker"] != first
    second = subprocess.run(LAUNCHER, cwd=ROOT, env=product.environ, capture_output=True, text=True, check=False)
    assert second.returncode == 1
    assert "already runs on" in second.stderr
    assert product.process.poll() is None


def test_after_a_kill_of_the_launcher_the_next_start_ends_what_was_left(product, tmp_path):
    left = product.descendants()
    product.process.kill()
    product.process.wait()
    again = launch(tmp_path, **{name: product.environ[name] for name in ("PORT", "FLOWER_PORT", "SANDBOX_PORT")})
    assert again.printed("The product runs"), again.screen.read_text()
    assert "Ended what a killed launcher had left running" in again.screen.read_text()
    assert psutil.wait_procs(left, timeout=20)[1] == []
    assert again.end(signal.SIGINT) == 0


def test_flower_which_warns_of_workers_that_do_not_answer_waits_for_the_worker(tmp_path):
    running = launch(tmp_path, CELERY_WORKER_MAX_TASKS_PER_CHILD="none")  # a worker that never starts
    assert running.process.wait(110) == 1
    assert "worker died 5 times in a row" in running.screen.read_text()
    assert (running.data / "logs" / "worker.log").exists()
    assert not (running.data / "logs" / "flower.log").exists()


def test_without_redis_it_starts_and_says_what_that_means(tmp_path):
    running = launch(tmp_path, REDIS_URL="redis://127.0.0.1:1/0")
    assert running.printed("The product runs"), running.screen.read_text()
    assert "leads are delivered by the workers' own tick" in running.screen.read_text()
    assert requests.get(f"http://127.0.0.1:{running.environ['PORT']}/readyz", timeout=20).status_code == 200
    assert running.end() == 0


def test_two_products_run_side_by_side_and_each_receives_its_own_mail(product, tmp_path):
    other = launch(tmp_path / "other")
    assert other.printed("The product runs"), other.screen.read_text()
    for running in (product, other):
        assert requests.get(f"http://127.0.0.1:{running.environ['PORT']}/readyz", timeout=20).status_code == 200
    mail_ports = [(running.data / "sandbox" / "mail.port").read_text() for running in (product, other)]
    assert mail_ports[0] != mail_ports[1]
    for port in mail_ports:
        with smtplib.SMTP("127.0.0.1", int(port), timeout=20) as server:
            assert server.noop()[0] == 250
    assert other.end() == 0


def test_a_ctrl_c_while_it_loads_gets_one_sentence(tmp_path):
    command = [sys.executable, "-X", "importtime", *LAUNCHER[1:]]
    environ = CLEAN | {"DATA_DIR": str(tmp_path / "data")}
    with subprocess.Popen(command, cwd=ROOT, env=environ, stderr=subprocess.PIPE, text=True) as loading:
        while not loading.stderr.readline().endswith(" dev.run.plan\n"):
            assert loading.poll() is None
        loading.send_signal(signal.SIGINT)
        limit = Timer(60, loading.kill)
        limit.start()
        said = [line for line in loading.stderr.read().splitlines() if not line.startswith("import time:")]
        limit.cancel()
    assert loading.returncode == 130
    assert said == ["", "Stopped before anything was started"]
    assert not (tmp_path / "data").exists()


def test_around_a_command_it_gives_the_addresses_and_the_exit_code_whatever_form_logs_have():
    words = "BASE_URL SANDBOX_URL FLOWER_URL DATABASE_URL REDIS_URL DATA_DIR"
    script = f"import os; print([os.environ[n] for n in '{words}'.split()]); raise SystemExit(7)"
    command = [sys.executable, "-m", "dev.run", "--ephemeral", "--", sys.executable, "-c", script]
    done = subprocess.run(
        command, cwd=ROOT, env=CLEAN | {"LOG_FORMAT": "json"}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 7, done.stdout
    line = next(line for line in done.stdout.splitlines() if line.startswith("['http"))
    folder = Path(line.split("'")[-2])
    assert not folder.exists()
