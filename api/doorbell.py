"""The doorbell: tells the workers that rows are waiting, without ever holding up or failing a request.

A bell carries no data but its lane. A lost one costs seconds: every worker looks for due rows by itself.
"""

from __future__ import annotations

import logging
import os
import threading
from dataclasses import dataclass

from celery import Celery
from kombu.exceptions import OperationalError
from redis.exceptions import RedisError

from leads.queue import QUEUES, TASK_NAME, publisher_options

log = logging.getLogger(__name__)

# Rings within 20 ms become one bell (Redis costs a publisher 1.3 ms a message; a worker's drain takes all rows).
BURST_SECONDS = 0.02
# While so many rings come within a burst, bells are this far apart: fuller batches, and fewer calls to the CRM.
FLOOD_RINGS = 5
FLOOD_SECONDS = 0.1
# After a failed bell the next one waits longer, so that an absent Redis costs nothing.
REST_SECONDS = 1.0


@dataclass(slots=True)
class Tally:
    """Bells published, and bells that Redis did not take, since the process started."""

    rung: int = 0
    failed: int = 0


class Doorbell:
    """Rings merge in memory and one daemon thread publishes them; it starts at the first ring of a process."""

    def __init__(self, redis_url: str) -> None:
        self._redis_url = redis_url
        self.tally = Tally()
        self._heard = True
        self._rings = 0
        self._reset()

    def _reset(self) -> None:
        self._pid = os.getpid()
        self._lanes: set[str] = set()
        self._rung = threading.Event()
        self._stopping = threading.Event()
        self._start = threading.Lock()
        self._ringer: threading.Thread | None = None

    def ring(self, lane: str = "fresh") -> None:
        """Ask for a bell on `lane` ("fresh" or "retry"). Returns at once and never raises."""
        if self._pid != os.getpid():
            self._reset()  # a forked child inherits neither the thread nor a lock that somebody held
        self._lanes.add(lane)
        self._rings += 1  # roughly: two threads may count as one
        self._rung.set()
        if self._ringer is None or not self._ringer.is_alive():
            self._start_ringer()

    def close(self, seconds: float = 2.0) -> None:
        """Stop the thread after the bell in hand; rings after this start a new one."""
        ringer = self._ringer
        self._stopping.set()
        self._rung.set()
        if ringer is not None:
            ringer.join(seconds)
        self._reset()

    def _start_ringer(self) -> None:
        with self._start:
            if self._ringer is None or not self._ringer.is_alive():
                self._ringer = threading.Thread(target=self._publish_rings, name="doorbell", daemon=True)
                self._ringer.start()

    def _publish_rings(self) -> None:
        stopping, rung, lanes = self._stopping, self._rung, self._lanes
        app = _publisher(self._redis_url)
        try:
            while not stopping.is_set():
                rung.wait()
                rung.clear()
                rings = self._rings
                published = [self._publish(app, lane) for lane in _take(lanes)]
                stopping.wait(BURST_SECONDS if all(published) else REST_SECONDS)
                if self._rings - rings >= FLOOD_RINGS:
                    stopping.wait(FLOOD_SECONDS - BURST_SECONDS)
        finally:
            app.close()

    def _publish(self, app: Celery, lane: str) -> bool:
        try:
            app.send_task(TASK_NAME, args=(lane,), queue=QUEUES[lane], retry=False, ignore_result=True)
        except (OperationalError, RedisError, OSError) as error:
            self.tally.failed += 1
            self._say(heard=False, why=type(error).__name__)
            return False
        self.tally.rung += 1
        self._say(heard=True)
        return True

    def _say(self, *, heard: bool, why: str = "") -> None:
        """Log a change only: an outage is one line, not one a second."""
        if heard is not self._heard:
            self._heard = heard
            if heard:
                log.info("the doorbell rings again")
            else:
                log.warning("the doorbell cannot reach Redis (%s); workers look for due rows by themselves", why)


def _take(lanes: set[str]) -> list[str]:
    """Empty the set; a ring that comes meanwhile stays for the next round."""
    taken = []
    while lanes:
        taken.append(lanes.pop())
    return taken


def _publisher(redis_url: str) -> Celery:
    """A Celery application that can only publish."""
    app = Celery("doorbell", broker=redis_url, set_as_current=False)
    app.conf.update(
        task_serializer="json",
        accept_content=["json"],
        task_ignore_result=True,
        broker_pool_limit=1,
        broker_connection_retry=False,
        broker_transport_options=publisher_options(),
    )
    return app
