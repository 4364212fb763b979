"""Running one check: spin makes a program of the model, gcc compiles it, and the program visits every state."""

from __future__ import annotations

import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from dev.model.checks import Check
from dev.model.transitions import promela

FOLDER = Path(__file__).parent
MIN_TRIES = 2  # the model's figure for the tries after which a row may be given up
TOOLS = ("spin", "gcc")
MAX_SECONDS, MAX_DEPTH, MAX_MEGABYTES = 600, 100_000, 3000
# What every run is compiled with, and which options its program gets.
SAFETY, LIVENESS = (("-DSAFETY",), ("-n",)), (("-DNFAIR=3",), ("-a", "-f"))
FAILED_AT = re.compile(r"^spin: (\w+\.pml):(\d+), Error: assertion violated", re.MULTILINE)
COMMENT = re.compile(r"assert\(.*/\* (.+?) \*/")
LTL = re.compile(r"^ltl (\w+)", re.MULTILINE)
# Lines of a replayed counter-example that are not the model's own.
NOISE = re.compile(r"Never claim|ltl |MSC|spin: (?!\w+\.pml)")


class CheckFailed(Exception):
    """The checker itself did not get through; the message is what it printed."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The result of a check. `broken`: the property that fails, None when all hold; `story`: the steps to it."""

    states: int
    depth: int
    broken: str | None = None
    story: tuple[str, ...] = ()


def missing_tools() -> str | None:
    """What to say when the checker is not installed; None when it is."""
    missing = [tool for tool in TOOLS if shutil.which(tool) is None]
    return f"{' and '.join(missing)} not found (Debian, Ubuntu: apt-get install spin gcc)" if missing else None


def run_check(check: Check, folder: Path) -> Verdict:
    """Run one check in an empty folder; raises `CheckFailed`."""
    folder.mkdir(parents=True)
    source = folder / f"{check.model}.pml"
    source.write_text((FOLDER / source.name).read_text())
    (folder / "transitions.pml").write_text(promela(MIN_TRIES))
    flags = [f"-D{flag}" for flag in (check.flag, "LIVE" if check.live else None) if flag]
    compiled, options = LIVENESS if check.live else SAFETY
    # Optimizing is only worth the compiler's time where there are millions of states.
    level = "-O0" if check.flag or check.live else "-O2"
    _run(folder, "spin", "-a", *flags, source.name)
    _run(folder, "gcc", level, "-w", f"-DMEMLIM={MAX_MEGABYTES}", *compiled, "-o", "pan", "pan.c")
    printed = _run(folder, "./pan", f"-m{MAX_DEPTH}", *options)
    states, depth, errors = (
        _figure(printed, what) for what in (r"(\d+) states, stored", r"depth reached (\d+)", r"errors: (\d+)")
    )
    if not errors:
        if "error" in printed.replace("errors: 0", "") or "Search not completed" in printed:
            raise CheckFailed(printed)
        return Verdict(states, depth)
    replayed = _run(folder, "spin", "-t", *flags, source.name)
    return Verdict(states, depth, _property(folder, source, replayed, printed), _story(replayed))


def _run(folder: Path, *command: str) -> str:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=MAX_SECONDS, check=False)
    if done.returncode and command[:2] != ("spin", "-t"):
        raise CheckFailed(f"{' '.join(command)}: {done.stdout}{done.stderr}")
    return done.stdout


def _figure(printed: str, what: str) -> int:
    found = re.search(what, printed)
    if found is None:
        raise CheckFailed(printed)
    return int(found[1])


def _property(folder: Path, source: Path, replayed: str, printed: str) -> str:
    """The name of the property that fails: the comment behind the assertion, or the formula's name."""
    failed = FAILED_AT.search(replayed)
    if failed is None:
        formula = LTL.search(source.read_text())
        if "acceptance cycle" not in printed or formula is None:
            raise CheckFailed(printed)
        return formula[1]
    line = (folder / failed[1]).read_text().splitlines()[int(failed[2]) - 1]
    named = COMMENT.search(line)
    return named[1] if named else line.strip()


def _story(replayed: str) -> tuple[str, ...]:
    lines = (line.strip() for line in replayed.partition("#processes")[0].splitlines())
    return tuple(line for line in lines if line and not NOISE.match(line))
