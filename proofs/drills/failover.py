"""Properties 31 and 35: the primary dies and its standby takes over; a pooler in front of PostgreSQL."""

from __future__ import annotations

import shutil
import subprocess
import time
from contextlib import ExitStack
from datetime import datetime
from pathlib import Path
from urllib.parse import urlencode, urlsplit

import psycopg

from dev.servers.postgres import EmbeddedPostgres, program
from dev.servers.privileges import as_user, owner
from dev.servers.server_process import EmbeddedServer
from dev.servers.state_files import free_port
from dev.servers.waiting import wait_until
from proofs.drills.audit import base_of
from proofs.drills.certificate import Certificate
from proofs.drills.drill import drill
from proofs.drills.environment import DrillEnvironment
from proofs.drills.load import Load
from proofs.drills.relay import Relay
from proofs.harness.case import NotHere, require
from proofs.harness.servers import prepare

BACK_SECONDS = 15.0  # of the new primary, under load; 5 s is the aim (delivery property 31)


class Pair:
    """A primary and, at the end of a cable, its standby; `setting` and `url` (for libpq) name both."""

    def __init__(self, folder: Path, *, synchronous: bool) -> None:
        """Start both.

        Args:
            folder: of their clusters.
            synchronous: whether a commit waits for the standby.
        """
        self.primary = EmbeddedPostgres(folder / "primary")
        self.standby = EmbeddedPostgres(folder / "standby")
        self.primary.start()
        prepare(self.primary.url)
        self._stack = ExitStack()
        self.cable = self._stack.enter_context(Relay(urlsplit(self.primary.url).port or 0))
        self._copy()
        self.standby.start()
        self._replicating = "SELECT sync_state FROM pg_stat_replication WHERE state = 'streaming'"
        if synchronous:
            self._on(self.primary, "ALTER SYSTEM SET synchronous_standby_names = '*'")
            self._on(self.primary, "SELECT pg_reload_conf()")
        state = "sync" if synchronous else "async"
        is_there = wait_until(lambda: self._on(self.primary, self._replicating) == state, 20)
        require(is_there, f"the standby is not {state}")
        first = urlsplit(self.primary.url)
        login, wanted = f"{first.username}:{first.password}", ("target_session_attrs", "read-write")
        hosts = [f"127.0.0.1:{urlsplit(server.url).port}" for server in (self.primary, self.standby)]
        query = urlencode([*(("host", host) for host in hosts), wanted], safe=":")
        self.setting = f"postgresql://{login}@{first.path}?{query}"
        self.url = f"postgresql://{login}@{','.join(hosts)}{first.path}?{urlencode([wanted])}"

    def close(self) -> None:
        """Stop both."""
        self.primary.kill()
        self.standby.stop()
        self._stack.close()

    def hold_back(self) -> None:
        """Let nothing of the primary's changes reach the standby any more."""
        self.cable.cut()

    def fail_over(self) -> float:
        """Kill the primary and promote the standby; returns when the standby takes writes, in epoch seconds."""
        self.primary.kill()
        self._on(self.standby, "SELECT pg_promote(true, 30)")
        return time.time()

    def _copy(self) -> None:
        """Copy the primary, with the settings of a standby."""
        folder = self.standby.folder
        folder.mkdir(parents=True)
        shutil.copy(self.primary.folder / "password", folder / "password")
        cluster = folder / "cluster"
        cluster.mkdir(mode=0o700)
        shutil.chown(cluster, owner(self.primary.cluster))
        parts = urlsplit(self.primary.superuser_url)
        source = f"postgresql://{parts.username}:{parts.password}@127.0.0.1:{self.cable.port}"
        words = ["-d", source, "-D", str(cluster), "-R", "-X", "stream", "-c", "fast"]
        command = [*as_user(owner(self.primary.cluster)), program("pg_basebackup"), *words]
        subprocess.run(command, check=True, capture_output=True, text=True, cwd="/", timeout=60)

    @staticmethod
    def _on(server: EmbeddedPostgres, statement: str) -> object:
        with psycopg.connect(server.superuser_url, autocommit=True, connect_timeout=5) as connection:
            found = connection.execute(statement.encode())
            row = found.fetchone() if found.description else None
            return row[0] if row else None


@drill("31", "The primary killed under load, its standby promoted: no accepted lead lost")
def synchronous(env: DrillEnvironment) -> None:
    """A commit waits for the standby; site and workers name both servers and find the new primary by themselves."""
    _fail_over(env, synchronous=True)
    env.wait_delivered(60)
    dead = env.count("zoho_status = 'dead'")
    require(not dead, f"{dead} leads ended dead")


@drill(
    "31b",
    "The same with an asynchronous standby that lags: what was lost is counted, the rest exactly once",
    short=False,
)
def asynchronous(env: DrillEnvironment) -> None:
    """The standby lacks the last second before the crash: leads that no commit waited for are gone."""
    _fail_over(env, synchronous=False)
    kept = {row["id"] for row in env.rows("SELECT id::text FROM leads")}
    env.wait(lambda: env.count("zoho_status <> 'sent'") == 0, 60, "every row that was kept to be sent")
    arrived = env.records_of(list(env.accepted))
    lost = env.accepted.keys() - kept - arrived
    env.excused |= dict.fromkeys(lost, "lost with the primary")
    logged = {row["call_id"] for row in env.rows("SELECT call_id FROM crm_attempts WHERE event = 'claimed'")}
    env.forgotten = {base_of(call["request_id"]) for call in env.sandbox.calls(kind="api")} - logged
    env.figure("accepted leads lost", len(lost))
    env.figure("accepted leads that only the CRM still has", len(env.accepted.keys() - kept & arrived))
    env.figure("calls that the log forgot", len(env.forgotten))


def _fail_over(env: DrillEnvironment, *, synchronous: bool) -> None:
    pair = Pair(env.folder, synchronous=synchronous)
    env.cleanup.callback(pair.close)
    env.use_database(pair.setting, pair.url)
    env.sandbox.faults(latency={"ms": 100})
    site = env.site()
    env.fleet(2, CRM_BATCH_ROWS="5")
    with Load(env, site, 20) as load, Load(env, site, 20) as more:
        env.pause(3 if env.short else 20)
        if not synchronous:
            pair.hold_back()
            env.pause(1)
        killed = time.time()
        at = pair.fail_over()
        calls = len(env.sandbox.calls(kind="api"))
        before = len(load.answers)
        env.wait(lambda: any(answer.accepted for answer in load.answers[before:]), 60, "a post to be accepted")
        env.figure("site back after", time.time() - at, "s")
        env.within(time.time() - at, BACK_SECONDS, "the site accepted again")
        env.wait(lambda: len(env.sandbox.calls(kind="api")) > calls, 60, "a call of a worker")
        first = datetime.fromisoformat(env.sandbox.calls(kind="api", offset=calls)[0]["at"]).timestamp()
        env.figure("workers back after", max(0.0, first - at), "s")
        env.within(first - at, BACK_SECONDS, "a worker delivered again")
        env.pause(3 if env.short else 20)
    env.figure("standby promoted after", at - killed, "s")
    answers = [*load.answers, *more.answers]
    odd = {answer.status for answer in answers} - {0, 201, 503}
    require(not odd, f"posts were answered with {odd}")
    env.figure("posts refused honestly", sum(not answer.accepted for answer in answers))
    env.figure("accepted", len(env.accepted))
    kind = "synchronous" if synchronous else "lagging"
    env.note(f"kill -9 of the primary under {len(answers):,} posts, a {kind} standby")


class PgBouncer(EmbeddedServer):
    """PgBouncer in transaction mode in front of a database; strict about startup options, as it is by default.

    With a certificate it speaks TLS only, in session mode: a provider's server, as clients see it.
    """

    def __init__(self, folder: Path, url: str, *, certificate: Certificate | None = None) -> None:
        """Prepare it.

        Args:
            folder: of its settings and log.
            url: of the database.
            certificate: to be shown to clients.
        """
        self._certificate = certificate
        super().__init__("pgbouncer", folder, None)
        self._target = urlsplit(url)
        self.port = free_port()
        self.url = self._target._replace(netloc=f"{self._target.netloc.rpartition(':')[0]}:{self.port}").geturl()

    def start(self) -> None:
        """Write its settings and start it."""
        found = shutil.which("pgbouncer", path="/usr/sbin:/usr/local/sbin:/usr/bin:/usr/local/bin")
        if found is None:
            raise NotHere("pgbouncer is not installed (Debian: apt-get install pgbouncer)")
        self.folder.mkdir(parents=True, exist_ok=True)
        users, settings = self.folder / "users.txt", self.folder / "pgbouncer.ini"
        users.write_text(f'"{self._target.username}" "{self._target.password}"\n')
        lines = {
            "listen_addr": "127.0.0.1",
            "listen_port": str(self.port),
            "unix_socket_dir": "",
            "auth_type": "scram-sha-256",
            "auth_file": str(users),
            "pool_mode": "transaction",
            "default_pool_size": "6",
            "max_client_conn": "200",
        }
        if self._certificate is not None:
            lines |= {
                "pool_mode": "session",
                "default_pool_size": "100",
                "ignore_startup_parameters": "options",
                "client_tls_sslmode": "require",
                "client_tls_cert_file": str(self._certificate.certificate),
                "client_tls_key_file": str(self._certificate.key),
            }
        databases = f"[databases]\n* = host=127.0.0.1 port={self._target.port}\n"
        settings.write_text(
            databases + "[pgbouncer]\n" + "".join(f"{key} = {value}\n" for key, value in lines.items())
        )
        user = owner(self.folder)
        for path in (users, settings):
            shutil.chown(path, user)
        self._start_until(self._answers, [*as_user(user), found, str(settings)])

    def _answers(self) -> bool:
        try:
            psycopg.connect(self.url, connect_timeout=2).close()
        except psycopg.OperationalError:
            return False
        return True


@drill("35", "A transaction-pooling PgBouncer in front: all leads once, no slot leaked, no failed tick")
def pooled(env: DrillEnvironment) -> None:
    """Fewer server sessions than the processes have connections, so that every statement may get another one."""
    leads, posts = (600, 40) if env.short else (9000, 400)
    with PgBouncer(env.folder / "pgbouncer", env.database_url) as pooler:
        through = {"DATABASE_URL": pooler.url, "DATABASE_POOLER": "transaction", "CRM_BATCH_ROWS": "5"}
        env.sandbox.faults(latency={"ms": 100})
        site = env.site(**through)
        fleet = env.fleet(3, **through)
        for _ in range(10):
            env.store(leads // 10)
            env.post(site, env.people(posts // 10))
            env.pause(0.2)
        fleet[0].kill()
        seconds = env.wait_delivered(300)
        require(not env.possible, f"{len(env.possible)} posts were refused")
        slots = env.settings.crm_lease_seconds + 15
        held = "SELECT count(*) AS n FROM call_slots WHERE until_at > now()"
        env.wait(lambda: env.rows(held)[0]["n"] == 0, slots, "the slots to be free")
        locks = "SELECT count(*) AS n FROM pg_locks WHERE locktype = 'advisory'"
        require(env.rows(locks)[0]["n"] == 0, "advisory locks are held by no one's transaction")
        for worker in fleet:
            require("tick failed" not in worker.text, f"a tick of {worker.name} failed")
            require("prepared statement" not in worker.text, f"{worker.name} used prepared statements")
        env.figure("delivered in", seconds, "s")
    env.note(f"{leads:,} leads and {posts} posts, 3 workers, 6 server sessions, a worker killed")
