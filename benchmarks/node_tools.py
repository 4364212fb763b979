"""The tools from npm that the benchmarks use: Lighthouse, autocannon, and the Chromium of the browser tests."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

from benchmarks.programs import BenchmarkError
from dev.servers.server_process import ROOT

NODE = ROOT / ".venv" / "node" / "node"  # of the wheel, whatever the machine has
TOOLS = Path(__file__).parent / "node"
# Lighthouse 12: 13.5 with this Chromium takes the request for our pages as aborted.
LIGHTHOUSE = TOOLS / "node_modules" / "lighthouse" / "cli" / "index.js"
_CHROMIUM = (
    "import(process.argv[1]).then((module) => module.browserLaunch())"
    ".then(({ executablePath }) => console.log(executablePath))"
)


def node_command(script: str) -> list[str]:
    """The command of a script of the benchmarks' Node folder."""
    if not LIGHTHOUSE.exists():
        raise BenchmarkError("The tools from npm are not installed: run `make bench`, which fetches them")
    return [str(NODE), str(TOOLS / script)]


def run_node(command: list[str], environ: Mapping[str, str] | None = None) -> str:
    """What a Node program prints; `BenchmarkError` with the end of its errors if it fails."""
    done = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, check=False, env={**os.environ, **(environ or {})}
    )
    if done.returncode:
        raise BenchmarkError(f"{Path(command[1]).name} failed:\n{done.stderr[-2000:]}")
    return done.stdout


def chromium() -> str:
    """The path of the Chromium that the browser tests use."""
    launch = (ROOT / "frontend" / "scripts" / "browserLaunch.mjs").as_uri()
    return run_node([str(NODE), "--input-type=module", "-e", _CHROMIUM, launch]).strip()
