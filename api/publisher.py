"""Enqueues deliveries in the background, and never delays or fails a request.

What is not enqueued costs seconds: the workers look for due rows by themselves.
"""

from __future__ import annotations

import logging
import os
import threading
from contextlib import suppress
from queue import Empty, Full, Queue
from uuid import UUID

from celery import Celery
from kombu.exceptions import OperationalError
from redis.exceptions import RedisError

from leads.destinations import CRM
from leads.ids import short_id
from leads.queue import CRM_QUEUE, DELIVER, publisher_options

log = logging.getLogger(__name__)

MAX_WAITING = 1000  # rows that are to be enqueued; further ones are left to the workers
REST_SECONDS = 1.0  # after a failure, so that an unavailable Redis costs little


class Publisher:
    """Publishes from one daemon thread, which starts at a process's first row."""

    def __init__(self, redis_url: str) -> None:
        self._app = Celery("site", broker=redis_url, set_as_current=False)
        self._app.conf.update(broker_transport_options=publisher_options(), task_ignore_result=True)
        self._waiting: Queue[UUID] = Queue(MAX_WAITING)
        self._stopping = threading.Event()
        self._started_in: int | None = None  # the process; a forked child has no such thread
        self._is_reachable = True

    def enqueue(self, row_id: UUID) -> None:
        """Enqueue the delivery of a row to the CRM. Returns at once, and never raises."""
        if self._started_in != os.getpid():
            self._started_in = os.getpid()
            threading.Thread(target=self._run, name="publisher", daemon=True).start()
        with suppress(Full):
            self._waiting.put_nowait(row_id)

    def close(self) -> None:
        """Stop the thread after the task that is being published."""
        self._stopping.set()

    def _run(self) -> None:
        while not self._stopping.is_set():
            with suppress(Empty):
                self._publish(self._waiting.get(timeout=1.0))

    def _publish(self, row_id: UUID) -> None:
        shown = f"({CRM}, {short_id(row_id)})"
        try:
            self._app.send_task(DELIVER, (CRM, str(row_id)), queue=CRM_QUEUE, argsrepr=shown, retry=False)
        except (OperationalError, RedisError, OSError) as error:
            self._note(type(error).__name__)
            self._stopping.wait(REST_SECONDS)
        else:
            self._note()

    def _note(self, error: str = "") -> None:
        """Log changes only: an outage is one line, not one per second."""
        is_reachable = not error
        if is_reachable is not self._is_reachable:
            self._is_reachable = is_reachable
            log.warning("Redis can be reached again" if is_reachable else f"Redis cannot be reached ({error})")
