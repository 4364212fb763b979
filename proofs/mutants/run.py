"""The run of mutants: a copy of the tree, the fault in it, its tests in a process of its own, the verdict.

The working tree is never changed. All runs share one PostgreSQL, in which every test has its own database.
"""

from __future__ import annotations

import compileall
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from py_compile import PycInvalidationMode
from queue import Queue
from xml.etree import ElementTree as ET

from dev.servers.postgres import EmbeddedPostgres
from dev.servers.scratch import scratch
from proofs.mutants.mutant import Mutant
from proofs.mutants.warm import Warm

ROOT = Path(__file__).parents[2]
COPIED = (
    "leads",
    "api",
    "web",
    "worker",
    "migrations",
    "dev",
    "sandbox",
    "proofs",
    "tests",
    "docs",
    "*.py",
    "*.ini",
    "*.toml",
    ".env.example",
    "Procfile",
)
RUN_SECONDS = 180
# A test that takes longer hangs.
TEST_SECONDS = 60
# How pytest words a failed assertion; any other exception may come from a mutant that cannot run at all.
ASSERTIONS = ("assert ", "AssertionError", "Failed: DID NOT RAISE")


class Verdict(StrEnum):
    """What the test made of the mutant. Only KILLED is a success."""

    KILLED = "killed"
    SURVIVED = "survived"
    BROKEN = "broken"  # the test ended otherwise than by an assertion, or did not run


@dataclass(frozen=True, slots=True)
class Result:
    """A mutant's verdict; `detail` is the assertion, or what went wrong."""

    mutant: Mutant
    verdict: Verdict
    seconds: float
    detail: str


class TestsFail(Exception):
    """The named tests fail without any fault; the message is pytest's output."""


@contextmanager
def workshop(jobs: int) -> Iterator[Workshop]:
    """Copies of the tree, one for each job, and a PostgreSQL for all their tests."""
    with tempfile.TemporaryDirectory(prefix="clinic-mutants-", dir=scratch()) as name:
        folder = Path(name)
        copies = [folder / f"copy-{number}" for number in range(jobs)]
        for copy in copies:
            _copy_tree(copy)
        with EmbeddedPostgres(folder / "postgres", durable=False), ExitStack() as stack:
            environment = {**os.environ, "TEST_POSTGRES": str(folder / "postgres")}
            yield Workshop([stack.enter_context(closing(Warm(copy, environment))) for copy in copies])


@dataclass(frozen=True, slots=True)
class Workshop:
    """Where mutants are tried."""

    benches: Sequence[Warm]

    def check_unmutated(self, tests: Sequence[str]) -> None:
        """Run the tests once on the unchanged tree; raises `TestsFail`."""
        code, printed = _pytest(self.benches[0], list(dict.fromkeys(tests)))
        if code:
            raise TestsFail(printed)

    def try_all(self, mutants: Sequence[Mutant]) -> Iterator[Result]:
        """Try each mutant, as many at once as there are copies; yield the results in order."""
        idle: Queue[Warm] = Queue()
        for bench in self.benches:
            idle.put(bench)

        def try_one(mutant: Mutant) -> Result:
            bench = idle.get()
            try:
                return _try(mutant, bench)
            finally:
                idle.put(bench)

        with ThreadPoolExecutor(len(self.benches)) as pool:
            yield from pool.map(try_one, mutants)


def _try(mutant: Mutant, bench: Warm) -> Result:
    file = bench.folder / mutant.file
    unchanged = file.read_text()
    report = bench.folder / "report.xml"
    report.unlink(missing_ok=True)
    started = time.monotonic()
    file.write_text(mutant.text(bench.folder))
    # In the older family of reports a test may record properties.
    written = (f"--junitxml={report}", "-o", "junit_family=xunit1")
    try:
        code, printed = _pytest(bench, mutant.tests, "-x", *written)
    finally:
        file.write_text(unchanged)
    verdict, detail = judge(code, report, printed)
    return Result(mutant, verdict, time.monotonic() - started, detail)


def _pytest(bench: Warm, tests: Sequence[str], *options: str) -> tuple[int, str]:
    # What the last mutant failed first: it often fails the next one too.
    words = ["-q", "--tb=short", "--ff", f"--timeout={TEST_SECONDS}", *options, *tests]
    return bench.pytest(words, RUN_SECONDS)


def judge(code: int, report: Path, output: str) -> tuple[Verdict, str]:
    """Return the verdict of one run of pytest from its exit code and its JUnit report, and the reason."""
    if code == 0:
        return Verdict.SURVIVED, "the test passes"
    if code != 1 or not report.exists():
        return Verdict.BROKEN, _last_line(output)
    tree = ET.parse(report)  # noqa: S314 - pytest's own report
    failures = [element.get("message", "") for element in tree.iter("failure")]
    others = [element.get("message", "") for element in tree.iter("error")]
    wrong = others + [message for message in failures if not message.startswith(ASSERTIONS)]
    if wrong or not failures:
        return Verdict.BROKEN, _first_line("".join(wrong) or output)
    return Verdict.KILLED, _first_line(failures[0])


def _copy_tree(copy: Path) -> None:
    """Copy the files that tests need, as they are here now, and compile them."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", *COPIED],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    for name in filter(None, listed.split("\0")):
        if (ROOT / name).exists():
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, copy / name)
    # By the source's hash, also when compiled again: a time stamp could take a mutant for the unchanged file.
    compileall.compile_dir(copy, quiet=1, invalidation_mode=PycInvalidationMode.CHECKED_HASH)


def _first_line(text: str) -> str:
    return next((line for line in text.splitlines() if line.strip()), "")


def _last_line(text: str) -> str:
    return _first_line("\n".join(reversed(text.splitlines())))
