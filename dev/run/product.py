"""The whole product on this machine, started and stopped in order.

Embedded servers, migrations, the CRM sandbox, then the processes of the Procfile.
"""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from typing import TYPE_CHECKING

from dev.run.checks import redis_answers
from dev.run.child import Child
from dev.run.health import answers, wait_ready
from dev.run.plan import ROOT, Plan, PlanError, children_environ, read_procfile
from dev.run.supervisor import Keeper, Part
from dev.servers.postgres import EmbeddedPostgres
from dev.servers.state_files import keep_environment, kept_password
from dev.servers.valkey import EmbeddedValkey

if TYPE_CHECKING:
    from collections.abc import Callable

    from dev.run.lock import Claim
    from dev.run.output import Output

STOP_ORDER = ("web", "worker", "flower", "sandbox", "valkey", "postgres")
_HEALTHY_WITHIN = 90.0


class Product:
    """Started once by `start`, ended by `stop`; `stopping` is set from outside to break off early."""

    def __init__(self, plan: Plan, output: Output, claim: Claim) -> None:
        self.plan = plan
        self.stopping = threading.Event()
        self.keeper = Keeper(output.say, claim.note)
        self.flower_login = ""
        self.database_url = plan.database_url
        self.redis_url = plan.redis_url
        self.environ: dict[str, str] = {}
        self._output = output
        self._claim = claim
        self._redis_is_up = True
        self._worker_is_ready = threading.Event()

    def start(self) -> bool:
        """Start everything and wait until it is healthy; False when broken off, `PlanError` when it cannot be."""
        for step in (self._start_stores, self._prepare, self._migrate, self._start_children):
            if self.stopping.is_set():
                return False
            step()
        return self._wait_healthy()

    def stop(self) -> None:
        """Stop everything in order: no new requests first, what delivers next, the stores last."""
        self.keeper.stop()
        order = {name: place for place, name in enumerate(STOP_ORDER)}
        for part in sorted(self.keeper.parts, key=lambda part: order.get(part.name, -1)):
            part.stop()

    def kill(self) -> None:
        """End everything at once (a second Ctrl-C)."""
        for part in self.keeper.parts:
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
                "  !! Redis (REDIS_URL) does not answer: leads flow by the workers' own tick; "
                "Flower shows nothing until it is back."
            )

    def _prepare(self) -> None:
        password = kept_password(self.plan.data / "flower.password")
        self.flower_login = self.plan.environ.get("FLOWER_BASIC_AUTH") or f"ops:{password}"
        self.environ = children_environ(
            self.plan,
            database_url=self.database_url,
            redis_url=self.redis_url,
            flower_login=self.flower_login,
        )
        keep_environment(self.plan.data, self.environ)

    def _migrate(self) -> None:
        def upgrade() -> None:
            command = [sys.executable, "-m", "alembic", "upgrade", "head"]
            done = subprocess.run(command, cwd=ROOT, env=self.environ, capture_output=True, text=True, check=False)
            (self._output.logs / "migrations.log").write_text(done.stdout + done.stderr)
            if done.returncode and not self.stopping.is_set():
                raise PlanError(f"The migrations failed:\n{(done.stdout + done.stderr)[-3000:]}")

        self._step("Migrations", "up to date", upgrade)

    def _start_children(self) -> None:
        if not (ROOT / "frontend" / "dist" / "routes.json").exists():
            self._output.say("  !! The pages are not built (frontend/dist); `make build` builds them.")
        if self.plan.sandbox:
            words = ["--host", "127.0.0.1", "--port", str(self.plan.sandbox_port)]
            words += ["--data", str(self.plan.data / "sandbox"), "--mail-port", str(self.plan.mail_port)]
            self._launch(self._child("sandbox", [sys.executable, "-m", "dev.sandbox", *words]))
        for name, command in read_procfile().items():
            self._launch(self._child(name, ["/bin/sh", "-c", command]))

    def _wait_healthy(self) -> bool:
        plan = self.plan
        probes: dict[str, Callable[[], bool]] = {"site": lambda: answers(plan.port, "/readyz")}
        if plan.sandbox:
            probes["sandbox"] = lambda: answers(plan.sandbox_port, "/_sandbox/health")
        if self._redis_is_up:
            probes["flower"] = lambda: answers(plan.flower_port, "/healthcheck")
            probes["worker"] = self._worker_is_ready.is_set
        late = wait_ready(
            probes,
            seconds=_HEALTHY_WITHIN,
            give_up=lambda: self.keeper.failed.is_set() or self.stopping.is_set(),
            say=self._output.say,
        )
        if self.stopping.is_set() or self.keeper.failed.is_set():
            return False
        if late:
            raise PlanError(
                f"Not ready after {_HEALTHY_WITHIN:.0f} s: {', '.join(late)}. Logs: {self._output.logs}"
            )
        return True

    def _child(self, name: str, argv: list[str]) -> Child:
        write = self._output.writer(name)
        if name != "worker":
            return Child(name, argv, self.environ, write)

        def write_and_watch(line: str) -> None:
            write(line)
            if line.endswith(" ready."):  # Celery's own word, once it consumes
                self._worker_is_ready.set()

        # A warm shutdown lets calls to the CRM finish.
        return Child(name, argv, self.environ, write_and_watch, stop_seconds=30)

    def _launch(self, part: Part) -> None:
        part.start()
        self.keeper.keep(part)
        self._claim.note(part)

    def _step(self, what: str, how: str, work: Callable[[], None]) -> None:
        begun = time.monotonic()
        work()
        self._output.say(f"  {what:<12} {how}, {time.monotonic() - begun:.1f} s")
