"""The whole product on this machine, started and stopped in order.

Embedded servers, migrations, the CRM sandbox, then the processes of the Procfile.
"""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from dev.run.checks import http_answers, redis_answers, wait_ready
from dev.run.child import Child, Output
from dev.run.plan import Plan, PlanError, children_environ, read_procfile
from dev.run.started import StartedProcesses
from dev.run.supervisor import Supervisor
from dev.servers.postgres import EmbeddedPostgres
from dev.servers.server_process import ROOT, ServerProcess
from dev.servers.state_files import save_environment, saved_password, saved_port
from dev.servers.valkey import EmbeddedValkey

STOP_ORDER = ("web", "worker", "flower", "sandbox", "valkey", "postgres")
_HEALTHY_WITHIN = 90.0
# As the Dockerfile sets them.
_IMAGE_USER = "clinic:clinic"
_IMAGE_ENVIRONMENT = (
    "cd /app; export PATH=/opt/venv/bin:/usr/bin:/bin PYTHONPATH=/app PYTHONDONTWRITEBYTECODE=1 DATA_DIR=/tmp"
)


class Product:
    """Started once by `start`, ended by `stop`; setting `stopping` from outside breaks the start off."""

    def __init__(self, plan: Plan, output: Output, started: StartedProcesses) -> None:
        self.plan = plan
        self.stopping = threading.Event()
        self.supervisor = Supervisor(output.say, started.add)
        self.flower_login = ""
        self.database_url = plan.database_url
        self.redis_url = plan.redis_url
        self.environ: dict[str, str] = {}
        self._output = output
        self._started = started
        self._procfile = read_procfile(crowded=plan.crowded)
        self._mail_port = 0
        self._redis_is_up = True
        self._worker_is_ready = threading.Event()

    @property
    def password_file(self) -> Path:
        """Where Flower's generated password is kept."""
        return self.plan.data / "flower.password"

    def start(self) -> bool:
        """Start everything and wait until it is healthy; False when broken off, `PlanError` when that fails."""
        for step in (self._start_stores, self._prepare, self._migrate, self._start_children, self._start_flower):
            if self._is_broken_off():
                return False
            step()
        return not self._is_broken_off()

    def stop(self) -> None:
        """Stop everything in order: first the site, then what delivers, the stores last."""
        self.supervisor.stop()
        order = {name: place for place, name in enumerate(STOP_ORDER)}
        for part in sorted(self.supervisor.parts, key=lambda part: order.get(part.name, -1)):
            part.stop()

    def kill(self) -> None:
        """End everything at once (a second Ctrl-C)."""
        for part in self.supervisor.parts:
            part.kill()

    def _start_stores(self) -> None:
        logs = self._output.logs
        if not self.database_url:
            postgres = EmbeddedPostgres(self.plan.data / "postgres", log=logs / "postgres.log")
            self._step("PostgreSQL", "embedded", lambda: self._launch(postgres))
            self.database_url = postgres.url
        if not self.redis_url:
            valkey = EmbeddedValkey(self.plan.data / "valkey", log=logs / "valkey.log")
            self._step("Valkey", "embedded", lambda: self._launch(valkey))
            self.redis_url = valkey.url
        elif not redis_answers(self.redis_url):
            self._redis_is_up = False
            self._output.say(
                "  !! Redis (REDIS_URL) does not answer: leads are delivered by the workers' own tick; "
                "Flower shows nothing until it is back."
            )

    def _prepare(self) -> None:
        self.flower_login = (
            self.plan.environ.get("FLOWER_BASIC_AUTH") or f"ops:{saved_password(self.password_file)}"
        )
        if self.plan.sandbox_mail:
            self._mail_port = saved_port(self.plan.data / "sandbox" / "mail.port")
        self.environ = children_environ(
            self.plan,
            database_url=self.database_url,
            redis_url=self.redis_url,
            flower_login=self.flower_login,
            mail_port=self._mail_port,
        )
        save_environment(self.plan.data, self.environ)

    def _migrate(self) -> None:
        def upgrade() -> None:
            command = self._command("release")
            done = subprocess.run(command, cwd=ROOT, env=self.environ, capture_output=True, text=True, check=False)
            (self._output.logs / "migrations.log").write_text(done.stdout + done.stderr)
            if done.returncode and not self.stopping.is_set():
                raise PlanError(f"The migrations failed:\n{(done.stdout + done.stderr)[-3000:]}")

        self._step("Migrations", "up to date", upgrade)

    def _start_children(self) -> None:
        plan = self.plan
        if not (ROOT / "frontend" / "dist" / "routes.json").exists():
            self._output.say("  !! The pages are not built (frontend/dist); `make build` builds them.")
        probes: dict[str, Callable[[], bool]] = {"site": lambda: http_answers(plan.port, "/readyz")}
        if plan.sandbox:
            words = ["--host", "127.0.0.1", "--port", str(plan.sandbox_port)]
            words += ["--data", str(plan.data / "sandbox"), "--mail-port", str(self._mail_port)]
            self._launch(self._child("sandbox", [sys.executable, "-m", "sandbox", *words]))
            probes["sandbox"] = lambda: http_answers(plan.sandbox_port, "/_sandbox/health")
        for name in ("web", "worker"):
            self._launch(self._child(name, self._command(name)))
        if self._redis_is_up:
            probes["worker"] = self._worker_is_ready.is_set
        self._wait_ready(probes)

    def _start_flower(self) -> None:
        """Last: Flower asks the workers once as it starts, and warns of every question that none answers."""
        self._launch(self._child("flower", self._command("flower")))
        if self._redis_is_up:
            self._wait_ready({"flower": lambda: http_answers(self.plan.flower_port, "/healthcheck")})

    def _wait_ready(self, probes: Mapping[str, Callable[[], bool]]) -> None:
        late = wait_ready(probes, seconds=_HEALTHY_WITHIN, give_up=self._is_broken_off, say=self._output.say)
        if late and not self._is_broken_off():
            raise PlanError(
                f"Not ready after {_HEALTHY_WITHIN:.0f} s: {', '.join(late)}. Logs: {self._output.logs}"
            )

    def _is_broken_off(self) -> bool:
        return self.stopping.is_set() or self.supervisor.failed.is_set()

    def _command(self, name: str) -> list[str]:
        """The argv of a line of the Procfile."""
        if self.plan.image is None:
            return ["/bin/sh", "-c", self._procfile[name]]
        inside = f"{_IMAGE_ENVIRONMENT}; {self._procfile[name]}"
        return ["chroot", f"--userspec={_IMAGE_USER}", str(self.plan.image), "/bin/sh", "-c", inside]

    def _child(self, name: str, argv: list[str]) -> Child:
        write = self._output.writer(name)
        if name != "worker":
            return Child(name, argv, self.environ, write)

        def write_and_watch(line: str) -> None:
            write(line)
            if " ready." in line:  # Celery prints it once it consumes; as JSON, something follows
                self._worker_is_ready.set()

        # A warm shutdown lets calls to the CRM finish.
        return Child(name, argv, self.environ, write_and_watch, stop_seconds=30)

    def _launch(self, part: ServerProcess) -> None:
        part.start()
        self.supervisor.watch(part)
        self._started.add(part)

    def _step(self, what: str, how: str, work: Callable[[], None]) -> None:
        begun = time.monotonic()
        work()
        self._output.say(f"  {what:<12} {how}, {time.monotonic() - begun:.1f} s")
