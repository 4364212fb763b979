"""The Celery application: `celery -A worker.app worker`. Options and schedule are in celeryconfig.py."""

import gc
import logging
import os
import sys
from contextlib import suppress
from typing import Any, NoReturn

from celery import Celery
from celery.app.trace import LOG_SUCCESS
from celery.beat import EmbeddedService
from celery.signals import task_postrun, task_prerun, worker_init, worker_ready, worker_shutting_down

from leads.broker import use_steady_transport
from leads.crm_state import note_run
from leads.db import DATABASE_ERRORS, find_lag
from leads.destinations import DELIVER
from leads.error_reports import report_errors
from leads.logs import TRACEPARENT, configure_logs
from leads.settings import SettingsError
from worker.context import get_context
from worker.fallback import start_fallback

app = Celery("worker", include=["worker.tasks"])
app.config_from_object("celeryconfig")
use_steady_transport()
# Celery reads the settings later; an unknown value stops it then.
configure_logs(os.environ.get("LOG_FORMAT", "").strip())


@worker_init.connect
def _start(**_: object) -> None:
    """Start what does not wait for Redis; a worker that lacks a setting, or a migration, ends with one message."""
    try:
        context = get_context()
    except SettingsError as error:
        _refuse_to_start(str(error))
    report_errors(context.settings)
    try:
        lag = find_lag(context.engine)
    except DATABASE_ERRORS:
        lag = ""  # a worker waits for a database that does not answer
    if lag:
        _refuse_to_start(lag)
    # The log has deliveries and failures, not each periodic task that was sent, taken and done.
    for name in ("celery.beat", "celery.worker.strategy"):
        logging.getLogger(name).setLevel(logging.WARNING)
    logging.getLogger("celery.app.trace").addFilter(_is_news)
    logging.getLogger("celery.beat").addFilter(_in_a_line)
    start_fallback(context.deliveries)
    # In a thread, as `-B` makes a process, which would outlive a worker that is killed.
    beat: Any = EmbeddedService(app, thread=True, scheduler_cls="celery.beat:Scheduler")
    beat.start()


def _is_news(record: logging.LogRecord) -> bool:
    return record.msg != LOG_SUCCESS or getattr(record, "data", {}).get("name") == DELIVER


def _in_a_line(record: logging.LogRecord) -> bool:
    """Shorten beat's word that Redis takes no task: each has two stack traces, sixty lines a second."""
    record.msg, record.args, record.exc_info = record.getMessage().partition("\n")[0], None, None
    return True


@task_postrun.connect
def _note_run(*, task: Any, retval: Any, **_: object) -> None:
    """Note what came of a periodic job; one that returns None had nothing to do, or left it to another worker."""
    jobs = {job["task"] for job in app.conf.beat_schedule.values()} - {"enqueue_due"}  # which runs all the time
    if task.name in jobs and retval is not None:
        result = f"FAILED: {type(retval).__name__}" if isinstance(retval, Exception) else str(retval)
        with suppress(*DATABASE_ERRORS):
            note_run(get_context().engine, task.name, result)


def _refuse_to_start(why: str) -> NoReturn:
    sys.stderr.write(f"{why}\n")
    raise SystemExit(1)


@worker_ready.connect
def _freeze_what_was_loaded(**_: object) -> None:
    """Hide what was loaded from the garbage collector: scanning it over and over costs a tenth of a delivery."""
    gc.collect()
    gc.freeze()


@task_prerun.connect
def _follow(task: Any, **_: object) -> None:
    """Take over the trace of the request that brought the task, until this thread's next one."""
    TRACEPARENT.set(task.request.get("traceparent") or "")


@worker_shutting_down.connect
def _stop(**_: object) -> None:
    """Begin no further call; those in flight finish."""
    get_context().deliveries.stopping.set()
