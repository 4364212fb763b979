"""`reconcile`: comparison of our rows with the CRM's records. Meant for every night: the exit code reports gaps."""

import json
from contextlib import closing
from datetime import UTC, datetime, timedelta

import click

from leads.crm_state import note_run
from leads.durations import clock_and_zone
from leads.outbox.pause import Paused
from leads.outbox.reconcile import requeue_missing
from leads.settings import read_settings
from worker.cli.database import Moment, by_option, json_option, plain_errors
from worker.cli.terminal import say, show
from worker.connect import crm_problems
from worker.context import WorkerContext, make_context
from worker.crm.fields import custom_fields, fields_of
from worker.crm.port import CallFailed
from worker.jobs.reconciliation import Comparison, compare


class CouldNotCompare(click.ClickException):
    """No result: one side did not answer."""

    exit_code = 2


@click.command(short_help="Compare our rows with the CRM's records.")
@click.option(
    "--since",
    type=Moment(),
    default=lambda: datetime.now(UTC) - timedelta(days=2),
    show_default="2 days ago",
    help="Compare what was sent since: 2026-11-21T14:30 (Istanbul), 12h, 30d.",
)
@click.option("--fix", is_flag=True, help="Send missing rows again.")
@by_option
@json_option
def reconcile(*, since: datetime, fix: bool, by: str, as_json: bool) -> None:
    """Compare sent rows with the CRM's records, by event id: which are missing there, and which are twice.

    A record that was deleted or merged in the CRM is no gap and is not created again.
    Exit code 0: no gaps; 1: gaps, fixed or not; 2: the comparison failed.
    """
    try:
        with plain_errors(CouldNotCompare), closing(make_context(read_settings(check=crm_problems))) as context:
            found = compare(context.engine, context.access, since)
            fixed = _fix(context, found, by) if fix and found.missing else 0
            note_run(context.engine, "reconcile", f"{len(found.missing)} missing, {len(found.doubled)} twice")
    except CallFailed as error:
        raise CouldNotCompare(f"The CRM did not return its list: {error}") from error
    except Paused as refusal:
        raise CouldNotCompare(f"The CRM was not called: {refusal}. See `status`.") from refusal
    _print(found, fixed, as_json=as_json)
    if found.missing or found.doubled:
        raise SystemExit(1)


def _fix(context: WorkerContext, found: Comparison, by: str) -> int:
    """Send missing rows again; not while the CRM drops the event id: then every record looks missing."""
    event_id = custom_fields(fields_of(context.settings))[0]
    with context.access.permitted() as crm:
        if event_id.name in crm.unfit_fields([event_id]):
            why = "is missing in the CRM or does not fit, so what is sent again would be a second record"
            raise CouldNotCompare(f"Nothing was fixed: {event_id.name} {why}. See `check`.")
    return requeue_missing(context.engine, [row.id for row in found.missing], by=by)


def _print(found: Comparison, fixed: int, *, as_json: bool) -> None:
    columns = ["gap", "id", "record_id", "meaning"]
    wrong = [("missing", row.id, row.record_id, "sent, but there is no such record") for row in found.missing]
    wrong += [("doubled", row.id, row.record_id, "two records hold this event id") for row in found.doubled]
    gaps = [dict(zip(columns, each, strict=True)) for each in wrong]
    if as_json:
        counts = {"since": found.since, "rows": found.rows, "fixed": fixed}
        click.echo(json.dumps({**counts, "gaps": gaps}, default=str, indent=2))
        return
    say(f"{found.rows:,} rows sent since {clock_and_zone(found.since)}.")
    show(gaps, columns, as_json=False, empty="No gaps.")
    if fixed:
        click.echo(f"{fixed} missing: queued to be sent again.")
