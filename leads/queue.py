"""Queue names and transport options that the publisher and the workers must agree on. Plain values.

Nothing here opens a connection; `api.publisher` and `celeryconfig.py` pass these to Celery.
"""

from __future__ import annotations

from typing import Any

from leads.destinations import CRM

DELIVER = "deliver"  # the task: a destination's name, and a row's id
CRM_QUEUE, MESSAGES_QUEUE = "crm", "messages"
KEY_PREFIX = "crm."  # of every Redis key, so that the server can be shared and our keys recognised


def queue_of(destination: str) -> str:
    """Return the queue of a destination's tasks: messages have their own, so that no lead waits behind them."""
    return CRM_QUEUE if destination == CRM else MESSAGES_QUEUE


def publisher_options() -> dict[str, Any]:
    """Return the transport options of a process that only publishes tasks. Times are in seconds.

    Only socket time-outs bound a publish to a server that accepts connections and never answers; kombu's own
    retries would add to them, so there are none.
    """
    return {
        "socket_timeout": 0.5,
        "socket_connect_timeout": 0.3,
        "max_retries": 0,
        "global_keyprefix": KEY_PREFIX,
    }


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
