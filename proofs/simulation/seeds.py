"""Seeds are run one after another, or side by side in processes of their own."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Iterator, Sequence
from functools import partial

from proofs.simulation.database import make_database
from proofs.simulation.run import Result, Run


def play(server_url: str, only: Sequence[str], seed: int, *, traced: bool = False) -> Result:
    """Run one seed in a fresh database; a failed run is repeated to get its schedule."""
    name = f"simulation_{os.getpid()}"
    result = Run.of_seed(seed, make_database(server_url, name), only=only, traced=traced).play()
    if result.violations and not traced:
        return play(server_url, only, seed, traced=True)
    return result


def play_all(server_url: str, only: Sequence[str], seeds: range, jobs: int) -> Iterator[Result]:
    """Run the seeds, in this process or side by side; yield the results in order."""
    if jobs == 1:
        yield from (play(server_url, only, seed) for seed in seeds)
        return
    with multiprocessing.get_context("spawn").Pool(jobs) as pool:
        yield from pool.imap(partial(play, server_url, only), seeds)
