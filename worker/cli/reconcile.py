"""`reconcile`: comparison of our rows with the CRM's records. Meant for every night: the exit code reports gaps."""

from __future__ import annotations

import json
from contextlib import closing
from datetime import UTC, datetime, timedelta

import click

from leads.outbox.permit import NotPermitted
from leads.settings import SettingsError, read_settings
from worker.cli.database import Moment, by_option, json_option, plain_errors
from worker.cli.terminal import say, show
from worker.context import WorkerContext, make_context
from worker.crm.fields import custom_fields
from worker.crm.port import CallFailed
from worker.jobs.reconciliation import Comparison, Gap, compare, mend

# For the operator who reads the table.
GAP_DESCRIPTIONS = {
    Gap.MISSING: "sent, but there is no such record",
    Gap.UNSENT: "the record exists, but the row is dead or held",
    Gap.UNKNOWN: "the record exists, but there is no such row",
    Gap.ERASED: "the record exists, but the person was erased",
    Gap.DOUBLED: "two records hold this event id",
}


class CouldNotCompare(click.ClickException):
    """No result: one side did not answer."""

    exit_code = 2


@click.command(short_help="Compare our rows with the CRM's records.")
@click.option(
    "--since",
    type=Moment(),
    default=lambda: datetime.now(UTC) - timedelta(days=2),
    show_default="2 days ago",
    help="Compare what was sent since: 2026-11-21T14:30 (UTC), 12h, 30d.",
)
@click.option("--fix", is_flag=True, help="Send missing and dead rows again; delete what was erased.")
@by_option
@json_option
def reconcile(*, since: datetime, fix: bool, by: str, as_json: bool) -> None:
    """Compare sent rows with the CRM's records, by event id, and report the gaps in both directions.

    A record that was deleted or merged in the CRM is no gap and is not created again; nor is a row that is on its
    way. Exit code 0: no gaps; 1: gaps, fixed or not; 2: the comparison failed.
    """
    try:
        context = make_context(read_settings())
    except SettingsError as error:
        raise CouldNotCompare(str(error)) from error
    with closing(context):
        try:
            with plain_errors(CouldNotCompare):
                found, mended = _compare_and_mend(context, since, by if fix else None)
        except CallFailed as error:
            raise CouldNotCompare(f"The CRM did not return its list: {error}") from error
        except NotPermitted as refusal:
            raise CouldNotCompare(f"The CRM was not called: {refusal}. See `status`.") from refusal
    _print(found, mended, as_json=as_json)
    if found.gaps:
        raise SystemExit(1)


def _compare_and_mend(context: WorkerContext, since: datetime, by: str | None) -> tuple[Comparison, dict[Gap, int]]:
    found = compare(context.engine, context.access, since)
    if by and any(gap.gap is Gap.MISSING for gap in found.gaps):
        _require_event_id(context)
    return found, mend(context.engine, found, by=by) if by else {}


def _require_event_id(context: WorkerContext) -> None:
    """Refuse to send anything again while the CRM drops the event id: every record looks as if it were missing."""
    event_id = custom_fields(context.crm.mapping)[0]
    with context.access.permitted() as crm:
        if event_id.name in crm.unfit_fields([event_id]):
            words = "what is sent again would be a second record. See `check`."
            raise CouldNotCompare(
                f"Nothing was fixed: {event_id.name} is missing in the CRM or does not fit; {words}"
            )


def _print(found: Comparison, mended: dict[Gap, int], *, as_json: bool) -> None:
    gaps = [
        {
            "gap": gap.gap,
            "kind": gap.kind,
            "id": gap.id,
            "record_id": gap.record_id,
            "meaning": GAP_DESCRIPTIONS[gap.gap],
        }
        for gap in found.gaps
    ]
    if as_json:
        counts = {
            name: getattr(found, name) for name in ("since", "until", "rows", "records", "deleted", "under_way")
        }
        click.echo(json.dumps({**counts, "mended": mended, "gaps": gaps}, default=str, indent=2))
        return
    say(
        f"{found.rows:,} rows sent since {found.since:%Y-%m-%d %H:%M} UTC, {found.records:,} records in the CRM;"
        f" {found.deleted} deleted or merged in the CRM, {found.under_way} on their way."
    )
    show(gaps, ["gap", "kind", "id", "record_id", "meaning"], as_json=False, empty="No gaps.")
    for gap, count in mended.items():
        if count:
            click.echo(f"{count} {gap}: queued {'for deletion' if gap is Gap.ERASED else 'to be sent again'}.")
