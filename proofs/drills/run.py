"""Running one drill: its environment, the oracle, its result, the evidence of a failure."""

from __future__ import annotations

import json
import shutil
import time
from pathlib import Path

import psycopg

from proofs.drills.environment import DrillEnvironment
from proofs.drills.oracle import audit
from proofs.harness.case import Case, Result, judged
from proofs.harness.servers import Servers


def run_drill(drill: Case, servers: Servers, folder: Path, *, seed: int, short: bool) -> Result:
    """Run one drill and consult the oracle.

    Args:
        drill: what to run.
        servers: shared by all drills.
        folder: where its logs stay if something is wrong.
        seed: of its random choices, together with its key.
        short: whether it belongs to a run of the short set.
    """
    servers.reset()
    place = folder / f"drill-{drill.key}"
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir(parents=True)
    env = DrillEnvironment(servers, place, seed=f"{seed}:{drill.key}", max_seconds=drill.max_seconds, short=short)
    result = Result(drill, done=env.done, figures=env.figures)
    try:
        with judged(result):
            drill.run(env)
        if not result.skipped:
            result.wrong += _audit(env, is_broken=result.failed)
    finally:
        env.close()
        if result.wrong:
            _keep_evidence(env)
        env.cleanup.close()
    if time.monotonic() > env.deadline:
        result.wrong.append(f"it took {result.seconds:.0f} s, {drill.max_seconds:g} s were allowed")
    if not result.failed:
        servers.drop_database(env.made_database)
        shutil.rmtree(place)
    return result


def _audit(env: DrillEnvironment, *, is_broken: bool) -> list[str]:
    """What the oracle says; after a failure, only if it can still look."""
    try:
        return audit(env)
    except (OSError, psycopg.Error) as error:
        if not is_broken:
            raise
        return [f"the oracle failed: {type(error).__name__}"]


def _keep_evidence(env: DrillEnvironment) -> None:
    """Save the CRM's ledger and the attempts log beside the processes' logs."""
    try:
        attempts = env.rows("SELECT * FROM crm_attempts ORDER BY id")
        kept = {"calls": env.sandbox.calls(), "attempts": attempts, "log": env.rows("SELECT * FROM drill_log")}
    except (OSError, psycopg.Error):
        return
    for name, rows in kept.items():
        lines = "\n".join(json.dumps(row, default=str) for row in rows)
        (env.folder / f"{name}.jsonl").write_text(f"{lines}\n")
