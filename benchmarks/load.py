"""Load on a side for a round: the plan, the generator that executes it, and the result."""

from __future__ import annotations

import json
import resource
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from benchmarks.node_tools import node_command
from benchmarks.programs import BenchmarkError, Measured, peers_python
from dev.servers.server_process import ROOT
from dev.visitors import Visitors

CONNECTIONS = 32
WARM_SECONDS = 1.5
TOKENS = 20_000  # each is good for three enquiries


@dataclass(frozen=True, slots=True)
class Answered:
    """One side's result in one round; all but the rate in milliseconds.

    `cpu`: per request, of all the server's processes. `stored`: the same of PostgreSQL, `load` of the generator.
    """

    rate: float
    p50: float
    p99: float
    cpu: float
    stored: float
    load: float


@dataclass(slots=True)
class Served:
    """Listening ports, the programs behind them, and the database that they write to ("" without one)."""

    name: str
    ports: Sequence[int]
    programs: Sequence[Measured]
    database: str = ""
    visitors: Visitors | None = None

    def token(self) -> str:
        """A new visitor's start token; a peer ignores it."""
        return self.visitors.token() if self.visitors else "none"

    def tokens(self) -> list[str]:
        """A start token for each visitor of a round."""
        return [self.token() for _ in range(TOKENS if self.visitors else 1)]

    def cpu_seconds(self) -> float:
        """CPU time of all its processes since they started."""
        return sum(program.cpu_seconds() for program in self.programs)


def own_generator() -> list[str]:
    """Our generator's command."""
    return [peers_python(), "-m", "benchmarks.generator"]


def autocannon() -> list[str]:
    """The command of autocannon under the same plan; saturation only."""
    return node_command("autocannon.mjs")


def run_load(plan: Mapping[str, Any], command: Sequence[str]) -> dict[str, Any]:
    """Execute a plan in the generator's own process; adds its CPU seconds, `spent`."""
    before = _spent_by_children()
    done = subprocess.run(command, input=json.dumps(plan), cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        raise BenchmarkError(f"the load generator failed:\n{done.stderr[-2000:]}")
    return {**json.loads(done.stdout), "spent": _spent_by_children() - before}


def _spent_by_children() -> float:
    """CPU time of the processes that have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime
