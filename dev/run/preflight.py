"""What would stop a start, asked before anything is fetched or built: `make run` begins with it.

On the first start no package is there yet, so this and all that it imports use Python's own library alone.
"""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path

from dev.run.lock import LauncherLock
from dev.run.plan import Plan, PlanError, read_plan
from dev.servers.state_files import refusal


def check_start(env_file: Path) -> None:
    """`PlanError` when the product already runs, or when a setting, the data directory or a port cannot be used."""
    plan = read_plan(os.environ, env_file)
    with LauncherLock(plan.data) as lock:
        # What a killed launcher left running holds the ports; the start ends it, and then checks them.
        if not lock.record.exists():
            check_ports(plan)


def check_ports(plan: Plan) -> None:
    """`PlanError` naming every port that cannot be used or is given twice, and the variable that changes it."""
    uses = Counter(port for _, port, _ in plan.ports)
    problems = [
        f"{variable} {port} ({what}) is {problem}; set {variable}=…"
        for variable, port, what in plan.ports
        if (problem := "given twice" if uses[port] > 1 else _problem_of(port))
    ]
    if problems:
        raise PlanError("\n".join(problems))


def _problem_of(port: int) -> str:
    match refusal(port):
        case None:
            return ""
        case PermissionError():
            return "forbidden to this user"
        case _:
            return "taken"
