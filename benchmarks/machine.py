"""What a report says of the machine: hardware, interpreters and versions; nothing that names it."""

from __future__ import annotations

import json
import platform
import subprocess
import sys
from pathlib import Path

from benchmarks.pinning import cores
from benchmarks.programs import peers_python
from dev.servers.server_process import ROOT
from proofs.harness.page import hardware, versions

VERSIONS = ("flask", "uvicorn", "celery", "sqlalchemy", "psycopg", "orjson", "requests")
LOCK = ROOT / "requirements" / "benchmarks.lock"
PEERS = ("fastapi", "uvicorn", "uvloop", "asyncpg", "sqlalchemy", "pydantic")
TOOLS = ROOT / "benchmarks" / "node" / "package.json"
_BUILD = """
import json, platform, sysconfig
print(json.dumps([platform.python_version(), sysconfig.get_config_var("CONFIG_ARGS") or ""]))
"""


def machine() -> str:
    """Hardware, operating system, interpreters and the versions that matter."""
    core = "one core for the web process and each peer" if len(cores()) > 1 else "nothing pinned"
    theirs = ", ".join(f"{name} {_locked(name)}" for name in PEERS)
    tools = ", ".join(f"{name} {pinned}" for name, pinned in json.loads(TOOLS.read_text())["dependencies"].items())
    return (
        f"Machine: {hardware(f' ({_processor()})')} at the end; {core}. Product: {interpreter(sys.executable)}, "
        f"{versions(*VERSIONS)}. Peers: {interpreter(peers_python())}, {theirs}. Tools: {tools}."
    )


def interpreter(program: str) -> str:
    """The version and build of a Python interpreter."""
    done = subprocess.run([program, "-c", _BUILD], capture_output=True, text=True, check=True)
    return build(*json.loads(done.stdout))


def build(python: str, options: str) -> str:
    """A CPython's version and what it was built with, from the options of its `configure`.

    A distribution's own rules optimise beside these options, which then say nothing of it.
    """
    marks = {"--enable-optimizations": "PGO", "--with-lto": "LTO"}
    made = [word for option, word in marks.items() if option in options]
    plain = "the distribution's build" if "'--prefix=/usr'" in options else "built without PGO and LTO"
    return f"CPython {python} ({' and '.join(made) if made else plain})"


def _processor() -> str:
    """The processor's model (Linux), else the machine's architecture."""
    cpuinfo = Path("/proc/cpuinfo")
    lines = cpuinfo.read_text().splitlines() if cpuinfo.exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()


def _locked(name: str) -> str:
    lines = LOCK.read_text().splitlines()
    return next(line.partition("==")[2].split()[0] for line in lines if line.startswith(f"{name}=="))
