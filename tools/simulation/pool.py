"""Runs side by side: each process, and its sessions with the server, on a processor of its own.

The two work in turns. On one processor a turn costs half of what it costs on two.
"""

import multiprocessing
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.pool import Pool
from pathlib import Path
from typing import Any

import psycopg

from tools.servers.postgres import EmbeddedPostgres
from tools.servers.scratch import scratch
from tools.simulation.server import make_template

# Nobody looks at these while runs go on.
_NEEDLESS = ("track_activities", "track_counts", "update_process_title")


@contextmanager
def simulation_server() -> Iterator[str]:
    """Run a server with the database that every run's is copied from; yield its address."""
    with (
        tempfile.TemporaryDirectory(prefix="clinic-sim-", dir=scratch()) as folder,
        EmbeddedPostgres(Path(folder) / "pg", durable=False, socket=True) as server,
    ):
        with psycopg.connect(server.superuser_url, autocommit=True) as connection:
            for setting in _NEEDLESS:
                connection.execute(f"ALTER SYSTEM SET {setting} = off".encode())
            connection.execute("SELECT pg_reload_conf()")
        make_template(server.url)
        yield server.url


@contextmanager
def side_by_side(jobs: int) -> Iterator[Pool]:
    """So many processes."""
    spawning = multiprocessing.get_context("spawn")
    with spawning.Pool(jobs, _take_processor, (spawning.Value("i", 0),)) as pool:
        yield pool


def _take_processor(taken: Any) -> None:
    if not hasattr(os, "sched_setaffinity"):  # macOS
        return
    allowed = sorted(os.sched_getaffinity(0))
    with taken.get_lock():
        os.sched_setaffinity(0, {allowed[taken.value % len(allowed)]})
        taken.value += 1
