"""Every switch is described where people look for it."""

import re
import subprocess
import sys
from pathlib import Path

from sandbox.fault_catalog import CATALOG
from sandbox.limits import LIMITS

PAGE = Path(__file__).parents[2] / "docs/sandbox.md"


def test_help_lists_every_fault_and_limit():
    text = subprocess.run([sys.executable, "-m", "sandbox", "--help"], capture_output=True, text=True, check=True)
    faults, limits = text.stdout.split("faults:\n")[1].split("limits:\n")
    assert re.findall(r"^  (\w+): ", faults, re.MULTILINE) == list(CATALOG)
    assert re.findall(r"^  (\w+): ", limits, re.MULTILINE) == list(LIMITS)


def test_the_catalog_is_served(crm, sandbox):
    catalog = crm.session.get(f"{sandbox.url}/_sandbox/faults/catalog", timeout=10).json()
    assert (list(catalog["faults"]), catalog["limits"]) == (list(CATALOG), LIMITS)


def test_the_documentation_names_switches_that_exist():
    rows = [row for row in PAGE.read_text().splitlines() if row.startswith("| ") and "`" in row.split("|")[-2]]
    named = [name for row in rows for name in re.findall(r"`([\w.]+)`", row.split("|")[-2])]
    assert named
    assert set(named) <= {*CATALOG, *(f"limits.{name}" for name in LIMITS)}
