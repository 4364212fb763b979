"""Seeds are run side by side, in processes of their own."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Sequence
from functools import partial

from proofs.simulation.pool import side_by_side
from proofs.simulation.run import Result, Run
from proofs.simulation.server import fresh_database


def play(server_url: str, only: Sequence[str], seed: int, *, traced: bool = False) -> Result:
    """Run one seed in a fresh database; a failed run is repeated to get its schedule."""
    result = Run.of_seed(seed, fresh_database(server_url), only=only, traced=traced).play()
    if result.violations and not traced:
        return play(server_url, only, seed, traced=True)
    return result


def play_all(
    server_url: str, only: Sequence[str], seeds: range, jobs: int, *, seconds: float = math.inf
) -> Iterator[Result]:
    """Run the seeds, and yield the results in order; none begins after so many seconds."""
    with side_by_side(jobs) as pool:
        for result in pool.imap(partial(_play_until, server_url, only, time.time() + seconds), seeds):
            if result is None:
                return
            yield result


def _play_until(server_url: str, only: Sequence[str], until: float, seed: int) -> Result | None:
    return play(server_url, only, seed) if time.time() < until else None
