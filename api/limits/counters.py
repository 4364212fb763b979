"""Counts per time window, in Redis, or in this process while Redis is away. No personal data: names come hashed.

One script counts everything about a request, and requests of one moment share a round trip. Redis never delays a
visitor for longer than ANSWER_SECONDS, and not again until a thread in the background has found it well.
"""

from __future__ import annotations

import hashlib
import logging
import threading
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from redis import Redis
from redis.backoff import NoBackoff
from redis.exceptions import NoScriptError, RedisError
from redis.retry import Retry

from leads.queue import KEY_PREFIX

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

log = logging.getLogger(__name__)

ANSWER_SECONDS = 0.05
PROBE_SECONDS = 2.0
PROBE_KEY = f"{KEY_PREFIX}limit.probe"
# How long a request that is repeated with its idempotency key is known, and not counted again.
SEEN_SECONDS = 3600
# Counters kept in this process at most; beyond that all begin anew. 100 bytes each.
MAX_IN_MEMORY = 100_000

# KEYS: the mark of a seen request, then the counters. ARGV: seconds of the mark (0: there is none), the count of
# the first counter above which nothing else is counted, then the seconds of each counter.
_COUNT = """
local counts, seen = {}, false
if tonumber(ARGV[1]) > 0 then seen = redis.call('EXISTS', KEYS[1]) == 1 end
for i = 2, #KEYS do
  local count
  if seen then count = tonumber(redis.call('GET', KEYS[i]) or '0')
  else
    count = redis.call('INCR', KEYS[i])
    if count == 1 then redis.call('EXPIRE', KEYS[i], ARGV[i + 1]) end
  end
  counts[i - 1] = count
  if i == 2 and count > tonumber(ARGV[2]) then return table.concat(counts, ' ') end
end
if tonumber(ARGV[1]) > 0 and not seen then redis.call('SET', KEYS[1], 1, 'EX', ARGV[1]) end
return table.concat(counts, ' ')
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


@dataclass(frozen=True, slots=True)
class _Request:
    """The script's KEYS and ARGV for one request."""

    keys: Sequence[str]
    arguments: Sequence[int]


class Batching(Protocol):
    """Runs work for several requests at once; see `web.server.batches`."""

    def run(self, item: _Request) -> list[int]:
        """Return the counts for one request."""

    def close(self) -> None:
        """End it."""


class Counters:
    """Counts in Redis, shared by all processes of the site; each process counts for itself while Redis is away."""

    def __init__(self, redis_url: str, batching: Callable[..., Batching]) -> None:
        self._redis = Redis.from_url(
            redis_url,
            socket_timeout=ANSWER_SECONDS,
            socket_connect_timeout=ANSWER_SECONDS,
            retry=Retry(NoBackoff(), 0),
            protocol=2,
            driver_info=None,  # else two round trips more for a new connection
        )
        self._script = hashlib.sha1(_COUNT.encode(), usedforsecurity=False).hexdigest()  # as Redis names it
        self._batches = batching(self._ask_all)
        self._memory = _Memory()
        self._lock = threading.Lock()
        self._closed = threading.Event()
        self.is_shared = True

    def count(self, counters: Sequence[Counter], *, seen: str | None = None, stop_above: int = 2**31) -> list[int]:
        """Count a request once under each counter; return the counts, this request included.

        Args:
            counters: The first one decides whether the rest is counted.
            seen: A hashed name of the request; the same one again is not counted again. None: every one counts.
            stop_above: When the first count is higher, only it is counted and returned: a flood from one place
                must not fill the memory with names.

        Returns:
            A count for each counter.
        """
        now = time.time()
        keys = [f"{KEY_PREFIX}limit.seen.{seen}", *(counter.key(now) for counter in counters)]
        mark = SEEN_SECONDS if seen else 0
        if self.is_shared:
            try:
                return self._batches.run(
                    _Request(keys, (mark, stop_above, *(counter.seconds for counter in counters)))
                )
            except (RedisError, OSError) as error:
                self._lose(error)
        return self._memory.count(keys, known=bool(mark), stop_above=stop_above)

    def close(self) -> None:
        """Close the connections and stop looking for Redis."""
        self._closed.set()
        self._batches.close()
        self._redis.close()

    def _ask_all(self, requests: Sequence[_Request]) -> list[list[int]]:
        """Ask Redis for the counts of several requests in one round trip."""
        try:
            return self._send(requests)
        except NoScriptError:  # a Redis that was started anew
            self._redis.script_load(_COUNT)
            return self._send(requests)

    def _send(self, requests: Sequence[_Request]) -> list[list[int]]:
        pipe = self._redis.pipeline(transaction=False)
        for request in requests:
            pipe.evalsha(self._script, len(request.keys), *request.keys, *request.arguments)
        return [[int(count) for count in counts.split()] for counts in pipe.execute()]

    def _lose(self, error: Exception) -> None:
        """Count in memory from now on, and look for Redis from a thread, so that no visitor waits for it."""
        with self._lock:
            if not self.is_shared:
                return
            self.is_shared = False
        log.warning(
            "limits: Redis cannot count (%s); each process counts for itself meanwhile", type(error).__name__
        )
        threading.Thread(target=self._find, name="limits", daemon=True).start()

    def _find(self) -> None:
        while not self._closed.wait(PROBE_SECONDS):
            try:
                # A write: a server that is full or read-only answers a ping.
                self._redis.set(PROBE_KEY, 1, ex=60)
            except (RedisError, OSError):
                continue
            self.is_shared = True
            log.info("limits: Redis counts again")
            return


class _Memory:
    """The script's counting, in a dict."""

    def __init__(self) -> None:
        self._counts: dict[str, int] = {}
        self._lock = threading.Lock()

    def count(self, keys: Sequence[str], *, known: bool, stop_above: int) -> list[int]:
        mark, *names = keys
        with self._lock:
            if len(self._counts) > MAX_IN_MEMORY:
                self._counts.clear()
            step = 0 if known and mark in self._counts else 1
            counts = []
            for name in names:
                count = self._counts.get(name, 0) + step
                self._counts[name] = count
                counts.append(count)
                if len(counts) == 1 and count > stop_above:
                    return counts
            if known:
                self._counts[mark] = 1
        return counts
