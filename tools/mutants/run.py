"""A mutant, all of them, and their run: a copy of the tree, the fault in it, its test in a process of its own.

The working tree is never changed. All runs share one PostgreSQL, in which every test has its own database.
"""

import compileall
import multiprocessing
import os
import shutil
import signal
import subprocess
import tempfile
import time
import tomllib
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from py_compile import PycInvalidationMode
from queue import Queue
from typing import NamedTuple
from xml.etree import ElementTree as ET

from tools.mutants.warm import PACKAGES, run_pytest
from tools.servers.postgres import EmbeddedPostgres
from tools.servers.scratch import scratch

ROOT = Path(__file__).parents[2]
COPIED = (
    *("leads", "api", "web", "worker", "migrations", "tools", "tests", "docs"),
    *("frontend/content", "*.py", "*.toml", ".env.example", "Procfile"),
)
TEST_SECONDS, RUN_SECONDS = 60, 180  # what takes longer hangs
# How pytest words a failed assertion; any other exception may come from a mutant that cannot run at all.
ASSERTIONS = ("assert ", "AssertionError", "Failed: DID NOT RAISE")

# Each run is a fork of one process that has the packages loaded: loading them is most of a mutant's few seconds.
_forks = multiprocessing.get_context("forkserver")


class NoSuchText(Exception):
    """The text to replace does not occur exactly once; the message is the reason."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mutant:
    """A fault, in words too: `old` becomes `new` in `file`, and `test` (pytest's node id) must fail."""

    name: str
    fault: str
    file: str
    old: str
    new: str
    test: str

    def text(self, root: Path) -> str:
        """Return the file's text with the fault; `NoSuchText` unless the old text occurs exactly once."""
        text = (root / self.file).read_text()
        if (found := text.count(self.old)) != 1:
            raise NoSuchText(f"{self.name}: the old text occurs {found} times in {self.file}, not once")
        return text.replace(self.old, self.new)


MUTANTS = tuple(
    Mutant(name=name, file=file, **texts)
    for file, faults in tomllib.loads(Path(__file__).with_name("mutants.toml").read_text()).items()
    for name, texts in faults.items()
)


class Verdict(StrEnum):
    """What the test made of the mutant. Only KILLED is a success."""

    KILLED = "killed"
    SURVIVED = "survived"
    BROKEN = "broken"  # the test ended otherwise than by an assertion, or did not run


class Result(NamedTuple):
    """A mutant's verdict; `detail` is the assertion, or what went wrong."""

    mutant: Mutant
    verdict: Verdict
    detail: str
    seconds: float


def try_all(mutants: Sequence[Mutant], jobs: int) -> Iterator[Result]:
    """Try each mutant, some at once, and yield the results in order. Exits when a test fails without any fault."""
    _forks.set_forkserver_preload(list(PACKAGES))
    with tempfile.TemporaryDirectory(prefix="clinic-mutants-", dir=scratch()) as name:
        copies = [Path(name, f"copy-{number}") for number in range(jobs)]
        for copy in copies:
            _copy_tree(copy)
        with EmbeddedPostgres(Path(name, "postgres"), durable=False), ThreadPoolExecutor(jobs) as pool:
            code, printed = _pytest(copies[0], *{mutant.test for mutant in mutants})
            if code:
                raise SystemExit(f"{printed}\nA named test fails without any fault.")
            idle: Queue[Path] = Queue()
            for copy in copies:
                idle.put(copy)
            yield from pool.map(lambda mutant: _try_one(mutant, idle), mutants)


def _try_one(mutant: Mutant, idle: Queue[Path]) -> Result:
    copy, began = idle.get(), time.monotonic()
    file, report = copy / mutant.file, copy / "report.xml"
    unchanged = file.read_text()
    report.unlink(missing_ok=True)
    try:
        file.write_text(mutant.text(copy))
        # In the older family of reports a test may record properties.
        code, printed = _pytest(copy, mutant.test, f"--junitxml={report}", "-o", "junit_family=xunit1")
        return Result(mutant, *judge(code, report, printed), time.monotonic() - began)
    finally:
        file.write_text(unchanged)
        idle.put(copy)


def _pytest(copy: Path, *words: str) -> tuple[int, str]:
    """Run pytest in a copy; return its exit code, negative when it took too long, and what it printed."""
    printed, environment = copy / "printed.txt", {"TEST_POSTGRES": str(copy.with_name("postgres"))}
    options = ("-q", "--tb=short", f"--timeout={TEST_SECONDS}", *words)
    child = _forks.Process(target=run_pytest, args=(str(copy), options, str(printed), environment))
    child.start()
    child.join(RUN_SECONDS)
    if child.exitcode is None and child.pid is not None:
        os.killpg(child.pid, signal.SIGKILL)
        child.join()
    return child.exitcode or 0, printed.read_text(errors="replace")


def judge(code: int, report: Path, output: str) -> tuple[Verdict, str]:
    """Return the verdict of one run of pytest from its exit code and its JUnit report, and the reason."""
    if code == 0:
        return Verdict.SURVIVED, "the test passes"
    if code != 1 or not report.exists():
        return Verdict.BROKEN, next(filter(str.strip, reversed(output.splitlines())), "")
    tree = ET.parse(report)  # noqa: S314 - pytest's own report
    failures = [element.get("message", "") for element in tree.iter("failure")]
    others = [element.get("message", "") for element in tree.iter("error")]
    wrong = others + [message for message in failures if not message.startswith(ASSERTIONS)]
    verdict = Verdict.BROKEN if wrong or not failures else Verdict.KILLED
    return verdict, next(filter(str.strip, "".join(wrong or failures).splitlines()), "")


def _copy_tree(copy: Path) -> None:
    """Copy the files that tests need, as they are here now, and compile them."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", *COPIED]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for name in filter(None, listed.split("\0")):
        if (ROOT / name).exists():
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, copy / name)
    # By the source's hash, also when compiled again: a time stamp could take a mutant for the unchanged file.
    compileall.compile_dir(copy, quiet=1, invalidation_mode=PycInvalidationMode.CHECKED_HASH)
