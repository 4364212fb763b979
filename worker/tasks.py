"""The Celery tasks: deliver a batch of a lane; send the messages that are due.

They carry no lead data, so Redis and Flower hold no personal data.
"""

from __future__ import annotations

from typing import Any

from celery.exceptions import Retry

from leads.outbox.rows import Lane
from leads.queue import MAIL_TASK, QUEUES, TASK_NAME
from worker.app import app
from worker.broker import BROKER_ERRORS
from worker.context import get_context
from worker.delivery.deliver import deliver_fresh, deliver_retries
from worker.jobs.acknowledgements import acknowledge
from worker.jobs.notices import notify_staff


class NothingDelivered(Exception):
    """No row of a batch arrived; the message is the summary."""


@app.task(name=TASK_NAME, throws=(NothingDelivered,))
def deliver_batch(lane_name: str) -> dict[str, Any]:
    """Deliver batches of fresh rows or of retries; return the last summary. A full batch rings again.

    A batch of which nothing was delivered ends as a failure, or as a retry when its rows are tried again, so that
    Flower's filters find it. The rows wait in the outbox; Celery itself repeats nothing.
    """
    lane, context = Lane(lane_name), get_context().delivery
    summary = deliver_fresh(context) if lane is Lane.FRESH else deliver_retries(context)
    if summary.full:
        ring_again(lane)
    result = summary.as_result()
    if summary.claimed and not summary.sent:
        reason = NothingDelivered(result)
        raise reason if summary.dead else Retry(exc=reason)
    return result


@app.task(name=MAIL_TASK)
def send_messages() -> dict[str, dict[str, int]]:
    """Send the staff notices and the acknowledgements that are due; the tick rings for what comes later."""
    context = get_context()
    return {"notices": notify_staff(context.notices), "acknowledgements": acknowledge(context.mail)}


def ring_again(lane: Lane) -> None:
    """Enqueue one more batch of the lane; when Redis is unavailable, the tick does it."""
    try:
        deliver_batch.apply_async((lane,), queue=QUEUES[lane], retry=False)
    except BROKER_ERRORS:
        return
