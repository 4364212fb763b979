"""Names and transport figures that the publisher of bells and the workers must agree on. Plain values only.

Nothing here opens a connection; `api.doorbell` and `celeryconfig.py` hand these to Celery.
"""

from __future__ import annotations

from typing import Any

QUEUES = {"fresh": "crm.fresh", "retry": "crm.retry"}  # lane → queue
TASK_NAME = "worker.deliver"  # one positional argument: the lane
MAIL_QUEUE = "crm.mail"
MAIL_TASK = "worker.acknowledge"  # no arguments
KEY_PREFIX = "crm."  # of every Redis key, so that the server can be shared and its keys be told apart


def publisher_options() -> dict[str, Any]:
    """Transport options of a process that only rings bells. Times are in seconds.

    Only socket time-outs bound a publish to a server that accepts and never answers; kombu's own retries
    come on top of them, so there are none.
    """
    return {
        "socket_timeout": 0.5,
        "socket_connect_timeout": 0.3,
        "max_retries": 0,
        "global_keyprefix": KEY_PREFIX,
    }


def worker_options() -> dict[str, Any]:
    """Transport options of a worker. Times are in seconds."""
    return {
        "socket_timeout": 5,
        "socket_connect_timeout": 2,
        "socket_keepalive": True,
        "health_check_interval": 10,
        "visibility_timeout": 300,
        "global_keyprefix": KEY_PREFIX,
    }
