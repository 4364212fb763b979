"""The Celery tasks: deliver a batch of a lane; send the messages that are due.

They carry no lead data, so Redis and Flower hold no personal data.
"""

from __future__ import annotations

from typing import Any

from celery import Task
from celery.exceptions import Retry

from leads.outbox.rows import Lane
from leads.queue import MAIL_QUEUE, MAIL_TASK, QUEUES, TASK_NAME
from worker.app import app
from worker.broker import BROKER_ERRORS
from worker.context import get_context
from worker.delivery.deliver import deliver_fresh, deliver_retries
from worker.jobs.acknowledgements import acknowledge
from worker.jobs.notices import notify_staff


class NothingDelivered(Exception):
    """No row of a batch arrived; the message is the summary. Flower shows the repr: codes first."""

    def __repr__(self) -> str:
        codes = ", ".join(f"{count} {code}" for code, count in self.args[0].get("codes", {}).items())
        return f"{codes}: {', '.join(self.args[0].get('rows', ()))}"


class TriedAgain(Retry):
    """The rows of a batch that delivered nothing are tried again. Flower shows the reason alone."""

    def __repr__(self) -> str:
        return repr(self.exc)


@app.task(name=TASK_NAME, throws=(NothingDelivered,))
def deliver_batch(lane_name: str) -> dict[str, Any]:
    """Deliver batches of fresh rows or of retries; return the last summary. A full batch rings again.

    What arrived rings for the messages: staff are told as soon as there is a record to link to.

    A batch of which nothing was delivered ends as a failure, or as a retry when its rows are tried again, so that
    Flower's filters find it. The rows wait in the outbox; Celery itself repeats nothing.
    """
    lane, context = Lane(lane_name), get_context()
    summary = (deliver_fresh if lane is Lane.FRESH else deliver_retries)(context.delivery)
    if summary.full:
        ring(deliver_batch, QUEUES[lane], lane)
    if summary.sent and context.settings.sends_messages:
        ring(send_messages, MAIL_QUEUE)
    result = summary.as_result()
    if summary.claimed and not summary.sent:
        reason = NothingDelivered(result)
        raise reason if summary.dead else TriedAgain(exc=reason)
    return result


@app.task(name=MAIL_TASK)
def send_messages() -> dict[str, dict[str, int]]:
    """Send the staff notices and the acknowledgements that are due; the tick rings for what is late."""
    context = get_context()
    return {"notices": notify_staff(context.notices), "acknowledgements": acknowledge(context.mail)}


def ring(task: Task[Any, Any], queue: str, *arguments: str) -> None:
    """Enqueue a task; when Redis is unavailable, the tick does its work."""
    try:
        task.apply_async(arguments, queue=queue, retry=False)
    except BROKER_ERRORS:
        return
