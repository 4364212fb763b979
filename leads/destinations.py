"""Who may be owed something for a lead or a click: the destinations of the outbox by name, and their queues.

Their adapters are in `worker/destinations`. A name is stored with each row: it stays as it is. Of the queues, what
publisher and workers must agree on; `api.publisher` and `celeryconfig.py` pass it to Celery.
"""

from typing import Any
from uuid import UUID

from leads.ids import short_id
from leads.logs import TRACEPARENT

CRM = "zoho"  # the record that sales staff work with
VISITOR = "visitor"  # the e-mail that acknowledges an enquiry
STAFF_MAIL = "staff-mail"
STAFF_WEBHOOK = "staff-webhook"
# How long a message waits for the record in the CRM, so that staff's can link to it. Then it goes without.
PATIENCE_SECONDS = 60.0

DELIVER = "deliver"  # the task: a destination's name, and a row's id
CRM_QUEUE, MESSAGES_QUEUE = "crm", "messages"
Task = dict[str, Any]  # what Celery's `send_task` takes
KEY_PREFIX = "crm."  # of every Redis key, so that the server can be shared and our keys recognised


def queue_of(destination: str) -> str:
    """Return the queue of a destination's tasks: messages have their own, so that no lead waits behind them."""
    return CRM_QUEUE if destination == CRM else MESSAGES_QUEUE


def task_of(destination: str, row_id: UUID) -> Task:
    """Return the task of a row's delivery. Flower shows whose it is; it belongs to the present trace."""
    return {
        "name": DELIVER,
        "args": (destination, str(row_id)),
        "queue": queue_of(destination),
        "argsrepr": f"({destination}, {short_id(row_id)})",
        "headers": {"traceparent": TRACEPARENT.get()},
        "retry": False,
    }


def publisher_options() -> dict[str, Any]:
    """Return the transport options of a process that only publishes tasks. Times are in seconds.

    Only socket time-outs bound a publish to a server that accepts connections and never answers; kombu's own
    retries would add to them, so there are none.
    """
    return {"socket_timeout": 0.5, "socket_connect_timeout": 0.3, "max_retries": 0, "global_keyprefix": KEY_PREFIX}


def worker_options() -> dict[str, Any]:
    """Return the transport options of a worker. Times are in seconds."""
    return {
        "socket_timeout": 5,
        "socket_connect_timeout": 2,
        "socket_keepalive": True,
        "health_check_interval": 10,
        "visibility_timeout": 300,
        "global_keyprefix": KEY_PREFIX,
    }
