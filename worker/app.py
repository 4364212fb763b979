"""The Celery application: `celery -A worker.app worker`. Queues and options are in celeryconfig.py."""

from __future__ import annotations

import os

from celery import Celery
from kombu.transport import TRANSPORT_ALIASES

from leads.logs import configure_logs
from worker.tick import TickStep

app = Celery("worker", include=["worker.tasks"])
app.config_from_object("celeryconfig")
# Registered under Redis's names instead of in the broker URL: Flower reads the kind of broker from that URL.
TRANSPORT_ALIASES.update(dict.fromkeys(("redis", "rediss"), "worker.broker:SteadyTransport"))
app.steps["worker"].add(TickStep)
# Celery reads the settings later; an unknown value stops it then.
configure_logs(os.environ.get("LOG_FORMAT", "").strip())
