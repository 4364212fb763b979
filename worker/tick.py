"""The scheduler and dispatcher, without a leader: every worker ticks by itself.

A tick takes back lost leases, enqueues tasks ("bells") for rows due to the CRM, and delivers them itself when Redis
is unavailable. It wakes the threads of the other destinations. There is no Celery beat; ticks of several workers
are harmless: the later one finds no work left.
"""

from __future__ import annotations

import faulthandler
import logging
import os
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, NoReturn

from celery import Celery, bootsteps
from celery.signals import worker_shutting_down
from celery.worker import state

from leads.agenda import Agenda, read_agenda
from leads.db import DATABASE_ERRORS
from leads.outbox.lease import sweep
from leads.outbox.release import settle_held
from leads.outbox.rows import Lane
from leads.privacy.retention import ADDRESS_DAYS, Terms, retain
from leads.queue import QUEUES, TASK_NAME, publisher_options
from leads.revision import find_lag
from leads.settings import SettingsError
from worker.broker import BROKER_ERRORS
from worker.context import WorkerContext, get_context
from worker.crm.fields import needed_fields
from worker.delivery.deliver import deliver
from worker.jobs.erasure import process_erasures
from worker.jobs.field_check import check_fields
from worker.jobs.stopped_notice import tell_stopped

log = logging.getLogger(__name__)

# The maximum of bells in a queue: enough to keep the threads of a few workers busy between two ticks.
MAX_BELLS = 16
# How often a worker looks for held rows whose ten minutes are over.
RELEASE_SECONDS = 20.0
# A mail server or webhook that fails holds the tick up; it is tried so often at most.
TELL_SECONDS = 60.0
# A tick that takes longer says in between that its worker lives.
SEEN_SECONDS = 5.0
# How often a worker looks whether the daily check of the CRM's fields is due. Not at its start: rows come first.
CHECK_SECONDS = 60.0
RETAIN_SECONDS = 3600.0
# Every statement and call in a tick has a time limit; a tick that outlasts all of them hangs.
HUNG_SECONDS = 600.0
# After the longest call, until a worker that was told to stop ends in any case; less than a container's grace.
STOP_GRACE_SECONDS = 5.0


class Ticker:
    """Ticks for one worker process, on a thread of its own."""

    def __init__(self, app: Celery, context: WorkerContext) -> None:
        self._app = app
        self._context = context
        self._began = time.monotonic()
        self._swept_at: datetime | None = None
        self._taken_when_full: int | None = None
        self._release_at = 0.0
        self._tell_at = 0.0
        self._retain_at = 0.0
        self._check_at = time.monotonic() + CHECK_SECONDS
        self._thread = threading.Thread(target=self._run, name="tick", daemon=True)

    def start(self) -> None:
        """Start ticking, now."""
        self._thread.start()
        for thread in self._context.messages:
            thread.start()

    def stop(self) -> None:
        """Stop claiming now; a call in flight may finish."""
        self._context.stopping.set()

    def end_in_time(self) -> None:
        """End the process after the longest call, even if Celery does not.

        Celery says through Redis that it stops, and waits for a frozen one without end.
        """
        seconds = self._context.settings.crm_call_seconds + STOP_GRACE_SECONDS
        watchdog = threading.Timer(seconds, self._end)
        watchdog.daemon = True
        watchdog.start()

    def _end(self) -> None:
        log.warning("Celery does not end; ending the worker without it")
        self.join()
        os._exit(os.EX_OK)

    def join(self) -> None:
        """Wait for the calls in flight."""
        until = time.monotonic() + self._context.settings.crm_call_seconds
        self._thread.join(self._context.settings.crm_call_seconds)
        for thread in self._context.messages:
            thread.join(max(0.0, until - time.monotonic()))
        faulthandler.cancel_dump_traceback_later()

    def _run(self) -> None:
        while not self._context.stopping.is_set():
            started = time.monotonic()
            # A process that hangs ends, with the stack of every thread, so that it is started again.
            faulthandler.dump_traceback_later(HUNG_SECONDS, exit=True)
            try:
                self.tick()
            except Exception as error:  # whatever happened, the next tick must run
                with_trace = not _is_database_error(error)
                log.error("tick failed: %s", type(error).__name__, exc_info=with_trace)  # noqa: TRY400
            self._context.stopping.wait(
                max(0.0, started + self._context.settings.crm_tick_seconds - time.monotonic())
            )

    def tick(self) -> None:
        """Take back lost leases, ring for due rows, wake for due messages; release, erase, retain and check."""
        worker, is_first = self._context.worker, self._swept_at is None
        seen_at = worker.note_started(self._context.gates) if is_first else worker.note_seen()
        agenda = self._read_agenda()
        if agenda.has_lost and self._sweep(seen_at):
            agenda = self._read_agenda()  # what was taken back may be due at once
        self._swept_at = seen_at
        for thread in self._context.messages:
            if thread.destination.name in agenda.others:
                thread.wake()
        if any(agenda.bells.values()):
            self._ring_or_deliver(agenda.bells)
        else:
            self._taken_when_full = None
        noted = time.monotonic()
        for work, is_due in self._works(agenda):
            if not is_due:
                continue
            if time.monotonic() - noted >= SEEN_SECONDS:
                worker.note_seen()
                noted = time.monotonic()
            work()

    def _works(self, agenda: Agenda) -> Sequence[tuple[Callable[[], None], bool]]:
        """What a tick does beside deliveries, and whether it is due; the others look at a clock of their own."""
        return (
            (self._release, True),
            (self._tell, True),
            (self._erase, agenda.has_erasure),
            (self._retain, True),
            (self._check, True),
        )

    def _read_agenda(self) -> Agenda:
        others = [thread.destination for thread in self._context.messages]
        gates = {each.name: each.limits.destination for each in others}
        rows = self._context.settings.crm_batch_rows
        return read_agenda(self._context.engine, others=gates, batch=rows, most_bells=MAX_BELLS)

    def _sweep(self, seen_at: datetime) -> int:
        patience = self._context.settings.crm_lease_seconds / 2
        # For the first sweep counts how long this process has waited for it.
        last = self._swept_at or seen_at - timedelta(seconds=time.monotonic() - self._began)
        lost = sweep(self._context.engine, last=last, patience=patience)
        if lost:
            log.warning("took back %d rows from workers that died", lost)
        return lost

    def _ring_or_deliver(self, wanted: Mapping[Lane, int]) -> None:
        try:
            is_full = self._ring(wanted)
        except BROKER_ERRORS:
            why = "Redis does not answer"
        else:
            if not self._takes_no_bell(is_full=is_full):
                return
            why = "this worker takes no bell"
        log.warning("%s; delivering from the tick", why)
        self._drain()

    def _ring(self, wanted: Mapping[Lane, int]) -> bool:
        """Fill the queues up to the bells wanted; raises one of `BROKER_ERRORS` when Redis is unavailable.

        Returns:
            Whether one of them was full already.
        """
        url, is_full = self._app.conf.broker_url, False
        with self._app.connection_for_write(url, transport_options=publisher_options()) as connection:
            connection.ensure_connection(max_retries=1, timeout=1)
            channel: Any = connection.default_channel  # has methods that kombu's stub lacks
            for lane, bells in wanted.items():
                queued = channel.queue_declare(queue=QUEUES[lane]).message_count
                is_full |= 0 < bells <= queued
                for _ in range(bells - queued):
                    self._app.send_task(TASK_NAME, (lane,), queue=QUEUES[lane], connection=connection, retry=False)
        return is_full

    def _takes_no_bell(self, *, is_full: bool) -> bool:
        """Whether a queue was full at two ticks, and this worker had no task meanwhile.

        Redis may be read-only, which a full queue does not show, or Celery's consumer may hang.
        """
        taken = sum(state.total_count.values())
        before, self._taken_when_full = self._taken_when_full, taken if is_full else None
        return is_full and before == taken and not state.active_requests

    def _drain(self) -> None:
        """Deliver, fresh rows first and every second batch a retry, until nothing or the next tick is due."""
        in_time = self._until_next_tick()
        busy = True
        while busy and in_time():
            summaries = [deliver(self._context.delivery, self._context.crm, lane) for lane in Lane]
            busy = any(summary.claimed for summary in summaries)

    def _release(self) -> None:
        """Let held rows go whose time is over, or leave them to staff."""
        if time.monotonic() < self._release_at:
            return
        self._release_at = time.monotonic() + RELEASE_SECONDS
        if released := settle_held(self._context.engine):
            log.info("let go %d held rows", released)

    def _tell(self) -> None:
        """Tell staff of rows that a person must see to."""
        if time.monotonic() >= self._tell_at:
            self._tell_at = time.monotonic() + TELL_SECONDS
            tell_stopped(self._context.engine, self._context.settings)

    def _erase(self) -> None:
        done = process_erasures(self._context.engine, self._context.access, may_continue=self._until_next_tick())
        if done.rows_checked:
            log.info("erasures: checked %d rows in the CRM, deleted %d records", done.rows_checked, done.deleted)

    def _retain(self) -> None:
        """Delete what is past its term, until nothing is; then look again in an hour."""
        if time.monotonic() < self._retain_at:
            return
        settings = self._context.settings
        terms = Terms(settings.retention_months, ADDRESS_DAYS)
        may_continue = self._until_next_tick()
        removed = retain(self._context.engine, terms, may_continue=may_continue)
        if any(removed.values()):
            log.info("retention removed %s", ", ".join(f"{count} of {what}" for what, count in removed.items()))
        elif may_continue():
            self._retain_at = time.monotonic() + RETAIN_SECONDS

    def _check(self) -> None:
        """Do what is due once in minutes or days across all workers."""
        if time.monotonic() >= self._check_at:
            self._check_at = time.monotonic() + CHECK_SECONDS
            check_fields(self._context.access, needed_fields(self._context.crm.mapping))

    def _until_next_tick(self) -> Callable[[], bool]:
        until = time.monotonic() + self._context.settings.crm_tick_seconds
        return lambda: time.monotonic() < until and not self._context.stopping.is_set()


def _is_database_error(error: Exception) -> bool:
    """Whether the database is unavailable: the log then needs no stack trace."""
    return type(error).__module__.startswith("sqlalchemy")


def _refuse_to_start(why: str) -> NoReturn:
    sys.stderr.write(f"{why}\n")
    raise SystemExit(1)


class TickStep(bootsteps.StartStopStep):
    """Starts ticking before the worker connects to Redis, so that leads are delivered without it."""

    requires = ("celery.worker.components:Pool",)

    def __init__(self, parent: Any, **options: Any) -> None:
        super().__init__(parent, **options)
        self.ticker: Ticker | None = None

    def start(self, parent: Any) -> None:
        """Start ticking; a worker that lacks a setting, or a migration, ends with one message."""
        try:
            context = get_context()
        except SettingsError as error:
            _refuse_to_start(str(error))
        try:
            lag = find_lag(context.engine)
        except DATABASE_ERRORS:
            lag = ""  # a worker waits for a database that does not answer
        if lag:
            _refuse_to_start(lag)
        self.ticker = Ticker(parent.app, context)
        worker_shutting_down.connect(self._stop_claiming)
        self.ticker.start()

    def _stop_claiming(self, **_: Any) -> None:
        if self.ticker is not None:
            self.ticker.stop()
            self.ticker.end_in_time()

    def stop(self, parent: Any) -> None:  # noqa: ARG002 - Celery's signature
        """Stop ticking; calls in flight finish."""
        if self.ticker is not None:
            self.ticker.stop()
            self.ticker.join()
