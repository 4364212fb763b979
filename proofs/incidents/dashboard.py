"""No incident, but what operators look at in one: every panel of the dashboard, asked of a real Prometheus."""

from __future__ import annotations

import json
import time

from dev.servers.server_process import ROOT
from proofs.drills.environment import DrillEnvironment
from proofs.harness.case import NotHere, require
from proofs.incidents.alarms import PROMETHEUS
from proofs.incidents.incident import incident
from proofs.incidents.scene import Scene

PATIENCE_SECONDS = 60.0


@incident(
    "dashboard", "Every query of the dashboard has data once leads have come, been held and arrived", short=False
)
def dashboard(env: DrillEnvironment) -> None:
    """A minute of leads. Queries that show trouble alone (`> 0`) are right to be empty."""
    scene = Scene(env)
    if not PROMETHEUS:
        raise NotHere("prometheus is not installed (Debian: apt install prometheus)")
    env.sandbox.faults(record_locked={"count": 1}, limits={"credits_remaining": 2000})
    panels = json.loads((ROOT / "deploy/dashboard.json").read_text())["panels"]
    queries = [target["expr"] for panel in panels for target in panel["targets"]]
    wanted = [query for query in queries if not query.endswith("> 0")]

    def empty() -> list[str]:
        env.post(scene.site, env.people(1))
        held = scene.site.post(*env.people(1), website="https://spam.example")
        env.excused[held.body["id"]] = "held"
        return [query for query in wanted if not scene.alarms.query(query)]

    until = time.monotonic() + PATIENCE_SECONDS
    while (silent := empty()) and time.monotonic() < until:
        env.pause(2.0)
    require(not silent, f"no data for {silent}")
    env.make_due()
    env.wait_delivered(60)
    env.figure("queries with data", len(wanted))
    env.figure("right to be empty", len(queries) - len(wanted))
