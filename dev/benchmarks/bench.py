"""What the benchmarks of a run share: the servers, a fresh database for each, the processes, and the load."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from contextlib import ExitStack
from dataclasses import dataclass, field
from itertools import count
from typing import TYPE_CHECKING, Any

import psycopg

from dev.benchmarks.payload import bodies
from dev.benchmarks.programs import BenchmarkError, CrmStandIn, Program, peers_python, procfile, uvicorn
from dev.drills.servers import TEMPLATE, migrate
from dev.servers.postgres import EmbeddedPostgres
from dev.servers.server_process import ROOT
from dev.servers.state_files import free_port
from dev.servers.valkey import EmbeddedValkey
from dev.visitors import GENEROUS, Visitors

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path
    from types import TracebackType
    from typing import Self

CONNECTIONS = 32
WARM_SECONDS = 1.5
TOKENS = 10_000  # each is good for three enquiries
CREATED, OK = 201, 200


@dataclass(frozen=True, slots=True)
class Answered:
    """One side's result in one round. `p50`, `p99` and `cpu` (of all the server's processes) in milliseconds."""

    rate: float
    p50: float
    p99: float
    cpu: float


@dataclass(slots=True)
class Served:
    """A listening port and the program behind it."""

    name: str
    port: int
    program: Program
    visitors: Visitors | None = None

    def tokens(self) -> list[str]:
        """A start token for each visitor of a round; a peer ignores them."""
        return [self.visitors.token() for _ in range(TOKENS)] if self.visitors else ["none"]


@dataclass(slots=True)
class Bench:
    """One run. `seconds` is the measured length of a round; `seed` decides visitors and arrivals."""

    folder: Path
    seconds: float
    rounds: int
    seed: int
    postgres: EmbeddedPostgres = field(init=False)
    valkey: EmbeddedValkey = field(init=False)
    _numbers: count[int] = field(default_factory=count)
    _programs: ExitStack = field(default_factory=ExitStack)

    def __enter__(self) -> Self:
        self.folder.mkdir(parents=True, exist_ok=True)
        self.postgres = EmbeddedPostgres(self.folder / "postgres")
        self.valkey = EmbeddedValkey(self.folder / "valkey")
        self.postgres.start()
        self.valkey.start()
        migrate(self.postgres.create_database(TEMPLATE))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.clear()
        self.valkey.stop()
        self.postgres.stop()

    def clear(self) -> None:
        """Stop the processes of a benchmark and empty Valkey."""
        self._programs.close()
        self.valkey.restart_empty()

    def say(self, text: str) -> None:
        """Print a line of progress."""
        print(f"    {text}", flush=True)

    def database(self) -> str:
        """The address of a fresh database with the product's own tables."""
        return self.postgres.create_database(f"bench_{next(self._numbers)}", template=TEMPLATE)

    def checkpoint(self) -> None:
        """Run a checkpoint now, so that none comes in the middle of a round."""
        with psycopg.connect(self.postgres.superuser_url, autocommit=True) as connection:
            connection.execute("CHECKPOINT")

    # Processes -------------------------------------------------------------------------------------------------

    def product(self, database: str, crm: CrmStandIn | None = None) -> dict[str, str]:
        """The environment of the product's processes: its defaults, and the addresses."""
        address = crm.url if crm else "http://127.0.0.1:9"
        return {
            "DATABASE_URL": database,
            "REDIS_URL": self.valkey.url,
            "ZOHO_CLIENT_ID": "1000.SANDBOX",
            "ZOHO_CLIENT_SECRET": "sandbox-secret",
            "ZOHO_REFRESH_TOKEN": "1000.sandbox.refresh",
            "ZOHO_ACCOUNTS_URL": address,
            "ZOHO_API_URL": address,
            "ENVIRONMENT": "development",
            **GENEROUS,
        }

    def site(self, environment: Mapping[str, str]) -> Served:
        """The Procfile's web process."""
        port = free_port()
        variables = {**environment, "HOST": "127.0.0.1", "PORT": str(port)}
        served = self._serve("product", procfile("web"), port, variables)
        served.visitors = Visitors(environment)
        return served

    def worker(self, environment: Mapping[str, str]) -> Program:
        """The Procfile's worker process, once it consumes."""
        program = self._start("worker", procfile("worker"), environment)
        program.wait_for_text(" ready.")
        return program

    def peer(self, name: str, module: str, database: str) -> Served:
        """A peer of `dev.benchmarks.peers` on uvicorn."""
        port = free_port()
        return self._serve(name, uvicorn(module, port), port, {"DATABASE_URL": database})

    def bare(self, page: Path) -> Served:
        """The Procfile's web server with an application that returns a file's bytes."""
        port = free_port()
        command = [sys.executable, "-m", "dev.benchmarks.peers.same_bytes"]
        return self._serve("bare", command, port, {"PORT": str(port), "BODY_FILE": str(page)})

    def crm(self, milliseconds: float = 50) -> CrmStandIn:
        """A stand-in for the CRM that takes `milliseconds` per call."""
        port = free_port()
        words = ["-m", "dev.benchmarks.crm_standin", "--port", str(port), "--milliseconds", str(milliseconds)]
        self._serve("crm", [peers_python(), *words], port, {})
        return CrmStandIn(port)

    def _serve(self, name: str, argv: Sequence[str], port: int, environment: Mapping[str, str]) -> Served:
        program = self._start(name, argv, environment)
        program.wait_for_port(port)
        return Served(name, port, program)

    def _start(self, name: str, argv: Sequence[str], environment: Mapping[str, str]) -> Program:
        log = self.folder / f"{next(self._numbers)}-{name.replace(' ', '')}.log"
        program = Program(name, argv, environment, log)
        self._programs.callback(program.stop)
        return program

    # Load ------------------------------------------------------------------------------------------------------

    def post(self, served: Served, *, rate: float = 0, seconds: float = 0) -> Answered:
        """Post leads for a round: at the full speed of 32 connections, or `rate` a second at random moments."""
        chooser = random.Random(f"{self.seed}:visitors")
        asked = {"path": "/api/leads", "bodies": bodies(chooser), "rate": rate, "tokens": served.tokens()}
        return self._load(served, asked | ({"seconds": seconds} if seconds else {}), CREATED)

    def get(self, served: Served, path: str) -> Answered:
        """Get a page for a round, at the full speed of 32 connections."""
        return self._load(served, {"path": path, "bodies": [], "rate": 0}, OK)

    def _load(self, served: Served, asked: Mapping[str, Any], expected: int) -> Answered:
        plan = {
            "port": served.port,
            "connections": CONNECTIONS,
            "warm": WARM_SECONDS,
            "seconds": self.seconds,
            "seed": f"{self.seed}:arrivals",
            "run": f"bench-{self.seed}-{next(self._numbers)}",
            **asked,
        }
        before = served.program.cpu_seconds()
        answered = run_load(plan)
        if set(answered["codes"]) != {str(expected)}:
            raise BenchmarkError(f"{served.name} did not reply {expected} to every request: {answered['codes']}")
        cpu = (served.program.cpu_seconds() - before) / answered["all"]
        return Answered(answered["rate"], answered["p50"] * 1000, answered["p99"] * 1000, cpu * 1000)


def run_load(plan: Mapping[str, Any]) -> dict[str, Any]:
    """Execute a plan in the load generator's own process."""
    command = [peers_python(), "-m", "dev.benchmarks.generator"]
    done = subprocess.run(command, input=json.dumps(plan), cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        raise BenchmarkError(f"the load generator failed:\n{done.stderr[-2000:]}")
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer
