"""Counts per time window, which the processes of the site share through Redis. No personal data: names come hashed.

Each process counts for itself at once, so that no visitor waits for Redis. A thread adds to Redis, ten times a
second, what was counted here, and learns what the other processes counted.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import cast

from redis import Redis
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.retry import Retry

from leads.queue import KEY_PREFIX

log = logging.getLogger(__name__)

SHARE_SECONDS = 0.1
ANSWER_SECONDS = 1.0
RETRY_SECONDS = 2.0
# The most counters kept in this process; above it all start again from Redis. 270 bytes each.
MAX_IN_MEMORY = 50_000
# Counters added in one call, which takes Redis about a millisecond.
MAX_AT_ONCE = 1000

# KEYS: the counters. ARGV: for each what to add, and how many seconds it lasts.
_ADD = """
local counts = {}
for i, name in ipairs(KEYS) do
  counts[i] = redis.call('INCRBY', name, ARGV[2 * i - 1])
  if redis.call('TTL', name) < 0 then redis.call('EXPIRE', name, ARGV[2 * i]) end
end
return counts
"""


@dataclass(frozen=True, slots=True)
class Counter:
    """A hashed name, and the length of its time windows in seconds, which begin at multiples of it."""

    name: str
    seconds: int

    def key(self, now: float) -> str:
        """Return the name of the window that contains `now`."""
        return f"{KEY_PREFIX}limit.{self.name}.{int(now // self.seconds)}"

    def rest(self, now: float) -> int:
        """Return how many seconds the window still lasts, rounded up."""
        return self.seconds - int(now % self.seconds)


class Counters:
    """Counts in this process, and together with the other processes while Redis is available."""

    def __init__(self, redis_url: str) -> None:
        self._redis = Redis.from_url(
            redis_url,
            socket_timeout=ANSWER_SECONDS,
            socket_connect_timeout=ANSWER_SECONDS,
            retry=Retry(NoBackoff(), 0),
            protocol=2,
        )
        self._add = self._redis.register_script(_ADD)
        self._counts: dict[str, int] = {}  # as far as this process knows; and 1 for each request that it has seen
        self._unshared: dict[str, tuple[int, int]] = {}  # what to add in Redis, and seconds
        self._lock = threading.Lock()
        self._counted, self._closed = threading.Event(), threading.Event()
        self._thread: threading.Thread | None = None
        self.is_shared = True

    def count(self, counters: Sequence[Counter], *, seen: str | None = None, stop_above: int = 2**31) -> list[int]:
        """Count a request once under each counter; return the counts, this request included.

        Args:
            counters: The first one decides whether the rest is counted.
            seen: A hashed name of the request: this process counts it once. None: every one counts.
            stop_above: When the first count is higher, only it is counted and returned: a flood from one place
                must not fill the memory with names.

        Returns:
            A count for each counter.
        """
        now = time.time()
        counts: list[int] = []
        with self._lock:
            if len(self._counts) > MAX_IN_MEMORY:
                self._counts.clear()
                self._unshared.clear()
            is_new = seen is None or seen not in self._counts
            for counter in counters:
                key = counter.key(now)
                count = self._counts.get(key, 0) + is_new
                counts.append(count)
                if is_new:
                    self._counts[key] = count
                    self._unshared[key] = (self._unshared.get(key, (0, 0))[0] + 1, counter.seconds)
                if len(counts) == 1 and count > stop_above:
                    break
            else:
                if seen is not None:
                    self._counts[seen] = 1
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(target=self._share_until_closed, name="limits", daemon=True)
                self._thread.start()
        self._counted.set()
        return counts

    def recent(self, counter: Counter) -> tuple[int, int]:
        """Return the counts of this window and of the last one, as far as this process knows."""
        now = time.time()
        this, last = (self._counts.get(counter.key(at), 0) for at in (now, now - counter.seconds))
        return this, last

    def close(self) -> None:
        """Share what is left, and end the thread and its connection."""
        self._closed.set()
        self._counted.set()
        if self._thread is not None:
            self._thread.join(2 * ANSWER_SECONDS)
        self._redis.close()

    def _share_until_closed(self) -> None:
        while not self._closed.is_set():
            self._counted.wait()
            self._closed.wait(SHARE_SECONDS if self.is_shared else RETRY_SECONDS)
            self._counted.clear()
            try:
                while self._unshared:
                    self._share()
            except (RedisError, OSError) as error:
                self._counted.set()
                self._tell(shared=False, error=type(error).__name__)
            else:
                self._tell(shared=True)

    def _share(self) -> None:
        """Add in Redis what was counted here, and take over its counts. What fails is tried again.

        A frozen server does all that it has received once it thaws. That is one share at most: a new connection
        first waits for an answer to its greeting.
        """
        with self._lock:
            added = {key: self._unshared.pop(key) for key in list(islice(self._unshared, MAX_AT_ONCE))}
        try:
            arguments = [number for pair in added.values() for number in pair]
            totals = cast("list[int]", self._add(list(added), arguments))
        except (RedisError, OSError):
            with self._lock:
                for key, (count, seconds) in added.items():
                    self._unshared[key] = (self._unshared.get(key, (0, 0))[0] + count, seconds)
            raise
        with self._lock:
            for key, total in zip(added, totals, strict=True):
                known = total + self._unshared.get(key, (0, 0))[0]
                self._counts[key] = max(known, self._counts.get(key, 0))  # a Redis that was emptied knows less

    def _tell(self, *, shared: bool, error: str = "") -> None:
        """Log changes only."""
        if shared is self.is_shared:
            return
        self.is_shared = shared
        if shared:
            log.info("limits: Redis counts again")
        else:
            log.warning("limits: Redis cannot count (%s); each process counts for itself meanwhile", error)
