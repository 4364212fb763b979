"""The whole product on this machine: embedded servers, migrations, the sandbox, the processes of the Procfile."""

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

import psutil
import requests

from tools.run.plan import PORTS, read_procfile, uses_sandbox
from tools.sandbox import credentials
from tools.servers.postgres import EmbeddedPostgres
from tools.servers.server_process import ROOT, Program, ServerError
from tools.servers.state_files import save_environment, saved_password, saved_port
from tools.servers.valkey import EmbeddedValkey
from tools.servers.waiting import wait_until

RECORD = "processes.json"
_HEALTHY_WITHIN = 90.0


class Child(Program):
    """A process of the product, whose log is shown on the screen too, each line behind its name."""

    stop_seconds = 30  # a worker lets its calls to the CRM finish

    def __init__(self, name: str, argv: Sequence[str], product: "Product") -> None:
        super().__init__(name, argv, product.environ, product.logs / f"{name}.log")
        self.is_ready = False  # whether Celery says that it consumes
        self._quiet = product.quiet
        self.make_room()
        self._news = self.log.open("a+", errors="replace")

    def show_news(self) -> None:
        """Print the lines that it has logged since the last time."""
        at = self._news.tell()
        while (line := self._news.readline()).endswith("\n"):
            at = self._news.tell()
            self.is_ready |= " ready." in line
            if not self._quiet:
                print(f"{self.name:<8} | {line}", end="", flush=True)
        self._news.seek(at)


class Product:
    """Everything that runs. `quiet`: around a command. `script`: runs the Procfile's commands, not the shell."""

    def __init__(self, environ: Mapping[str, str], *, quiet: bool, script: Path | None) -> None:
        self.data = Path(environ["DATA_DIR"])
        self.logs = self.data / "logs"
        self.environ = dict(environ)
        self._parts: list[Program] = []
        self.quiet = quiet
        # A suite's visitors all come from this machine, and type faster than people.
        commands = read_procfile(crowded=quiet and script is None)
        self._commands = {name: ["/bin/sh", str(script or "-c"), words] for name, words in commands.items()}

    def url(self, port: str) -> str:
        """The address of what listens on the port of this variable."""
        return f"http://127.0.0.1:{self.environ[port]}"

    def start(self) -> None:
        """Start everything and wait until it is healthy."""
        self.logs.mkdir(parents=True, exist_ok=True)
        if "DATABASE_URL" not in self.environ:
            postgres = EmbeddedPostgres(self.data / "postgres", log=self.logs / "postgres.log")
            self._start(postgres)
            self.environ["DATABASE_URL"] = postgres.url
        if "REDIS_URL" not in self.environ:
            valkey = EmbeddedValkey(self.data / "valkey", log=self.logs / "valkey.log")
            self._start(valkey)
            self.environ["REDIS_URL"] = valkey.url
        if uses_sandbox(self.environ):
            self._start(Child("sandbox", self._point_to_sandbox(), self))
            self._wait_ready("sandbox", lambda: _answers(self.url("SANDBOX_PORT"), "_sandbox/health"))
        self._complete_environ()
        self._migrate()
        worker = Child("worker", self._commands["worker"], self)
        self._start(worker)
        self._start(Child("web", self._commands["web"], self))
        self._wait_ready("site", lambda: _answers(self.url("PORT"), "readyz"))
        self._wait_ready("worker", lambda: worker.is_ready)
        # Flower asks the workers once as it starts, and warns of every question that none answers.
        self._start(Child("flower", self._commands["flower"], self))
        self._wait_ready("Flower", lambda: _answers(self.url("FLOWER_PORT"), "healthcheck"))

    def watch(self) -> None:
        """Show what was logged; `ServerError` when a part has died."""
        for part in self._parts:
            if isinstance(part, Child):
                part.show_news()
            if not part.alive():
                raise ServerError(f"{part.name} has died. Its last lines:\n{part.last_lines()}")

    def wrap(self, command: Sequence[str]) -> int:
        """Run `command` with the product's addresses; returns its exit code (128 + n for signal n)."""
        ports = {"BASE_URL": "PORT", "SANDBOX_URL": "SANDBOX_PORT", "FLOWER_URL": "FLOWER_PORT"}
        child = subprocess.Popen(command, env=self.environ | {name: self.url(port) for name, port in ports.items()})
        try:
            while child.poll() is None:
                self.watch()
                threading.Event().wait(0.2)
        finally:
            child.terminate()
            code = child.wait()
        for name in ("web", "worker") if code else ():
            lines = (self.logs / f"{name}.log").read_text(errors="replace").splitlines()
            # Few, so that the command's own last words stay in sight.
            warnings = "\n".join([line for line in lines if " INFO " not in line][-4:])
            print(f"--- {name}.log, without what went well\n{warnings}")
        return code if code >= 0 else 128 - code

    def page(self, given: Mapping[str, str]) -> str:
        """What runs where; `given`: the environment of the start."""
        site, flower, sandbox = (self.url(name) for name in PORTS)
        crm = f"the sandbox (no Zoho credentials set): {sandbox}" if uses_sandbox(given) else "Zoho"
        is_kept = uses_sandbox(given) and "SMTP_URL" not in given
        mail = f"kept in the sandbox: {sandbox}" if is_kept else "by SMTP_URL"
        return f"""
The product runs

  Site      {site}
  API docs  {site}/api/openapi.json
  Flower    {flower}   login {self.environ["FLOWER_BASIC_AUTH"]}
  Queue     {flower}/outbox   (or make ops CMD=status, waiting, show, redrive)
  CRM       {crm}
  Mail      {mail}
  Data      {self.data}   (logs in {self.logs})

  Ctrl-C stops everything.
"""

    def stop(self) -> None:
        """Stop everything, the last first: the site, then what delivers, the stores at the end."""
        try:
            for part in reversed(self._parts):
                part.stop()
                if isinstance(part, Child):
                    part.show_news()
        except KeyboardInterrupt:  # once more: at once
            for part in self._parts:
                part.kill()
        (self.data / RECORD).unlink(missing_ok=True)

    def _point_to_sandbox(self) -> list[str]:
        """Send calls to the sandbox, mail too where no server is set; returns the sandbox's command."""
        data = self.data / "sandbox"
        words = ["--port", self.environ["SANDBOX_PORT"], "--data", str(data)]
        self.environ |= credentials.settings(self.url("SANDBOX_PORT"))
        if "SMTP_URL" not in self.environ:
            port = saved_port(data / "mail.port")
            words += ["--mail-port", str(port)]
            mail = {"MAIL_FROM": "Clinic <enquiries@clinic.example>", "STAFF_MAIL_TO": "sales@clinic.example"}
            self.environ = mail | self.environ | {"SMTP_URL": f"smtp://127.0.0.1:{port}"}
        return [sys.executable, "-m", "tools.sandbox", *words]

    def _complete_environ(self) -> None:
        self.environ = {
            # Any user may run the product here, root included; Celery warns of that in eight lines.
            "PYTHONWARNINGS": "ignore:You're running the worker with superuser privileges",
            "KEPT_FILES_DIR": str(self.data / "kept"),
            "FLOWER_BASIC_AUTH": f"ops:{saved_password(self.data / 'flower.password')}",
            **self.environ,
            "HOST": "127.0.0.1",
            "PYTHONUNBUFFERED": "1",
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{self.environ.get('PATH', os.defpath)}",
        }
        save_environment(self.data, self.environ)

    def _migrate(self) -> None:
        command = self._commands["release"]
        done = subprocess.run(command, cwd=ROOT, env=self.environ, capture_output=True, text=True, check=False)
        if done.returncode:
            raise ServerError((done.stdout + done.stderr)[-3000:])

    def _wait_ready(self, name: str, is_ready: Callable[[], bool]) -> None:
        def look() -> bool:
            self.watch()
            return is_ready()

        if not wait_until(look, _HEALTHY_WITHIN):
            raise ServerError(f"{name} is not ready after {_HEALTHY_WITHIN:.0f} s. Logs: {self.logs}")
        print(f"  {name} is ready", flush=True)

    def _start(self, part: Program) -> None:
        self._parts.append(part)
        part.start()
        # PostgreSQL ends its own leftovers.
        pids = [part.pid for part in self._parts if part.pid and part.name != "postgres"]
        (self.data / RECORD).write_text(json.dumps({pid: psutil.Process(pid).create_time() for pid in pids}))


def end_leftovers(data: Path) -> None:
    """End what a killed launcher left running, unless the numbers belong to other processes by now."""
    record = data / RECORD
    for pid, created_at in json.loads(record.read_text() if record.exists() else "{}").items():
        with suppress(psutil.Error, ProcessLookupError):
            process = psutil.Process(int(pid))
            if abs(process.create_time() - created_at) < 0.1:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait(5)


def _answers(url: str, path: str) -> bool:
    with suppress(requests.RequestException), requests.Session() as session:
        session.trust_env = False  # no proxy
        return session.get(f"{url}/{path}", timeout=2).ok
    return False
