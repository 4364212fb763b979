"""Enqueues deliveries in the background, and never delays or fails a request."""

import logging
import threading
import time
from contextlib import suppress
from queue import Full, Queue
from uuid import UUID

from celery import Celery

from leads.broker import use_steady_transport
from leads.destinations import CRM, Task, publisher_options, task_of

log = logging.getLogger(__name__)

AT_ONCE, PACE_SECONDS = 10, 0.5  # tasks, and the rest after them: a crowd's cost as much as to store its enquiries
REST_SECONDS = 1.0  # after a failure, so that an unavailable Redis costs little


class Publisher:
    """Publishes from one daemon thread. What it leaves out, the workers find themselves in seconds."""

    def __init__(self, redis_url: str) -> None:
        use_steady_transport()
        self._app = Celery("site", broker=redis_url, set_as_current=False)
        self._app.conf.broker_transport_options = publisher_options()
        self._waiting: Queue[Task | None] = Queue(50)  # further rows are left to the workers
        threading.Thread(target=self._run, name="publisher", daemon=True).start()

    def enqueue(self, row_id: UUID) -> None:
        """Enqueue the delivery of a row to the CRM. Returns at once, and never raises."""
        with suppress(Full):
            self._waiting.put_nowait(task_of(CRM, row_id))

    def close(self) -> None:
        """End the thread after what waits; the end of the process waits for nothing."""
        with suppress(Full):
            self._waiting.put_nowait(None)

    def _run(self) -> None:
        problem, begun, count = "", 0.0, 0
        for task in iter(self._waiting.get, None):
            before, problem = problem, ""
            if time.monotonic() - begun > PACE_SECONDS:
                begun, count = time.monotonic(), 0
            count += 1
            try:
                self._app.send_task(**task)
            except Exception as error:  # noqa: BLE001 - whatever it is, the next row is tried
                problem = type(error).__name__
            if problem != before:
                log.warning("enqueueing in Redis: %s", problem or "works again")
            if problem or count == AT_ONCE:
                threading.Event().wait(REST_SECONDS if problem else PACE_SECONDS)
