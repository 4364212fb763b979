"""The Celery task: deliver a batch of a lane to the CRM.

It carries no lead data, so Redis and Flower hold no personal data.
"""

from __future__ import annotations

from typing import Any

from celery import Task
from celery.exceptions import Retry

from leads.outbox.rows import Lane
from leads.queue import QUEUES, TASK_NAME
from worker.app import app
from worker.broker import BROKER_ERRORS
from worker.context import get_context
from worker.delivery.deliver import deliver_on_turn


class NothingDelivered(Exception):
    """No row of a batch arrived; the message is the summary. Flower shows the repr: codes first."""

    def __repr__(self) -> str:
        summary = self.args[0]
        codes = ", ".join(f"{count} {code}" for code, count in summary.get("codes", {}).items())
        words = [f"{codes}: {', '.join(summary.get('rows', ()))}"] if codes else []
        return "; ".join([*words, *(f"not permitted: {gate}" for gate in [summary.get("gate")] if gate)])


class TriedAgain(Retry):
    """The rows of a batch that delivered nothing are tried again. Flower shows the reason alone."""

    def __repr__(self) -> str:
        return repr(self.exc)


@app.task(name=TASK_NAME, throws=(NothingDelivered,))
def deliver_batch(lane_name: str) -> dict[str, Any]:
    """Deliver batches of fresh rows or of retries to the CRM; return their summary. A full batch rings again.

    A batch of which nothing was delivered ends as a failure, or as a retry when its rows are tried again or no call
    was permitted, so that Flower's filters find it. The rows wait in the outbox; Celery itself repeats nothing.
    """
    lane, context = Lane(lane_name), get_context()
    summary = deliver_on_turn(context.delivery, context.crm, lane)
    if not summary.claimed:
        # The bell was not for a lead.
        context.wake_details()
    if summary.full:
        ring(deliver_batch, QUEUES[lane], lane)
    result = summary.as_result()
    if not summary.sent and (summary.claimed or summary.gate):
        reason = NothingDelivered(result)
        raise reason if summary.dead else TriedAgain(exc=reason)
    return result


def ring(task: Task[Any, Any], queue: str, *arguments: str) -> None:
    """Enqueue a task; when Redis is unavailable, the tick does its work."""
    try:
        task.apply_async(arguments, queue=queue, retry=False)
    except BROKER_ERRORS:
        return
