"""What the benchmarks of a run share: the servers, a fresh database for each, the processes, and the load."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import psycopg
from psycopg.sql import SQL, Identifier

from benchmarks.load import CONNECTIONS, WARM_SECONDS, Answered, Served, own_generator, run_load
from benchmarks.payload import bodies
from benchmarks.pinning import pin
from benchmarks.programs import (
    BenchmarkError,
    CrmStandIn,
    Measured,
    cpu_seconds,
    peers_python,
    uvicorn,
)
from dev.servers.postgres import EmbeddedPostgres
from dev.servers.state_files import free_port
from dev.servers.valkey import EmbeddedValkey
from dev.visitors import Visitors
from proofs.harness.product import migrate, procfile, settings
from proofs.harness.servers import TEMPLATE

CREATED, OK = 201, 200


@dataclass(slots=True)
class Bench:
    """One run. `seconds` is the measured length of a round; `seed` decides visitors and arrivals.

    `finished_rows`: how many finished rows the largest table of a claim has.
    """

    folder: Path
    seconds: float
    rounds: int
    seed: int
    finished_rows: int
    postgres: EmbeddedPostgres = field(init=False)
    valkey: EmbeddedValkey = field(init=False)
    _numbers: count[int] = field(default_factory=count)
    _programs: ExitStack = field(default_factory=ExitStack)
    _databases: list[str] = field(default_factory=list)

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
        """Stop the processes of a benchmark, drop its databases (no autovacuum must follow) and empty Valkey."""
        self._programs.close()
        with psycopg.connect(self.postgres.url, autocommit=True) as connection:
            while self._databases:
                with suppress(psycopg.Error):  # a database that stays only costs disk space
                    name = Identifier(self._databases.pop())
                    connection.execute(SQL("DROP DATABASE {}").format(name))
        self.valkey.restart_empty()

    def say(self, text: str) -> None:
        """Print a line of progress."""
        print(f"    {text}", flush=True)

    def database(self) -> str:
        """The address of a fresh database with the product's own tables."""
        self._databases.append(f"bench_{next(self._numbers)}")
        return self.postgres.create_database(self._databases[-1], template=TEMPLATE)

    def checkpoint(self) -> None:
        """Run a checkpoint now, so that none comes in the middle of a round."""
        with psycopg.connect(self.postgres.superuser_url, autocommit=True) as connection:
            connection.execute("CHECKPOINT")

    @contextmanager
    def without_wal(self) -> Iterator[None]:
        """Write no log of tables that are filled in the transaction that emptied them. Restarts PostgreSQL."""
        self._configure("ALTER SYSTEM SET wal_level = minimal", "ALTER SYSTEM SET max_wal_senders = 0")
        try:
            yield
        finally:
            self._configure("ALTER SYSTEM RESET ALL")

    def _configure(self, *statements: str) -> None:
        with psycopg.connect(self.postgres.superuser_url, autocommit=True) as connection:
            for statement in statements:
                connection.execute(statement)
        self.postgres.stop()
        self.postgres.start()

    # Processes -------------------------------------------------------------------------------------------------

    def product(self, database: str, crm: CrmStandIn | None = None) -> dict[str, str]:
        """The environment of the product's processes: its defaults, and the addresses."""
        address = crm.url if crm else "http://127.0.0.1:9"
        return settings(database, self.valkey.url, address)

    def site(self, environment: Mapping[str, str], count: int = 1) -> Served:
        """The Procfile's web process, or several of them, each on a port and a core of its own."""
        ports, programs = [], []
        for place in range(count):
            port = free_port()
            variables = {**environment, "HOST": "127.0.0.1", "PORT": str(port)}
            programs.append(self._listen("product", ["sh", "-c", procfile("web")], port, variables, core=place))
            ports.append(port)
        return Served("product", ports, programs, environment["DATABASE_URL"], Visitors(environment))

    def workers(self, environment: Mapping[str, str], count: int = 1) -> list[Measured]:
        """The Procfile's worker process, or several of them, once they consume."""
        programs = [
            self._start("worker", ["sh", "-c", procfile("worker", f"--hostname=worker{number}@%h")], environment)
            for number in range(count)
        ]
        for program in programs:
            program.wait_for_text(" ready.")
        return programs

    def flower(self, environment: Mapping[str, str]) -> Measured:
        """The Procfile's Flower."""
        port = free_port()
        variables = {**environment, "HOST": "127.0.0.1", "FLOWER_PORT": str(port), "FLOWER_BASIC_AUTH": "ops:bench"}
        return self._listen("flower", ["sh", "-c", procfile("flower")], port, variables)

    def job(self, argv: Sequence[str], environment: Mapping[str, str]) -> Measured:
        """A command that runs beside the others until it is stopped."""
        return self._start("job", argv, environment)

    def peer(self, name: str, module: str, database: str) -> Served:
        """A peer of `benchmarks.peers` on uvicorn."""
        port, addresses = free_port(), {"DATABASE_URL": database, "REDIS_URL": self.valkey.url}
        return Served(name, [port], [self._listen(name, uvicorn(module, port), port, addresses, core=0)], database)

    def bare(self, page: Path) -> Served:
        """The product's web server with an application that returns a file's bytes."""
        port = free_port()
        command = [sys.executable, "-m", "benchmarks.peers.same_bytes"]
        variables = {"PORT": str(port), "BODY_FILE": str(page)}
        return Served("bare", [port], [self._listen("bare", command, port, variables, core=0)])

    def bare_worker(self, database: str, crm: CrmStandIn, in_flight: int) -> list[Measured]:
        """The bare delivery of `benchmarks.peers.bare`, once it listens."""
        words = ["--crm", f"{crm.url}/crm/upsert", "--in-flight", str(in_flight)]
        argv = [sys.executable, "-m", "benchmarks.peers.bare", *words]
        program = self._start("bare", argv, {"DATABASE_URL": database})
        program.wait_for_text(" ready.")
        return [program]

    def crm(self, milliseconds: float = 50, jitter: float = 0) -> CrmStandIn:
        """A stand-in for the CRM that takes `milliseconds` per call, and up to `jitter` more or less."""
        port = free_port()
        words = ["-m", "benchmarks.crm_standin", "--port", str(port), "--milliseconds", str(milliseconds)]
        words += ["--jitter", str(jitter)]
        self._listen("crm", [peers_python(), *words], port, {})
        return CrmStandIn(port)

    def _listen(
        self, name: str, argv: Sequence[str], port: int, environment: Mapping[str, str], core: int | None = None
    ) -> Measured:
        program = self._start(name, argv, environment, core)
        program.wait_for_port(port)
        return program

    def _start(
        self, name: str, argv: Sequence[str], environment: Mapping[str, str], core: int | None = None
    ) -> Measured:
        """Start it; `core`: see `pin`, None for all cores."""
        log = self.folder / f"{next(self._numbers)}-{name.replace(' ', '')}.log"
        program = Measured(name, argv, environment, log)
        self._programs.callback(program.stop)
        if core is not None:
            pin(program.pid, core)
        return program

    # Load ------------------------------------------------------------------------------------------------------

    def post(
        self,
        served: Served,
        *,
        rate: float = 0,
        seconds: float = 0,
        generator: Callable[[], Sequence[str]] = own_generator,
    ) -> Answered:
        """Post leads for a round: at the full speed of 32 connections, or `rate` a second at random moments.

        Args:
            served: the side.
            rate: enquiries a second; 0 for as many as it takes.
            seconds: of the round; 0 for the run's own.
            generator: the command that makes the load.

        Returns:
            The result.

        Raises:
            BenchmarkError: A request was not answered with 201.
        """
        chooser = random.Random(f"{self.seed}:visitors")
        plan = {"path": "/api/leads", "bodies": bodies(chooser), "rate": rate, "tokens": served.tokens()}
        return self._load(served, plan | ({"seconds": seconds} if seconds else {}), CREATED, generator())

    def get(self, served: Served, path: str) -> Answered:
        """Get a page for a round, at the full speed of 32 connections."""
        return self._load(served, {"path": path, "bodies": [], "rate": 0}, OK, own_generator())

    def _load(self, served: Served, asked: Mapping[str, Any], expected: int, command: Sequence[str]) -> Answered:
        plan = {
            "ports": list(served.ports),
            "connections": CONNECTIONS,
            "warm": WARM_SECONDS,
            "seconds": self.seconds,
            "seed": f"{self.seed}:arrivals",
            **asked,
        }
        server, postgres = served.cpu_seconds(), cpu_seconds(self.postgres.pid)
        answered = run_load(plan, command)
        if set(answered["codes"]) != {str(expected)}:
            raise BenchmarkError(f"{served.name} did not reply {expected} to every request: {answered['codes']}")
        spent = served.cpu_seconds() - server, cpu_seconds(self.postgres.pid) - postgres, answered["spent"]
        cpu, stored, load = (1000 * seconds / answered["all"] for seconds in spent)
        return Answered(answered["rate"], 1000 * answered["p50"], 1000 * answered["p99"], cpu, stored, load)
