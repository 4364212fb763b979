"""A steady stream of leads over HTTP on a thread of its own, and the rate at which the CRM received them."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from math import ceil
from types import TracebackType
from typing import Self

from proofs.drills.environment import DrillEnvironment
from proofs.harness.site import Answer, Site


class Load:
    """Posts `rate` leads a second while the context is open; the drill's environment collects the outcomes."""

    def __init__(self, env: DrillEnvironment, site: Site, rate: float) -> None:
        self._stage, self._site, self._rate = env, site, rate
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, name="load", daemon=True)
        self.answers: list[Answer] = []

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._over.set()
        self._thread.join(60)

    def _run(self) -> None:
        began = time.monotonic()
        number = 0
        while not self._over.is_set():
            self.answers += self._stage.post(self._site, self._stage.people(1), threads=1)
            number += 1
            # After an outage the load goes on at its rate, it does not catch up.
            began = max(began, time.monotonic() - (number + 1) / self._rate)
            self._over.wait(max(0.0, began + number / self._rate - time.monotonic()))


def arrivals(env: DrillEnvironment) -> Counter[int]:
    """New records in the CRM, by second since the epoch."""
    counted: Counter[int] = Counter()
    for call in env.sandbox.calls(kind="api"):
        fresh = sum(result["action"] == "insert" for result in call["row_results"])
        counted[int(datetime.fromisoformat(call["at"]).timestamp())] += fresh
    return counted


def recovery(env: DrillEnvironment, since: float, rate: float, *, share: float = 0.95, window: int = 5) -> float:
    """Seconds until the CRM receives new records at the former rate again.

    Args:
        env: the drill's environment.
        since: when the outage ended, in seconds since the epoch.
        rate: records a second before the outage.
        share: the part of `rate` that counts as recovered.
        window: seconds over which the rate is averaged.
    """
    counted = arrivals(env)
    for second in range(int(since), max(counted, default=0) + 1):
        if sum(counted[second + step] for step in range(window)) >= share * rate * window:
            return max(0.0, second - since)
    return float("inf")


def percentile(ordered: Sequence[float], share: float) -> float:
    """The smallest of the ordered values that `share` of them do not exceed."""
    return ordered[max(0, ceil(share * len(ordered)) - 1)]
