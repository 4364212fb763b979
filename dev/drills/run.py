"""Running drills one after the other: a line each while they run, a verdict each in the end."""

from __future__ import annotations

import json
import shutil
import subprocess
import time
import traceback
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import psycopg
from redis.exceptions import RedisError
from sqlalchemy.exc import SQLAlchemyError

from dev.drills.environment import Stage
from dev.drills.failure import DrillFailed
from dev.drills.oracle import audit

if TYPE_CHECKING:
    from pathlib import Path

    from dev.drills.drill import Drill
    from dev.drills.servers import Servers


# What a drill's own mistake may raise: it must not cost the others their run.
BROKEN = (
    *(ArithmeticError, AttributeError, LookupError, OSError, RuntimeError, TypeError, ValueError),
    *(subprocess.SubprocessError, psycopg.Error, SQLAlchemyError, RedisError),
)


@dataclass(slots=True)
class Verdict:
    """How a drill ended. `wrong` is empty when the property and every invariant hold."""

    drill: Drill
    seed: int
    at: datetime
    seconds: float
    done: list[str]
    figures: dict[str, str]
    wrong: list[str] = field(default_factory=list)

    @property
    def holds(self) -> bool:
        """Whether the property was shown."""
        return not self.wrong


def run_drill(drill: Drill, servers: Servers, folder: Path, *, seed: int, short: bool) -> Verdict:
    """Run one drill and ask the oracle; its logs stay in `folder` when something is wrong."""
    servers.freshen()
    place = folder / f"drill-{drill.key}"
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir(parents=True)
    started = time.monotonic()
    stage = Stage(servers, place, dice=f"{seed}:{drill.key}", longest=drill.longest, short=short)
    verdict = Verdict(drill, seed, datetime.now(UTC), 0.0, stage.done, stage.figures)
    try:
        drill.run(stage)
        verdict.wrong += audit(stage)
    except DrillFailed as failed:
        verdict.wrong += [str(failed), *_audit_anyway(stage)]
    except BROKEN as error:
        (place / "error.txt").write_text(traceback.format_exc())
        verdict.wrong.append(f"the drill itself broke: {type(error).__name__}: {error}")
    finally:
        stage.close()
        if verdict.wrong:
            _keep_evidence(stage)
    verdict.seconds = time.monotonic() - started
    if time.monotonic() > stage.deadline:
        verdict.wrong.append(f"it took {verdict.seconds:.0f} s, {drill.longest:g} s were allowed")
    if verdict.holds:
        servers.drop_database(stage.database_url)
        shutil.rmtree(place)
    return verdict


def _keep_evidence(stage: Stage) -> None:
    """Put the CRM's ledger and the attempts log beside the processes' logs."""
    try:
        attempts = stage.rows("SELECT * FROM crm_attempts ORDER BY id")
        kept = {"calls": stage.sandbox.calls(), "attempts": attempts, "log": stage.rows("SELECT * FROM drill_log")}
    except (OSError, psycopg.Error):
        return
    for name, rows in kept.items():
        lines = "\n".join(json.dumps(row, default=str) for row in rows)
        (stage.folder / f"{name}.jsonl").write_text(f"{lines}\n")


def _audit_anyway(stage: Stage) -> list[str]:
    """What else does not hold, where it can still be asked."""
    try:
        return audit(stage)
    except (OSError, psycopg.Error) as error:
        return [f"the oracle could not be asked: {type(error).__name__}"]
