"""Running one drill: its environment, the oracle, its result, the evidence of a failure."""

from __future__ import annotations

import json
import shutil
import subprocess
import time
import traceback
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

import psycopg
from redis.exceptions import RedisError
from sqlalchemy.exc import SQLAlchemyError

from proofs.drills.drill import Drill
from proofs.drills.environment import DrillEnvironment
from proofs.drills.oracle import audit
from proofs.drills.servers import Servers
from proofs.harness.case import Broken, NotHere

# What a bug in a drill may raise: the other drills must still run.
BROKEN = (
    *(ArithmeticError, AttributeError, LookupError, OSError, RuntimeError, TypeError, ValueError),
    *(subprocess.SubprocessError, psycopg.Error, SQLAlchemyError, RedisError),
)


@dataclass(slots=True)
class DrillResult:
    """How a drill ended.

    `wrong` is empty if the property and every invariant hold; `skipped` is what was missing here to run it.
    """

    drill: Drill
    seed: int
    at: datetime
    seconds: float
    done: list[str]
    figures: dict[str, str]
    wrong: list[str] = field(default_factory=list)
    skipped: str = ""

    @property
    def failed(self) -> bool:
        """Whether it ran and the property was not shown."""
        return bool(self.wrong)

    @property
    def holds(self) -> bool:
        """Whether the property was shown."""
        return not self.wrong and not self.skipped


def run_drill(drill: Drill, servers: Servers, folder: Path, *, seed: int, short: bool) -> DrillResult:
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
    started = time.monotonic()
    env = DrillEnvironment(servers, place, seed=f"{seed}:{drill.key}", max_seconds=drill.max_seconds, short=short)
    result = DrillResult(drill, seed, datetime.now(UTC), 0.0, env.done, env.figures)
    try:
        drill.run(env)
        result.wrong += audit(env)
    except NotHere as missing:
        result.skipped = str(missing)
    except Broken as failed:
        result.wrong += [str(failed), *_audit_anyway(env)]
    except BROKEN as error:
        (place / "error.txt").write_text(traceback.format_exc())
        result.wrong.append(f"the drill itself broke: {type(error).__name__}: {error}")
    finally:
        env.close()
        if result.wrong:
            _keep_evidence(env)
        env.cleanup.close()
    result.seconds = time.monotonic() - started
    if time.monotonic() > env.deadline:
        result.wrong.append(f"it took {result.seconds:.0f} s, {drill.max_seconds:g} s were allowed")
    if not result.failed:
        servers.drop_database(env.made_database)
        shutil.rmtree(place)
    return result


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


def _audit_anyway(env: DrillEnvironment) -> list[str]:
    """What else does not hold, if the oracle still works."""
    try:
        return audit(env)
    except (OSError, psycopg.Error) as error:
        return [f"the oracle failed: {type(error).__name__}"]
