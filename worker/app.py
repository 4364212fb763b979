"""The Celery application: `celery -A worker.app worker`. Queues and options stand in celeryconfig.py."""

from __future__ import annotations

from celery import Celery

from leads.logs import configure_logs
from worker.ticking import TickStep

app = Celery("worker", include=["worker.tasks"])
app.config_from_object("celeryconfig")
app.steps["worker"].add(TickStep)
configure_logs()
