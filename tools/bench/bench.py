"""What the benchmarks of a run share: servers, a fresh database for each side, the processes, and the load."""

import json
import os
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from io import BytesIO
from itertools import count
from pathlib import Path
from typing import Any
from uuid import uuid4

import psutil
import psycopg
import requests

from tools.bench import enquiry
from tools.bench.peers import ASYNCPG, BEFORE, FLASK, PRODUCT, SQLALCHEMY
from tools.run.plan import read_procfile
from tools.sandbox import credentials
from tools.servers.postgres import EmbeddedPostgres
from tools.servers.server_process import ROOT, Program
from tools.servers.state_files import free_port, refusal
from tools.servers.valkey import EmbeddedValkey
from tools.servers.waiting import wait_until
from tools.visitors import Visitors

CONNECTIONS = 32
WARM_SECONDS = 2
ENQUIRIES = 2_000  # different visitors of a round
PROGRAMS = ROOT / ".venv-benchmarks" / "bin"
_UVICORN = "uvicorn --port {port} --loop uvloop --http httptools --no-access-log --log-level warning"
_GUNICORN = "gunicorn --bind 127.0.0.1:{port} --worker-class gthread --workers 1 --threads 16"
PEERS = {
    SQLALCHEMY: f"{_UVICORN} tools.bench.peers.fastapi_sqlalchemy:app",
    ASYNCPG: f"{_UVICORN} tools.bench.peers.fastapi_asyncpg:app",
    FLASK: f"{_GUNICORN} tools.bench.peers.flask_gunicorn:app",
}
NODE = ROOT / ".venv" / "node" / "node"  # of the wheel, whatever the machine has
TOOLS = ROOT / "tools" / "bench" / "node"
WRK, LOAD = shutil.which("wrk"), ROOT / "tools" / "bench" / "load.lua"
# Of versions whose limits and addresses of the CRM were other settings; today's product reads none of them.
_OLD_LIMITS = dict.fromkeys(("LEADS_PER_ADDRESS", "LEADS_PER_PERSON", "FLOOD_PER_HOUR"), "1000000")
_OLD_ADDRESSES = ("ZOHO_ACCOUNTS_URL", "ZOHO_API_URL")
Environ = Mapping[str, str]


class BenchmarkError(Exception):
    """A benchmark cannot go on; the message says why."""


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
        self.versions = {PRODUCT: ROOT}
        self.postgres = EmbeddedPostgres(folder / "postgres")
        self.valkey = EmbeddedValkey(folder / "valkey")
        self._numbers = count()
        self._programs = ExitStack()
        self._databases: list[str] = []

    def start(self, before: str | None = None) -> None:
        """Start the servers, with a migrated database to copy for each version; `before`: a commit."""
        if before:
            self.versions[BEFORE] = self._check_out(before)
        self.postgres.start()
        self.valkey.start()
        for version, root in self.versions.items():
            environ = os.environ | {"DATABASE_URL": self.postgres.create_database(version), "PYTHONPATH": str(root)}
            command = [sys.executable, "-m", "alembic", "-q", "upgrade", "head"]
            subprocess.run(command, cwd=root, env=environ, check=True)

    def _check_out(self, commit: str) -> Path:
        """The commit's files beside ours, with today's built pages: servers are compared, not pages."""
        root = self.folder / "before"
        done = subprocess.run(["git", "archive", commit], cwd=ROOT, capture_output=True, check=False)
        if done.returncode:
            raise BenchmarkError(done.stderr.decode())
        with tarfile.open(fileobj=BytesIO(done.stdout)) as files:
            files.extractall(root, filter="data")
        (root / "frontend" / "dist").symlink_to(ROOT / "frontend" / "dist")
        return root

    def stop(self) -> None:
        """Stop everything."""
        self._programs.close()
        self.valkey.stop()
        self.postgres.stop()

    def clear(self) -> None:
        """Stop the processes of a benchmark, drop its databases (no autovacuum must follow) and empty Valkey."""
        self._programs.close()
        with psycopg.connect(self.postgres.superuser_url, autocommit=True) as connection:  # autovacuum is its own
            while self._databases:
                connection.execute(f"DROP DATABASE {self._databases.pop()} WITH (FORCE)")
        self.valkey.restart_empty()

    def database(self, version: str = PRODUCT) -> str:
        """The address of a fresh database with the tables of a version."""
        self._databases.append(f"bench_{next(self._numbers)}")
        return self.postgres.create_database(self._databases[-1], template=version)

    def product(self, version: str = PRODUCT, crm_port: int = 9) -> dict[str, str]:
        """The environment of a version's processes: its defaults, the addresses, a fresh database."""
        crm = f"http://127.0.0.1:{crm_port}"
        broker = f"redis://127.0.0.1:{self.valkey.port}/{list(self.versions).index(version)}"
        addresses = {"DATABASE_URL": self.database(version), "REDIS_URL": broker}
        addresses |= {"PYTHONPATH": str(self.versions[version])}
        return addresses | credentials.settings(crm) | dict.fromkeys(_OLD_ADDRESSES, crm) | _OLD_LIMITS

    def site(self, environ: Environ, name: str = PRODUCT) -> Side:
        """The Procfile's web process, whose limits stop no crowd."""
        port = free_port()
        given = {**environ, "HOST": "127.0.0.1", "PORT": str(port)}
        crowded = (Path(environ["PYTHONPATH"]) / "tools" / "crowded_site.py").exists()
        program = self.process("web", given, port, crowded=crowded)
        return Side(name, port, (program,), environ["DATABASE_URL"], Visitors(environ))

    def process(
        self, name: str, environ: Environ, port: int = 0, *, says: str = "", crowded: bool = False
    ) -> Program:
        """A process of the Procfile, of the version whose environment it is."""
        words = f"cd {environ['PYTHONPATH']} && {read_procfile(crowded=crowded)[name]}"
        return self.run(["/bin/sh", "-c", words], environ, port, says=says, one_core=name == "web")

    def peer(self, name: str, database: str, *, with_broker: bool = True) -> Side:
        """One of `PEERS`, on the web server of the peers' own environment."""
        port = free_port()
        program, *words = PEERS[name].format(port=port).split()
        if not (PROGRAMS / program).exists():
            raise BenchmarkError(f"the peers have no {program}: run `make bench`, which fetches it")
        environ = {"DATABASE_URL": database} | ({"REDIS_URL": self.valkey.url} if with_broker else {})
        running = self.run([str(PROGRAMS / program), *words], environ, port, one_core=True)
        return Side(name, port, (running,), database)

    def crm(self, milliseconds: int) -> int:
        """The port of a CRM that takes so long for a call."""
        port = free_port()
        self.run([sys.executable, "-m", "tools.bench.peers.crm", str(port), str(milliseconds)], {}, port)
        return port

    def run(
        self, argv: Sequence[str], environ: Environ, port: int = 0, *, says: str = "", one_core: bool = False
    ) -> Program:
        """Start a program, and wait until it listens on the port and says these words."""
        path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', os.defpath)}"
        common = {"PATH": path, "PYTHONPATH": str(ROOT), "PYTHONWARNINGS": "ignore", "PYTHONUNBUFFERED": "1"}
        log = self.folder / f"{next(self._numbers)}-{Path(argv[0]).name}.log"
        program = Program(log.stem, argv, common | dict(environ), log)
        self._programs.callback(program.stop)
        program.start()
        cores = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []
        if one_core and len(cores) > 1 and program.pid:  # before it starts any thread
            os.sched_setaffinity(program.pid, cores[-1:])

        def is_ready() -> bool:
            heard = not port or refusal(port) is not None
            return not program.alive() or (heard and says in log.read_text(errors="replace"))

        if not wait_until(is_ready, 60) or not program.alive():
            raise BenchmarkError(f"{log.stem} did not start; its log ends with:\n{program.last_lines()}")
        return program

    def post(self, side: Side, *, rate: int = 0, seconds: int = 0) -> Answered:
        """Post leads for a round: at the full speed of 32 connections, or `rate` a second."""
        visitors = side.visitors
        requests = []
        for number in range(ENQUIRIES):
            body = enquiry.body(number)
            head = {"Content-Type": "application/json", "Content-Length": len(body), "Idempotency-Key": "{key}"}
            requests.append(_request("POST /api/leads", head | (visitors.headers() if visitors else {}), body))
        return self._load(side, requests, rate, seconds or self.seconds)

    def get(self, side: Side, path: str) -> Answered:
        """Get a page for a round, at the full speed of 32 connections."""
        return self._load(side, [_request(f"GET {path}", {"Accept-Encoding": "gzip"})], 0, self.seconds)

    def _load(self, side: Side, requests: Sequence[str], rate: int, seconds: int) -> Answered:
        with psycopg.connect(self.postgres.superuser_url, autocommit=True) as connection:
            connection.execute("CHECKPOINT")  # none comes in the middle of a round
        (self.folder / "requests").write_text("\0".join(requests))
        before = self.cpu_seconds(side.programs)
        warm, found = (self._round(side, rate, duration) for duration in (WARM_SECONDS, seconds))
        cpu = 1000 * (self.cpu_seconds(side.programs) - before) / (warm["all"] + found["all"])
        return Answered(found["rate"], found["p99"], cpu)

    def _round(self, side: Side, rate: int, seconds: int) -> dict[str, float]:
        if WRK is None:
            raise BenchmarkError("wrk is not installed here (Debian, Ubuntu: apt install wrk)")
        # Peers end a connection that is idle for 5 s.
        connections = min(CONNECTIONS, rate or CONNECTIONS)
        options = ["--threads=1", f"--connections={connections}", f"--duration={seconds}", "--timeout=10s"]
        given = [str(self.folder / "requests"), f"{uuid4().hex}-", str(rate)]
        command = [WRK, *options, f"--script={LOAD}", f"http://127.0.0.1:{side.port}", "--", *given]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise BenchmarkError(f"wrk failed:\n{done.stderr}")
        found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
        if found["failed"]:
            raise BenchmarkError(f"{side.name} refused, or did not answer:\n{done.stdout}")
        return found

    def cpu_seconds(self, programs: Sequence[Program]) -> float:
        """Processor time of PostgreSQL, of these programs and of all their descendants since they started."""
        total = 0.0
        for pid in [self.postgres.pid, *(program.pid for program in programs)]:
            process = psutil.Process(pid)
            for one in [process, *process.children(recursive=True)]:
                with suppress(psutil.NoSuchProcess):
                    total += sum(one.cpu_times()[:4])
        return total


def _request(line: str, headers: Mapping[str, Any], body: str = "") -> str:
    lines = [f"{line} HTTP/1.1", "Host: 127.0.0.1", *(f"{name}: {value}" for name, value in headers.items())]
    return "\r\n".join([*lines, "", body])


def run_node(argv: Sequence[str], environ: Environ | None = None) -> str:
    """What a Node program prints; `BenchmarkError` with the end of its errors if it fails."""
    if not (TOOLS / "node_modules").exists():
        raise BenchmarkError("The tools from npm are not installed: run `make bench`, which fetches them")
    environ = {**os.environ, **(environ or {})}
    done = subprocess.run([str(NODE), *argv], cwd=ROOT, env=environ, capture_output=True, text=True, check=False)
    if done.returncode:
        raise BenchmarkError(f"{Path(argv[0]).name} failed:\n{done.stderr[-2000:]}")
    return done.stdout


def arrived(crm_port: int) -> dict[str, Any]:
    """The ledger of the CRM: when each row arrived, by id, and when the `last` call was answered."""
    with requests.Session() as session:
        session.trust_env = False
        answer: dict[str, Any] = session.get(f"http://127.0.0.1:{crm_port}/ledger").json()
    return answer


def megabytes(pid: int | None) -> float:
    """Memory of a process and its descendants, shared pages counted by their share."""
    process = psutil.Process(pid)
    return sum(float(one.memory_full_info().pss) for one in [process, *process.children(recursive=True)]) / 1e6
