"""What the benchmarks of a run share: servers, a fresh database for each side, the processes, and the load."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

import psutil
import psycopg
import requests

from benchmarks import enquiry
from dev.run.plan import read_procfile
from dev.servers.postgres import EmbeddedPostgres
from dev.servers.server_process import ROOT, LoggedProcess, Program
from dev.servers.state_files import free_port
from dev.servers.valkey import EmbeddedValkey
from dev.servers.waiting import wait_until
from dev.visitors import Visitors
from sandbox import credentials

CONNECTIONS = 32
WARM_SECONDS = 2
ENQUIRIES = 2_000  # different visitors of a round
PROGRAMS = ROOT / ".venv-benchmarks" / "bin"
_UVICORN = "uvicorn --port {port} --loop uvloop --http httptools --no-access-log --log-level warning"
_GUNICORN = "gunicorn --bind 127.0.0.1:{port} --worker-class gthread --workers 1 --threads 16"
PEERS = {
    "FastAPI + SQLAlchemy": f"{_UVICORN} benchmarks.peers.fastapi_sqlalchemy:app",
    "FastAPI + asyncpg": f"{_UVICORN} benchmarks.peers.fastapi_asyncpg:app",
    "Flask + gunicorn": f"{_GUNICORN} benchmarks.peers.flask_gunicorn:app",
}
NODE = ROOT / ".venv" / "node" / "node"  # of the wheel, whatever the machine has
TOOLS = ROOT / "benchmarks" / "node"
_MIGRATED = "migrated"
Environ = Mapping[str, str]


class BenchmarkError(Exception):
    """A benchmark cannot go on; the message says why."""


class Measured(Program):
    """A program, started at once; on one core if it is to be measured on one."""

    def __init__(self, argv: Sequence[str], environ: Environ, log: Path, *, one_core: bool = False) -> None:
        super().__init__(log.stem, argv, environ, log)
        self.start()
        cores = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []
        if one_core and len(cores) > 1 and self.pid:  # before it starts any thread
            os.sched_setaffinity(self.pid, cores[-1:])

    def wait_ready(self, port: int, words: str) -> None:
        """Wait until it listens on the port and its log has the words; 0 and "": for nothing."""

        def is_ready() -> bool:
            with suppress(OSError):
                if port:
                    socket.create_connection(("127.0.0.1", port), timeout=1).close()
                return words in self.log.read_text(errors="replace")
            return False

        if not wait_until(lambda: is_ready() or not self.alive(), 60) or not self.alive():
            raise BenchmarkError(f"{self.name} did not start; its log ends with:\n{self.last_lines()}")


@dataclass(frozen=True)
class Side:
    """Somebody who is measured: a port, the processes behind it, and the database that they write to."""

    name: str
    port: int
    programs: Sequence[Program]
    database: str = ""
    visitors: Visitors | None = None


@dataclass(frozen=True)
class Answered:
    """A round: requests a second, p99 in milliseconds, processor milliseconds a request with PostgreSQL's."""

    rate: float
    p99: float
    cpu: float


class Bench:
    """One run. `seconds` is the measured length of a round."""

    def __init__(self, folder: Path, seconds: int, rounds: int) -> None:
        self.folder, self.seconds, self.rounds = folder, seconds, rounds
        self.postgres = EmbeddedPostgres(folder / "postgres")
        self.valkey = EmbeddedValkey(folder / "valkey")
        self._numbers = count()
        self._programs = ExitStack()
        self._databases: list[str] = []

    def start(self) -> None:
        """Start the servers, with a migrated database to copy."""
        self.postgres.start()
        self.valkey.start()
        environ = os.environ | {"DATABASE_URL": self.postgres.create_database(_MIGRATED)}
        subprocess.run(
            [sys.executable, "-m", "alembic", "-q", "upgrade", "head"], cwd=ROOT, env=environ, check=True
        )

    def stop(self) -> None:
        """Stop everything."""
        self._programs.close()
        self.valkey.stop()
        self.postgres.stop()

    def clear(self) -> None:
        """Stop the processes of a benchmark, drop its databases (no autovacuum must follow) and empty Valkey."""
        self._programs.close()
        with psycopg.connect(self.postgres.url, autocommit=True) as connection:
            while self._databases:
                connection.execute(f"DROP DATABASE {self._databases.pop()} WITH (FORCE)")
        self.valkey.restart_empty()

    def database(self) -> str:
        """The address of a fresh database with the product's own tables."""
        self._databases.append(f"bench_{next(self._numbers)}")
        return self.postgres.create_database(self._databases[-1], template=_MIGRATED)

    def product(self, database: str, crm_port: int = 9) -> dict[str, str]:
        """The environment of the product's processes: its defaults, and the addresses."""
        addresses = {"DATABASE_URL": database, "REDIS_URL": self.valkey.url}
        return addresses | credentials.settings(f"http://127.0.0.1:{crm_port}")

    def site(self, environ: Environ) -> Side:
        """The Procfile's web process, whose limits stop no crowd."""
        port = free_port()
        given = {**environ, "HOST": "127.0.0.1", "PORT": str(port)}
        command = ["/bin/sh", "-c", read_procfile(crowded=True)["web"]]
        return Side(
            "product",
            port,
            (self.run(command, given, port, one_core=True),),
            environ["DATABASE_URL"],
            Visitors(environ),
        )

    def worker(self, environ: Environ) -> Measured:
        """The Procfile's worker process, once it consumes."""
        return self.run(["/bin/sh", "-c", read_procfile()["worker"]], environ, says=" ready.")

    def peer(self, name: str, database: str, *, with_broker: bool = True) -> Side:
        """One of `PEERS`, on the web server of the peers' own environment."""
        port = free_port()
        program, *words = PEERS[name].format(port=port).split()
        if not (PROGRAMS / program).exists():
            raise BenchmarkError(f"the peers have no {program}: run `make bench`, which fetches it")
        environ = {"DATABASE_URL": database} | ({"REDIS_URL": self.valkey.url} if with_broker else {})
        return Side(
            name, port, (self.run([str(PROGRAMS / program), *words], environ, port, one_core=True),), database
        )

    def crm(self, milliseconds: int) -> int:
        """The port of a CRM that takes so long for a call."""
        port = free_port()
        self.run([sys.executable, "-m", "benchmarks.peers.crm", str(port), str(milliseconds)], {}, port)
        return port

    def run(
        self, argv: Sequence[str], environ: Environ, port: int = 0, *, says: str = "", one_core: bool = False
    ) -> Measured:
        """Start a program, and wait until it listens on the port and says these words."""
        path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', os.defpath)}"
        common = {"PATH": path, "PYTHONPATH": str(ROOT), "PYTHONWARNINGS": "ignore", "PYTHONUNBUFFERED": "1"}
        log = self.folder / f"{next(self._numbers)}-{Path(argv[0]).name}.log"
        program = Measured(argv, common | dict(environ), log, one_core=one_core)
        self._programs.callback(program.stop)
        program.wait_ready(port, says)
        return program

    def post(self, side: Side, *, rate: int = 0, seconds: int = 0) -> Answered:
        """Post leads for a round: at the full speed of 32 connections, or `rate` a second."""
        visitors = side.visitors
        enquiries = [
            {"body": enquiry.body(number), "headers": visitors.headers() if visitors else {}}
            for number in range(ENQUIRIES)
        ]
        plan = {"path": "/api/leads", "enquiries": enquiries, "expected": 201, "rate": rate}
        return self._load(side, plan | {"seconds": seconds or self.seconds})

    def get(self, side: Side, path: str) -> Answered:
        """Get a page for a round, at the full speed of 32 connections."""
        return self._load(
            side, {"path": path, "enquiries": [], "expected": 200, "rate": 0, "seconds": self.seconds}
        )

    def _load(self, side: Side, plan: dict[str, Any]) -> Answered:
        with psycopg.connect(self.postgres.superuser_url, autocommit=True) as connection:
            connection.execute("CHECKPOINT")  # none comes in the middle of a round
        plan |= {"port": side.port, "connections": CONNECTIONS, "warm": WARM_SECONDS}
        before = self.cpu_seconds(side.programs)
        found = json.loads(run_node([str(TOOLS / "load.mjs")], stdin=json.dumps(plan)))
        if found["other"]:
            raise BenchmarkError(
                f"{side.name} did not reply {plan['expected']} to every request: {found['other'][:5]}"
            )
        cpu = 1000 * (self.cpu_seconds(side.programs) - before) / found["all"]
        return Answered(found["rate"], found["p99"], cpu)

    def cpu_seconds(self, programs: Sequence[LoggedProcess]) -> float:
        """Processor time of PostgreSQL, of these programs and of all their descendants since they started."""
        total = 0.0
        for pid in [self.postgres.pid, *(program.pid for program in programs)]:
            process = psutil.Process(pid)
            for one in [process, *process.children(recursive=True)]:
                with suppress(psutil.NoSuchProcess):
                    total += sum(one.cpu_times()[:4])
        return total


def run_node(argv: Sequence[str], *, stdin: str = "", environ: Environ | None = None) -> str:
    """What a Node program prints; `BenchmarkError` with the end of its errors if it fails."""
    if not (TOOLS / "node_modules").exists():
        raise BenchmarkError("The tools from npm are not installed: run `make bench`, which fetches them")
    environ = {**os.environ, **(environ or {})}
    done = subprocess.run(
        [str(NODE), *argv], cwd=ROOT, env=environ, input=stdin, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise BenchmarkError(f"{Path(argv[0]).name} failed:\n{done.stderr[-2000:]}")
    return done.stdout


def arrived(crm_port: int, *, everything: bool = False) -> dict[str, Any]:
    """The ledger of the CRM: `rows`, `last` and, with `everything`, when each row arrived."""
    with requests.Session() as session:
        session.trust_env = False
        answer: dict[str, Any] = session.get(f"http://127.0.0.1:{crm_port}/ledger{'?all=1' * everything}").json()
    return answer


def megabytes(pid: int | None) -> float:
    """Memory of a process and its descendants, shared pages counted by their share."""
    process = psutil.Process(pid)
    return sum(float(one.memory_full_info().pss) for one in [process, *process.children(recursive=True)]) / 1e6
