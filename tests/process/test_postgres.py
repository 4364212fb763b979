"""PostgreSQL restarted and failed over in mid-run: no accepted lead is lost, and work goes on by itself."""

import os
import shutil
import signal
import subprocess
import time
from datetime import datetime
from urllib.parse import urlencode, urlsplit

import psycopg
import pytest

from tests.process.ledger import violations
from tests.process.load import recovery, steady_load
from tests.process.product import pause
from tests.support.processes import wait_for
from tools.servers.postgres import EmbeddedPostgres, migrate, program
from tools.servers.privileges import as_user, owner

pytestmark = [pytest.mark.process, pytest.mark.timeout(900)]

RECOVERY_SECONDS = 30.0  # back to 95 % of the rate
BACK_SECONDS = 15.0  # of a new primary, under load


def stop_at_once(server):
    os.kill(server.pid, signal.SIGQUIT)
    wait_for(lambda: not server.alive(), 10, "its end")


ENDINGS = {"fast": EmbeddedPostgres.stop, "immediate": stop_at_once, "kill -9": EmbeddedPostgres.kill}


@pytest.mark.process(long=True)
def test_restarts_under_load_lose_nothing_and_the_rate_is_back_in_30_s(open_product, own_postgres, record_property):
    """25 leads a second over HTTP and two workers; six restarts, a calm period after each."""
    product, rate = open_product(own_postgres.url), 25.0
    site = product.start_site()
    product.sandbox.faults(latency={"ms": 200})
    product.start_workers(2)
    back = []
    with steady_load(product, site, rate) as answers:
        pause(5)
        for name, end in [*ENDINGS.items()] * 2:
            end(own_postgres)
            pause(0.5)
            own_postgres.start()
            back.append((name, time.time()))
            pause(20)
        before = len(answers)
        product.wait(lambda: len(answers) > before + 10, 30, "posts after the last restart")
    product.wait_delivered(120)
    assert {answer.status for answer in answers} <= {0, 201, 503}
    taken = [answer.seconds for answer in answers if answer.accepted]
    reached = min(rate, 0.9 * len(taken) / sum(taken))  # a busy machine does not reach the rate that is aimed at
    for name, moment in back:
        seconds = recovery(product, moment, reached)
        record_property(f"{name}: back to 95 %", f"{seconds:.1f} s")
        assert seconds <= RECOVERY_SECONDS, name
    assert violations(product) == []


def run(server, statement):
    """The first value of a statement's first row, for the superuser."""
    with psycopg.connect(server.superuser_url, autocommit=True, connect_timeout=5) as connection:
        found = connection.execute(statement)
        row = found.fetchone() if found.description else None
        return row[0] if row else None


@pytest.fixture
def primary(tmp_path):
    with EmbeddedPostgres(tmp_path / "primary") as server:
        migrate(server.url)
        yield server


@pytest.fixture
def standby(primary, tmp_path):
    """A standby for which every commit on the primary waits."""
    server = EmbeddedPostgres(tmp_path / "standby")
    server.folder.mkdir()
    shutil.copy(primary.folder / "password", server.folder / "password")
    server.cluster.mkdir(mode=0o700)
    user = owner(primary.cluster)
    shutil.chown(server.cluster, user)
    source = primary.superuser_url.rsplit("/", 1)[0]
    words = ["-d", source, "-D", str(server.cluster), "-R", "-X", "stream", "-c", "fast"]
    subprocess.run([*as_user(user), program("pg_basebackup"), *words], check=True, cwd="/", timeout=60)
    with server:
        run(primary, "ALTER SYSTEM SET synchronous_standby_names = '*'")
        run(primary, "SELECT pg_reload_conf()")
        replicating = "SELECT sync_state FROM pg_stat_replication WHERE state = 'streaming'"
        wait_for(lambda: run(primary, replicating) == "sync", 60, "a synchronous standby")
        yield server


@pytest.fixture
def both(primary, standby):
    """The addresses of both servers in one, for libpq and as the product's setting."""
    parts, wanted = urlsplit(primary.url), ("target_session_attrs", "read-write")
    login = f"{parts.username}:{parts.password}"
    hosts = [f"127.0.0.1:{urlsplit(server.url).port}" for server in (primary, standby)]
    query = urlencode([*(("host", host) for host in hosts), wanted], safe=":")
    setting = f"postgresql://{login}@{parts.path}?{query}"
    return f"postgresql://{login}@{','.join(hosts)}{parts.path}?{urlencode([wanted])}", setting


def test_the_primary_killed_under_load_and_its_standby_promoted(
    open_product, primary, standby, both, record_property
):
    """Site and workers name both servers and find the new primary by themselves."""
    product = open_product(*both)
    product.sandbox.faults(latency={"ms": 100})
    site = product.start_site()
    product.start_workers(2)
    calm = 20 if product.is_long else 3
    with steady_load(product, site, 20) as answers, steady_load(product, site, 20) as more:
        pause(calm)
        primary.kill()
        run(standby, "SELECT pg_promote(true, 30)")
        promoted, calls, before = time.time(), len(product.sandbox.calls(kind="api")), len(answers)
        product.wait(lambda: any(answer.accepted for answer in answers[before:]), 60, "a post to be accepted")
        site_back = time.time() - promoted
        product.wait(lambda: len(product.sandbox.calls(kind="api")) > calls, 60, "a call of a worker")
        first = datetime.fromisoformat(product.sandbox.calls(kind="api", offset=calls)[0]["at"]).timestamp()
        pause(calm)
    assert {answer.status for answer in [*answers, *more]} <= {0, 201, 503}
    for name, seconds in (("site", site_back), ("workers", first - promoted)):
        record_property(f"{name} back after", f"{seconds:.1f} s")
        assert seconds <= BACK_SECONDS or not product.is_long, name
    product.wait_delivered(60)
    assert product.count("zoho_status = 'dead'") == 0
    assert violations(product) == []
