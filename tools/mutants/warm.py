"""A run of pytest, in a fork of a process that has the packages loaded, but nothing of the product's."""

import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

# What most tests import. A name that is gone costs time, and nothing else.
PACKAGES = (
    *("celery.app.trace", "celery.worker.consumer", "celery.contrib.testing.app", "kombu.transport.redis", "redis"),
    *("flask_smorest", "marshmallow", "prometheus_client", "phonenumbers", "hypothesis", "yaml"),
    *("sqlalchemy.dialects.postgresql.psycopg", "psycopg.rows", "psycopg.types.json"),
)


def run_pytest(folder: str, words: Sequence[str], printed: str, environment: Mapping[str, str]) -> None:
    """Be the run, and end with its exit code."""
    os.setsid()
    os.chdir(folder)
    os.environ.update(environment)
    output, nothing = os.open(printed, os.O_CREAT | os.O_WRONLY | os.O_TRUNC), os.open(os.devnull, os.O_RDONLY)
    for target, number in ((nothing, 0), (output, 1), (output, 2)):
        os.dup2(target, number)
    # The tests are to find this project in the copy alone.
    for name in [name for name in sys.modules if name.partition(".")[0] == "tools"]:
        del sys.modules[name]
    root = str(Path(__file__).parents[2])
    sys.path[:] = [folder, *(path for path in sys.path if path not in ("", root))]
    # A package that is loaded is not rewritten: only tests' own asserts are looked at here.
    code = pytest.main(["-W", "ignore::pytest.PytestAssertRewriteWarning", *words])
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)
