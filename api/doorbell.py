"""The doorbell: a wake-up signal that tells workers that rows are waiting, and never delays or fails a request.

A bell carries no data but its lane. A lost bell costs seconds: every worker also polls for due rows.
"""

from __future__ import annotations

import logging
import os
import threading
from dataclasses import dataclass
from uuid import uuid4

from celery import Celery
from kombu.exceptions import OperationalError
from redis.exceptions import RedisError

from leads.queue import QUEUES, TASK_NAME, publisher_options

log = logging.getLogger(__name__)

# Rings soon after a bell become one: each bell costs a publish here and a task in a worker, and a task takes all
# rows. The pause doubles while rings come in every pause: an enquiry waits long only when there are many.
SHORT_SECONDS = 0.005
BURST_SECONDS = 0.02
# A flood is so many rings in such a burst. Then bells are this far apart: fuller batches, fewer calls to the CRM.
FLOOD_RINGS = 5
FLOOD_SECONDS = 0.1
# After a failed bell the next one waits longer, so that an unavailable Redis costs little.
REST_SECONDS = 1.0


@dataclass(slots=True)
class BellCounts:
    """Bells published, and bells that Redis did not take, since the process started."""

    rung: int = 0
    failed: int = 0


class Doorbell:
    """Merges rings in memory and publishes them from one daemon thread, which starts at a process's first ring."""

    def __init__(self, redis_url: str) -> None:
        self._redis_url = redis_url
        self.tally = BellCounts()
        self._reachable = True
        self._rings = 0
        self._reset()

    def _reset(self) -> None:
        self._pid = os.getpid()
        self._lanes: set[str] = set()
        self._rung = threading.Event()
        self._stopping = threading.Event()
        self._start = threading.Lock()
        self._publisher_thread: threading.Thread | None = None

    def ring(self, lane: str = "fresh") -> None:
        """Ask for a bell on `lane` ("fresh" or "retry"). Returns at once and never raises."""
        if self._pid != os.getpid():
            self._reset()  # a forked child has no such thread, and a lock held at the fork is never released
        self._lanes.add(lane)
        self._rings += 1  # approximately: two concurrent rings may count as one
        self._rung.set()
        if self._publisher_thread is None or not self._publisher_thread.is_alive():
            self._start_publisher()

    def close(self, seconds: float = 2.0) -> None:
        """Stop the thread after the message being published; later rings start a new one."""
        thread = self._publisher_thread
        self._stopping.set()
        self._rung.set()
        if thread is not None:
            thread.join(seconds)
        self._reset()

    def _start_publisher(self) -> None:
        with self._start:
            if self._publisher_thread is None or not self._publisher_thread.is_alive():
                self._publisher_thread = threading.Thread(target=self._publish_rings, name="doorbell", daemon=True)
                self._publisher_thread.start()

    def _publish_rings(self) -> None:
        stopping, rung, lanes = self._stopping, self._rung, self._lanes
        publisher = _Publisher(self._redis_url)
        pause = SHORT_SECONDS
        try:
            while not stopping.is_set():
                rung.wait()
                rung.clear()
                rings = self._rings
                published = [self._publish(publisher, lane) for lane in _take(lanes)]
                stopping.wait(pause if all(published) else REST_SECONDS)
                pause = next_pause(pause, self._rings - rings)
        finally:
            publisher.close()

    def _publish(self, publisher: _Publisher, lane: str) -> bool:
        try:
            publisher.publish(lane)
        except (OperationalError, RedisError, OSError) as error:
            self.tally.failed += 1
            self._log_change(reachable=False, error=type(error).__name__)
            return False
        self.tally.rung += 1
        self._log_change(reachable=True)
        return True

    def _log_change(self, *, reachable: bool, error: str = "") -> None:
        """Log changes only: an outage is one line, not one per second."""
        if reachable is not self._reachable:
            self._reachable = reachable
            if reachable:
                log.info("the doorbell reaches Redis again")
            else:
                log.warning("the doorbell cannot reach Redis (%s); workers poll for due rows meanwhile", error)


def next_pause(pause: float, rings: int) -> float:
    """Return the pause after the next bell, in seconds, when `rings` came since before the last one."""
    if not rings:
        return SHORT_SECONDS
    if pause >= BURST_SECONDS and rings >= FLOOD_RINGS * pause / BURST_SECONDS:
        return FLOOD_SECONDS
    return min(2 * pause, BURST_SECONDS)


def _take(lanes: set[str]) -> list[str]:
    """Empty the set; a ring that arrives meanwhile stays for the next round."""
    taken = []
    while lanes:
        taken.append(lanes.pop())
    return taken


class _Publisher:
    """Publishes the task as Celery's `send_task` does, without what a bell does not need.

    Its thread shares the interpreter with the enquiries: with `send_task` they cost 5 % more at 100 a second, and
    17 % more at full speed.
    """

    def __init__(self, redis_url: str) -> None:
        self._app = Celery("doorbell", broker=redis_url, set_as_current=False)
        self._app.conf.update(
            task_serializer="json", accept_content=["json"], broker_transport_options=publisher_options()
        )
        self._connection = self._app.connection_for_write()
        self._producer = self._app.amqp.Producer(self._connection)

    def publish(self, lane: str) -> None:
        message = self._app.amqp.as_task_v2(str(uuid4()), TASK_NAME, (lane,), ignore_result=True)
        self._producer.publish(
            message.body, headers=message.headers, routing_key=QUEUES[lane], retry=False, **message.properties
        )

    def close(self) -> None:
        self._connection.release()
        self._app.close()
