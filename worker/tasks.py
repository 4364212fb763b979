"""The Celery tasks: deliver a batch of a lane; send the mail that is due.

They carry no lead data, so Redis and Flower hold no personal data.
"""

from __future__ import annotations

from typing import Any

from leads.outbox.rows import Lane
from leads.queue import MAIL_TASK, QUEUES, TASK_NAME
from worker.app import app
from worker.broker import BROKER_ERRORS
from worker.context import get_context
from worker.delivery.deliver import deliver, deliver_retries
from worker.jobs.acknowledgements import acknowledge


@app.task(name=TASK_NAME)
def deliver_batch(lane_name: str) -> dict[str, Any]:
    """Deliver a batch of fresh rows, or batches of retries; return the last summary. A full batch rings again."""
    lane, context = Lane(lane_name), get_context().delivery
    summary = deliver(context, lane) if lane is Lane.FRESH else deliver_retries(context)
    if summary.full:
        ring_again(lane)
    return summary.as_result()


@app.task(name=MAIL_TASK)
def acknowledge_leads() -> dict[str, int]:
    """Send the acknowledgements that are due; the tick rings for what comes later."""
    return acknowledge(get_context().mail)


def ring_again(lane: Lane) -> None:
    """Enqueue one more batch of the lane; when Redis is unavailable, the tick does it."""
    try:
        deliver_batch.apply_async((lane,), queue=QUEUES[lane], retry=False)
    except BROKER_ERRORS:
        return
