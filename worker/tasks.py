"""The Celery tasks. `deliver` is one try of one row: its state in Flower is what became of it.

Arguments are names and ids, so that Redis and Flower hold no personal data.
"""

import time
from uuid import UUID

from leads.broker import BROKER_ERRORS
from leads.db import DATABASE_ERRORS, exclusively
from leads.destinations import DELIVER
from leads.durations import clock_and_zone
from leads.ids import short_id
from leads.lifecycle import Sent, Skipped
from leads.outbox.holds import settle_held
from leads.outbox.settle import Result
from leads.privacy.retention import retain
from worker.app import app
from worker.context import get_context
from worker.crm.fields import fields_of, needed_fields
from worker.destinations.staff_notice import tell_stopped
from worker.enqueue import deliver_row, enqueue_due
from worker.jobs.erasure import process_erasures
from worker.jobs.reconciliation import check_fields

ERASE_SECONDS = 60.0


class NotDelivered(Exception):
    """The row of a task did not arrive; the message is why, and when it is tried next."""

    def __repr__(self) -> str:
        return str(self)


@app.task(name=DELIVER, throws=(NotDelivered,))
def deliver(destination: str, row_id: str) -> str:
    """Deliver a row that is due, one try; return what became of it. The database decides about the next try."""
    result = deliver_row(app, get_context().deliveries, destination, UUID(row_id))
    if result is None:
        return "nothing was due"
    if isinstance(result.outcome, Sent | Skipped):
        return in_words(result)
    raise NotDelivered(in_words(result))


def in_words(result: Result) -> str:
    """Return the short id of a row, its code, and when it is tried next."""
    if result.status is None:
        return f"{short_id(result.id)} {result.outcome.code}, not written: the lease was lost"
    after = f", next try {clock_and_zone(result.next_at)}" if result.next_at else ""
    return f"{short_id(result.id)} {result.outcome.code}{after}"


@app.task(name="enqueue_due", throws=(*DATABASE_ERRORS, *BROKER_ERRORS))
def enqueue_what_is_due() -> int:
    """Enqueue what is due; return how many tasks."""
    context = get_context()
    return enqueue_due(app, context.engine, [*context.deliveries.destinations])


@app.task(name="release_held", throws=DATABASE_ERRORS)
def release_held() -> str:
    """Let held rows go whose time is over."""
    return f"{settle_held(get_context().engine)} rows let go"


@app.task(name="tell_staff", throws=DATABASE_ERRORS)
def tell_staff() -> str:
    """Tell staff of rows that a person must see to."""
    context = get_context()
    return tell_stopped(context.engine, context.settings)


@app.task(name="erase", throws=DATABASE_ERRORS)
def erase() -> str | None:
    """Erase in the CRM what was erased here."""
    context, until = get_context(), time.monotonic() + ERASE_SECONDS
    with exclusively(context.engine, "erase") as is_ours:
        if not is_ours:
            return None
        done = process_erasures(context.engine, context.access, lambda: time.monotonic() < until and _goes_on())
    stopped = f"; stopped: {done.stopped}" if done.stopped else ""
    return f"{done.rows_checked} rows checked, {done.deleted} records deleted{stopped}"


@app.task(name="retain", throws=DATABASE_ERRORS)
def retain_in_term() -> str | None:
    """Delete what is past its term."""
    context = get_context()
    with exclusively(context.engine, "retain") as is_ours:
        if not is_ours:
            return None
        removed = retain(context.engine, context.settings.retention_months, may_continue=_goes_on)
    return ", ".join(f"{count} of {what}" for what, count in removed.items())


def _goes_on() -> bool:
    return not get_context().deliveries.stopping.is_set()


@app.task(name="check_crm", throws=DATABASE_ERRORS)
def check_crm() -> str | None:
    """Make the daily check of the CRM's fields and records, if it is due."""
    context = get_context()
    return check_fields(context.access, needed_fields(fields_of(context.settings)))
