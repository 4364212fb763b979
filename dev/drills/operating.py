"""Properties 26, 28 and 29: a person's hand on many rows, on the gate, and a deployment with a migration."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from datetime import datetime
from typing import TYPE_CHECKING

from dev.drills.drill import drill, require
from dev.servers.server_process import ROOT

if TYPE_CHECKING:
    from dev.drills.environment import Stage

GIVE_UP = """
UPDATE leads SET zoho_status = 'dead', retry_count = 3, last_error = %s, utm_source = %s,
    last_retry_at = now() - make_interval(hours => %s) WHERE id = ANY(%s::uuid[])
"""
# What an additive migration does to a table that is written to: a column, then an index that locks nobody out.
MIGRATION = (
    "ALTER TABLE leads ADD COLUMN drill_note varchar(40)",
    "CREATE INDEX CONCURRENTLY ix_drill_note ON leads (drill_note)",
)


def command(*words: str) -> list[str]:
    """The operator's command line."""
    return [sys.executable, "-m", "worker", *words]


def operate(stage: Stage, *words: str) -> str:
    """Run an operator's command to its end; gives what it printed."""
    environment = {**stage.environment, "PATH": "/usr/bin:/bin"}
    done = subprocess.run(
        command(*words), cwd=ROOT, env=environment, capture_output=True, text=True, timeout=300, check=False
    )
    require(done.returncode == 0, f"`{' '.join(words)}` ended with {done.returncode}: {done.stderr[-300:]}")
    return done.stdout


@drill("26", "Redrive by time, class and source: resumable, and twice changes nothing")
def redrive(stage: Stage) -> None:
    """Dead rows of two codes, two sources and two ages; the command is killed in the middle and run again."""
    each = 2_500 if stage.short else 12_500
    piles = {
        ("INVALID_DATA", "google", 1): True,
        ("INVALID_DATA", "google", 80): False,
        ("INVALID_DATA", "bing", 1): False,
        ("RECORD_LOCKED", "google", 1): False,
    }
    for (code, source, hours), chosen in piles.items():
        for _ in range(each // 500):
            ids = stage.store(500)
            stage.change(GIVE_UP, f"{code}: Email", source, hours, ids)
            if not chosen:
                stage.excused |= dict.fromkeys(ids, "it was not selected")
    stage.ready_worker()
    words = ("redrive", "--since", "24h", "--code", "INVALID_DATA", "--source", "google", "--by", "ann")
    _interrupted(stage, words, each)
    operate(stage, *words)
    moved = stage.rows(
        "SELECT count(*) AS n, count(DISTINCT row_id) AS d FROM crm_attempts WHERE event = 'redriven'"
    )
    require(moved[0] == {"n": each, "d": each}, f"{moved[0]['n']} rows were moved, {each} were selected")
    require(operate(stage, *words).startswith("0 rows"), "the same command moved rows again")
    stage.wait_delivered(300)
    if not stage.short:  # and all the others, 37,500 at once
        stage.excused.clear()
        operate(stage, "redrive", "--all", "--by", "ann")
        stage.figure("all others delivered in", stage.wait_delivered(400), "s")
    stage.say(
        f"{4 * each:,} dead rows, {each:,} chosen by time, code and source; killed once, run again, then twice"
    )


def _interrupted(stage: Stage, words: tuple[str, ...], most: int) -> None:
    """Start the command and end it by kill -9 as soon as it has moved something."""
    running = subprocess.Popen(
        command(*words),
        cwd=ROOT,
        env={**stage.environment, "PATH": "/usr/bin:/bin"},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    moved = "SELECT count(*) AS n FROM crm_attempts WHERE event = 'redriven'"
    stage.wait(
        lambda: stage.rows(moved)[0]["n"] > 0 or running.poll() is not None, 60, "the first step", every=0.01
    )
    running.kill()
    running.wait()
    stage.figure("moved before kill -9", stage.rows(moved)[0]["n"])
    require(stage.rows(moved)[0]["n"] <= most, "more rows were moved than selected")


@drill("28", "Pause and resume by hand: within one tick on every worker, with who and why")
def pause(stage: Stage) -> None:
    """Three workers under load; after the pause and one tick nothing reaches the CRM, whoever asks."""
    workers = stage.fleet(3, CRM_BATCH_ROWS="25")
    stage.sandbox.faults(latency={"ms": 300})
    stage.store(3000)
    stage.pause(0.5)
    operate(stage, "pause", "--why", "moving house", "--by", "ann")
    paused = time.time()
    stage.pause(2 * stage.settings.crm_tick_seconds + 1)
    stage.store(50)
    gate = json.loads(operate(stage, "status", "--json"))["gate"]
    require(
        (gate["reason"], gate["detail"], gate["by"]) == ("paused", "moving house", "ann"), f"status says {gate}"
    )
    late = [
        _at(call) - paused
        for call in stage.sandbox.calls(kind="api")
        if _at(call) > paused + stage.settings.crm_tick_seconds
    ]
    require(not late, f"{len(late)} calls came more than a tick after the pause")
    waiting = stage.count("zoho_status IN ('pending', 'retrying')")
    require(all(worker.alive() for worker in workers), "a worker died")
    operate(stage, "resume", "--by", "bob")
    resumed = stage.rows("SELECT changed_at FROM crm_gate")[0]["changed_at"].timestamp()
    stage.wait_delivered(120)
    first = min(_at(call) for call in stage.sandbox.calls(kind="api") if _at(call) > resumed) - resumed
    stage.figure("first call after resuming", first, "s")
    stage.within(first, stage.settings.crm_tick_seconds + 1, "the first call came")
    stage.say(f"three workers, {waiting:,} rows waited through the pause; who and why stood in `status`")


def _at(call: dict[str, str]) -> float:
    return datetime.fromisoformat(call["at"]).timestamp()


@drill("29", "Old and new code side by side with a migration between them: exactly once", short=False)
def deployment(stage: Stage) -> None:
    """Two workers and the site run under load while the table is changed; then the workers are replaced."""
    site = stage.site()
    old = stage.fleet(2)
    rounds = 3 if stage.short else 15
    for _ in range(rounds):
        stage.post(site, stage.people(20))
        stage.store(100)
    began = time.monotonic()
    with stage.connect() as connection:
        for statement in MIGRATION:
            connection.execute(statement.encode())
            stage.post(site, stage.people(20))
            stage.store(100)
    stage.figure("migration under load", time.monotonic() - began, "s")
    slowest = 0.0
    for worker in old:
        stage.ready_worker()
        stage.store(200)
        stage.post(site, stage.people(20))
        slowest = max(slowest, worker.stop_within(stage.call_limit))
    stage.figure("slowest exit", slowest, "s")
    for _ in range(rounds):
        stage.post(site, stage.people(20))
    require(not stage.possible, f"{len(stage.possible)} posts were refused during the deployment")
    stage.wait_delivered(120)
    updates = stage.sandbox.summary()["updates"]
    require(updates == 0, f"{updates} rows were sent twice")
    stage.say("a column and an index added while site and workers run, then every worker replaced by a new one")
