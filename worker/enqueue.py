"""Tasks are put into the queues here: for what is due, and for messages that waited for a record in the CRM."""

import logging
from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from celery import Celery
from sqlalchemy import Engine, func, update

from leads.broker import BROKER_ERRORS
from leads.db import DATABASE_ERRORS, run
from leads.destinations import CRM, CRM_QUEUE, MESSAGES_QUEUE, publisher_options, queue_of, task_of
from leads.lifecycle import Sent, Status
from leads.outbox.claim import find_due
from leads.outbox.settle import Result
from leads.tables import deliveries
from worker.deliver import Deliveries

log = logging.getLogger(__name__)

_UNAVAILABLE: tuple[type[Exception], ...] = (*DATABASE_ERRORS, *BROKER_ERRORS)

# The most tasks that wait in a queue: a lead is behind as many at most, some seconds of the workers' time, and they
# have work until the next look. Messages are sent a few at a time, and each that was tried brings the next.
MAX_WAITING: Mapping[str, int] = {CRM_QUEUE: 200, MESSAGES_QUEUE: 10}


def enqueue_due(app: Celery, engine: Engine, names: Sequence[str]) -> int:
    """Enqueue what is due to these destinations, as far as the queues have room; return how many tasks."""
    count = 0
    with app.connection_for_write(transport_options=publisher_options()) as connection:
        channel: Any = connection.default_channel  # has methods that kombu's stub lacks
        for queue, most in MAX_WAITING.items():
            # So many of the due rows are on their way already.
            waiting = channel.queue_declare(queue=queue).message_count
            owed = [name for name in names if queue_of(name) == queue]
            for name, row_id in find_due(engine, owed, limit=max(0, most - waiting), offset=waiting):
                app.send_task(**task_of(name, row_id), connection=connection)
                count += 1
    return count


def deliver_row(app: Celery, work: Deliveries, destination: str, row_id: UUID) -> Result | None:
    """Deliver a row; when the CRM has it, the messages about it are enqueued, as they link to its record.

    After a message the next one to its destination is enqueued.
    """
    result = work.deliver(destination, row_id)
    if result is None:
        return None
    # A message that cannot be enqueued now is found when it is due.
    try:
        if destination != CRM:
            for name, next_id in find_due(work.engine, [destination], limit=1):
                app.send_task(**task_of(name, next_id))
        elif isinstance(result.outcome, Sent):
            _enqueue_messages(app, work.engine, row_id)
    except _UNAVAILABLE as error:
        log.info("messages of %s wait until they are due (%s)", row_id, type(error).__name__)
    return result


def _enqueue_messages(app: Celery, engine: Engine, row_id: UUID) -> None:
    row = deliveries.c
    waiting = (
        update(deliveries)
        .where(row.id == row_id, row.destination != CRM, row.status == Status.PENDING.value)
        .values(next_retry_at=func.least(row.next_retry_at, func.now()))
        .returning(row.destination)
    )
    for (name,) in run(engine, waiting):
        app.send_task(**task_of(name, row_id))
