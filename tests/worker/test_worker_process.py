"""Real worker processes on a real Valkey: they deliver, log, stop in time and outlast its failover."""

import json
import os
import subprocess
import sys
from pathlib import Path
from socket import gethostname

import pytest
import yaml
from celery import Celery
from redis import Redis

from leads import logs
from leads.db import REVISION
from leads.destinations import CRM, publisher_options, task_of
from leads.outbox.holds import RELEASE_AFTER_SECONDS, Held
from tests.support.database import change
from tests.support.processes import WorkerProcess, wait_for
from tests.support.samples import LEAD, TRACE, TRACEPARENT, record_lead
from tools.servers.server_process import ROOT
from tools.servers.valkey import EmbeddedValkey

pytestmark = pytest.mark.slow

UNUSABLE = "This needs attention first:"


@pytest.fixture
def with_redis(crm_environment, valkey):
    with Redis.from_url(valkey.url) as redis:
        redis.flushall()
    return {**crm_environment, "REDIS_URL": valkey.url}


def store(engine, count):
    return {str(record_lead(engine, LEAD).id) for _ in range(count)}


def enqueue(redis_url, row_id):
    """As the site does while it answers a request of the sample trace."""
    site = Celery("site", broker=redis_url, set_as_current=False)
    site.conf.broker_transport_options = publisher_options()
    before = logs.TRACEPARENT.set(TRACEPARENT)
    site.send_task(**task_of(CRM, row_id))
    logs.TRACEPARENT.reset(before)
    site.close()


def in_ledger(sandbox):
    return {record["Website_Event_ID"] for record in sandbox.records()}


@pytest.mark.process
def test_leads_flow_through_celery_and_sigterm_ends_the_worker_at_once(engine, sandbox, with_redis, tmp_path):
    """One of them was held ten minutes ago, one has a task of a request's trace, and all are told in JSON."""
    (traced,) = ids = store(engine, 1)
    enqueue(with_redis["REDIS_URL"], traced)
    ids |= store(engine, 248)
    ids.add(str(record_lead(engine, LEAD, held=Held.NO_START).id))
    waited = "UPDATE deliveries SET queued_at = queued_at - make_interval(secs => :waited) WHERE status = 'held'"
    change(engine, waited, waited=RELEASE_AFTER_SECONDS)
    with WorkerProcess({**with_redis, "LOG_FORMAT": "json"}, tmp_path / "log") as worker:
        wait_for(lambda: in_ledger(sandbox) == ids, 90, "250 records")
        wait_for(lambda: "succeeded in" in worker.text, 10, "Celery's own word of a task")
        worker.stop_within(10)
    assert not [word for word in ("enqueue_due[", "Sending due task", " received") if word in worker.text]
    assert "ann@example.com" not in worker.text
    assert "+447911123456" not in worker.text
    assert "Traceback" not in worker.text
    lines = [json.loads(line) for line in worker.text.splitlines() if line.startswith("{")]
    told = {line["message"][:36]: line for line in lines if "to zoho: SENT" in line["message"]}
    assert {(line["level"], line.get("trace_id")) for line in told.values()} == {("INFO", TRACE), ("INFO", None)}
    assert (told.keys(), told[traced]["trace_id"]) == (ids, TRACE)


@pytest.mark.process
@pytest.mark.parametrize(
    ("variables", "words"),
    [
        (
            {"RETENTION_MONTHS": "0", "ZOHO_REFRESH_TOKEN": "", "SMTP_URL": "smtp://h"},
            ["RETENTION_MONTHS must", "ZOHO_REFRESH_TOKEN is required", "MAIL_FROM and"],
        ),
        (
            {"ZOHO_DATA_CENTER": "MOON", "ZOHO_FIELD_MAP": "moon=Moon"},
            ["ZOHO_DATA_CENTER must", "ZOHO_FIELD_MAP 'moon=Moon'"],
        ),
    ],
    ids=["unusable and missing", "unusable to workers alone"],
)
def test_a_worker_names_all_that_it_lacks_or_cannot_use_at_once_and_without_a_traceback(
    crm_environment, tmp_path, variables, words
):
    with WorkerProcess({**crm_environment, **variables}, tmp_path / "log") as worker:
        wait_for(lambda: not worker.alive(), 90, "its end")
    headline, *problems = worker.text.splitlines()
    assert (headline.removeprefix("Error: "), worker.exit_code) == (UNUSABLE, 1)
    assert [problem.strip()[: len(start)] for problem, start in zip(problems, words, strict=True)] == words


@pytest.mark.process
def test_a_worker_whose_database_is_behind_says_what_to_do_and_ends(engine, crm_environment, tmp_path):
    change(engine, "UPDATE alembic_version SET version_num = '0099'")
    with WorkerProcess(crm_environment, tmp_path / "log") as worker:
        wait_for(lambda: not worker.alive(), 90, "its end")
    words = f"the database is at 0099, this code needs {REVISION}: run `alembic upgrade head`\n"
    assert (worker.text, worker.exit_code) == (words, 1)


@pytest.mark.process
def test_a_worker_that_is_told_to_stop_ends_in_time_while_redis_is_frozen(crm_environment, tmp_path):
    with EmbeddedValkey(tmp_path / "valkey") as server:
        with WorkerProcess({**crm_environment, "REDIS_URL": server.url}, tmp_path / "log") as worker:
            wait_for(lambda: "ready" in worker.text, 90, "a start")
            server.freeze()
            worker.stop_within(25)  # the longest call
        server.thaw()


def test_compose_s_health_check_hears_a_worker_and_misses_one_that_is_gone(with_redis, tmp_path):
    service = yaml.safe_load((ROOT / "docker-compose.yml").read_text())["services"]["worker"]
    shell, command = service["healthcheck"]["test"]
    assert shell == "CMD-SHELL"
    asked = {
        **os.environ,
        **with_redis,
        "HOSTNAME": gethostname(),
        "PATH": f"{Path(sys.executable).parent}:/bin:/usr/bin",
    }

    def ask():
        command_of_w1 = command.replace("$$", "$").replace("celery@", "w1@")
        return subprocess.run(["sh", "-c", command_of_w1], cwd=ROOT, env=asked, check=False, timeout=60).returncode

    with WorkerProcess(with_redis, tmp_path / "log") as worker:
        wait_for(lambda: worker.is_ready, 90, "a start")
        assert ask() == 0
        worker.kill()
        assert ask() != 0
