"""Delivery without Redis: while no task comes, threads of the worker deliver what has been due for long."""

import logging
import threading
from collections.abc import Callable

from celery.worker import state

from leads.db import DATABASE_ERRORS, error_name
from leads.outbox.claim import find_due
from leads.outbox.pause import note_seen
from worker.deliver import Deliveries

log = logging.getLogger(__name__)

LATE_SHARE, LOOK_SHARE, ROWS_A_LOOK = 1 / 2, 1 / 6, 50  # of a lease: 30 s, and each 10 s


def start_fallback(work: Deliveries) -> list[threading.Thread]:
    """Start a thread for each destination, so that a slow one delays no other; return them."""
    names = list(work.destinations)
    threads = [
        threading.Thread(target=deliver_late, args=(work, name), name=f"late {name}", daemon=True) for name in names
    ]
    for thread in threads:
        thread.start()
    return threads


def _count_tasks() -> int:
    """How many tasks this process has taken; one that ends late, as those do that wait for Redis, is no new one."""
    return sum(state.total_count.values())


def deliver_late(work: Deliveries, name: str, count_tasks: Callable[[], int] = _count_tasks) -> None:
    """Look for late rows of a destination from time to time, until the process is to stop; note that it lives."""
    taken, wait = -1, 0.0  # the first look, at the start, only notes that the worker lives
    while not work.stopping.wait(wait):
        before, taken, wait = taken, count_tasks(), work.lease_seconds * LOOK_SHARE
        try:
            note_seen(work.engine, name)
            if taken != before:
                continue  # tasks come
            for _, row_id in find_due(work.engine, [name], limit=ROWS_A_LOOK, late=work.lease_seconds * LATE_SHARE):
                if work.deliver(name, row_id):
                    log.warning("delivered %s to %s without a task: is Redis there?", row_id, name)
        except DATABASE_ERRORS as error:
            log.warning("the database failed a look for late rows (%s)", error_name(error))
        except Exception:  # whatever happened, the next row must be sent
            log.exception("a delivery without a task failed")
