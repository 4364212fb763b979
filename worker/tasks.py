"""The tasks: deliver a batch of a lane; send what mail is due. They carry no lead data.

So Redis and Flower hold no personal data.
"""

from __future__ import annotations

from typing import Any

from kombu.exceptions import OperationalError

from leads.outbox.kinds import Lane
from leads.queue import MAIL_TASK, QUEUES, TASK_NAME
from worker.acknowledging import acknowledge
from worker.app import app
from worker.crm import get_crm
from worker.sync import deliver


@app.task(name=TASK_NAME)
def deliver_batch(lane_name: str) -> dict[str, Any]:
    """Claim and send one batch of the lane; the summary is what Flower shows. A full batch rings again."""
    lane = Lane(lane_name)
    if lane is Lane.FRESH:
        return _deliver(lane)
    turns = get_crm().retry_turns
    if not turns.acquire(blocking=False):
        return {"lane": lane, "busy": True}
    try:
        return _deliver(lane)
    finally:
        turns.release()


@app.task(name=MAIL_TASK)
def acknowledge_leads() -> dict[str, int]:
    """Send one batch of acknowledgements; the tick rings for the next one."""
    return acknowledge(get_crm())


def _deliver(lane: Lane) -> dict[str, Any]:
    summary = deliver(get_crm(), lane)
    if summary.full:
        ring_again(lane)
    return summary.as_result()


def ring_again(lane: Lane) -> None:
    """Enqueue one more batch of the lane; when Redis is away the tick does it."""
    try:
        deliver_batch.apply_async((lane,), queue=QUEUES[lane], retry=False)
    except OperationalError:
        return
