"""Enqueues deliveries in the background, and never delays or fails a request.

What is not enqueued costs seconds: the workers look for due rows by themselves.
"""

from __future__ import annotations

import logging
import threading
from contextlib import suppress
from queue import Full, Queue
from uuid import UUID

from celery import Celery
from kombu.exceptions import OperationalError
from redis.exceptions import RedisError

from leads.destinations import CRM, publisher_options, task_of

log = logging.getLogger(__name__)

MAX_WAITING = 50  # rows that are to be enqueued; further ones are left to the workers
PACE_SECONDS = 0.05  # between two tasks: a crowd's would cost as much as to store its enquiries
REST_SECONDS = 1.0  # after a failure, so that an unavailable Redis costs little


class Publisher:
    """Publishes from one daemon thread."""

    def __init__(self, redis_url: str) -> None:
        self._app = Celery("site", broker=redis_url, set_as_current=False)
        self._app.conf.update(broker_transport_options=publisher_options(), task_ignore_result=True)
        self._waiting: Queue[UUID | None] = Queue(MAX_WAITING)
        threading.Thread(target=self._run, name="publisher", daemon=True).start()

    def enqueue(self, row_id: UUID) -> None:
        """Enqueue the delivery of a row to the CRM. Returns at once, and never raises."""
        with suppress(Full):
            self._waiting.put_nowait(row_id)

    def close(self) -> None:
        """End the thread after what waits; the end of the process waits for nothing."""
        with suppress(Full):
            self._waiting.put_nowait(None)

    def _run(self) -> None:
        is_reachable = True
        for row_id in iter(self._waiting.get, None):
            try:
                self._app.send_task(**task_of(CRM, row_id))
            except (OperationalError, RedisError, OSError) as error:
                if is_reachable:
                    log.warning("Redis cannot be reached (%s)", type(error).__name__)
                is_reachable = False
                threading.Event().wait(REST_SECONDS)
            else:
                if not is_reachable:
                    log.warning("Redis can be reached again")
                is_reachable = True
                threading.Event().wait(PACE_SECONDS)
