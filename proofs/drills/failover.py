"""Property 31: the primary dies and its standby takes over."""

from __future__ import annotations

import shutil
import subprocess
import time
from datetime import datetime
from pathlib import Path
from urllib.parse import urlencode, urlsplit

import psycopg

from dev.servers.postgres import EmbeddedPostgres, program
from dev.servers.privileges import as_user, owner
from dev.servers.waiting import wait_until
from proofs.drills.drill import drill
from proofs.drills.environment import DrillEnvironment
from proofs.drills.load import Load
from proofs.harness.case import require
from proofs.harness.servers import prepare

BACK_SECONDS = 15.0  # of the new primary, under load; 5 s is the aim (delivery property 31)


class Pair:
    """A primary and its synchronous standby; `setting` and `url` (for libpq) name both."""

    def __init__(self, folder: Path) -> None:
        """Start both, with their clusters in this folder; a commit waits for the standby."""
        self.primary = EmbeddedPostgres(folder / "primary")
        self.standby = EmbeddedPostgres(folder / "standby")
        self.primary.start()
        prepare(self.primary.url)
        self._copy()
        self.standby.start()
        self._replicating = "SELECT sync_state FROM pg_stat_replication WHERE state = 'streaming'"
        self._on(self.primary, "ALTER SYSTEM SET synchronous_standby_names = '*'")
        self._on(self.primary, "SELECT pg_reload_conf()")
        is_there = wait_until(lambda: self._on(self.primary, self._replicating) == "sync", 20)
        require(is_there, "the standby is not synchronous")
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
        source = f"postgresql://{parts.username}:{parts.password}@127.0.0.1:{parts.port}"
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
    pair = Pair(env.folder)
    env.cleanup.callback(pair.close)
    env.use_database(pair.setting, pair.url)
    env.sandbox.faults(latency={"ms": 100})
    site = env.site()
    env.fleet(2)
    with Load(env, site, 20) as load, Load(env, site, 20) as more:
        env.pause(3 if env.short else 20)
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
    env.note(f"kill -9 of the primary under {len(answers):,} posts")
    env.wait_delivered(60)
    dead = env.count("zoho_status = 'dead'")
    require(not dead, f"{dead} leads ended dead")
