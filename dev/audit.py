"""`make audit`: ask the package registries for known vulnerabilities of what the lock files name.

Exit code 1 when one is known. A registry that does not answer is reported in words and fails nothing, because a
mirror often has no advisories; `--strict` makes that exit code 2.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
PIP_AUDIT = "pip-audit==2.10.0"
LOCKS = ("run", "dev", "installer", "benchmarks")
NODE_FOLDERS = ("frontend", "benchmarks/node", "proofs/browsers")
TIMEOUT_SECONDS = 300


@dataclass(frozen=True, slots=True)
class Audit:
    """What is known about one lock file. `asked`: packages; `answered`: those that a registry had an answer for."""

    lock: str
    asked: int
    answered: int
    findings: tuple[str, ...]


def read_pip_audit(lock: str, report: dict[str, Any]) -> Audit:
    """Read what pip-audit prints as JSON."""
    packages = report["dependencies"]
    known = [package for package in packages if "vulns" in package]
    found = tuple(
        f"{package['name']} {package['version']}: {vuln['id']}, fixed in {vuln['fix_versions'] or 'no version'}"
        for package in known
        for vuln in package["vulns"]
    )
    return Audit(lock, len(packages), len(known), found)


def read_npm_audit(lock: str, report: dict[str, Any]) -> Audit:
    """Read what `npm audit --json` prints; an error instead of a report means that no registry answered."""
    if "vulnerabilities" not in report:
        return Audit(lock, 1, 0, ())
    total = int(report["metadata"]["dependencies"]["total"])
    found = tuple(f"{name}: {item['severity']}" for name, item in report["vulnerabilities"].items())
    return Audit(lock, total, total, found)


def audit_python(name: str) -> Audit:
    """Audit one of the Python lock files."""
    lock = f"requirements/{name}.lock"
    words = [
        PIP_AUDIT.partition("=")[0],
        "--require-hashes",
        "--disable-pip",
        "--progress-spinner=off",
        "--format=json",
    ]
    command = [sys.executable, "-m", "uv", "tool", "run", "--from", PIP_AUDIT, *words, f"--requirement={lock}"]
    return read_pip_audit(lock, _json(command) or {"dependencies": [{}]})


def audit_node(folder: str) -> Audit:
    """Audit one of the Node lock files."""
    return read_npm_audit(f"{folder}/package-lock.json", _json(["npm", "--prefix", folder, "audit", "--json"]))


def _json(command: list[str]) -> dict[str, Any]:
    try:
        done = subprocess.run(
            command, cwd=ROOT, check=False, capture_output=True, text=True, timeout=TIMEOUT_SECONDS
        )
        report = json.loads(done.stdout)
    except (OSError, ValueError, subprocess.TimeoutExpired):
        return {}
    return report if isinstance(report, dict) else {}


def main() -> int:
    """Audit every lock file; returns the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m dev.audit", description="Known vulnerabilities of the locked packages."
    )
    parser.add_argument("--strict", action="store_true", help="exit code 2 when a registry did not answer")
    options = parser.parse_args()
    audits = [*(audit_python(name) for name in LOCKS), *(audit_node(folder) for folder in NODE_FOLDERS)]
    for audit in audits:
        if not audit.answered:
            print(f"{audit.lock}: NOT CHECKED, the registry here has no advisories")
        else:
            print(f"{audit.lock}: {audit.answered} of {audit.asked} packages checked, {len(audit.findings)} known")
        print("".join(f"  {finding}\n" for finding in audit.findings), end="")
    if any(audit.findings for audit in audits):
        return 1
    return 2 if options.strict and any(audit.answered < audit.asked for audit in audits) else 0


if __name__ == "__main__":
    sys.exit(main())
